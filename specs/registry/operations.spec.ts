import { kinds, registryKinds } from '../../helpers/api/kinds.ts'
import { isReceived, type Received, uids } from '../../helpers/api/received.ts'
import { got, mustBePresent } from '../../helpers/arrange/optional-operations.ts'
import { descendantsOf } from '../../helpers/arrange/scratch.ts'
import { same } from '../../helpers/assertions/equal.ts'
import { outcomeOf, refused } from '../../helpers/assertions/refused.ts'
import { hasShape } from '../../helpers/assertions/schema.ts'
import { requirement } from '../../helpers/case/requirement.ts'

/** The statements that list the operations of a kind. */
const statementOf = { repos: 'S1.1, S1.3, S4.6, S2.16', tags: 'S1.1, S1.3', advisories: 'S1.1, S1.4' }

/** The first item at each depth: a route may know paths of one length only. */
function ofEachDepth(items: readonly Received[]): Received[] {
  const depth = ({ uid }: Received) => uid.split('/').length
  return items.filter((item, at) => items.findIndex((other) => depth(other) === depth(item)) === at)
}

for (const kind of registryKinds) {
  const { name, plural, schema, listSchema, listed } = kinds[kind]
  const profile = listed.profile

  requirement(
    {
      id: `${name}.list.answers`,
      level: listed.level,
      statement: `${statementOf[kind]}, S4.16, R49`,
      quote: 'under the plural name of the resource',
      says: `List answers with the ${plural} of a group under "${plural}", in the documented shape`,
      profile,
    },
    async ({ api, registryGroup, atLeast }) => {
      const scope = descendantsOf(registryGroup)
      mustBePresent(kind, 'list', await api.attempt[kind].list(scope))

      const page = await api[kind].list(scope)

      hasShape(page.body, listSchema)
      atLeast(1, `${plural} in or below the group of RMAPI_REGISTRY_GROUP_UID`, page.items.length)
    },
  )

  requirement(
    {
      id: `${name}.get.answers`,
      level: 'should',
      statement: `${statementOf[kind]}, S2.1, R49, R55`,
      quote:
        'A resource must be the same wherever it shows (in the answer to its create, in Get, in every list, embedded)',
      says: `Get answers with the ${name} whose uid was asked for, as List shows it`,
      profile,
    },
    async ({ api, withPopulation }) => {
      await withPopulation(kind, async ({ items }) => {
        const listed = [items[0]!, items[Math.floor(items.length / 2)]!, items.at(-1)!, ...ofEachDepth(items)]

        const shown = await Promise.all(listed.map(({ uid }) => got(api, kind, uid)))

        for (const [index, item] of shown.entries()) {
          same(item, listed[index]!)
          hasShape(item, schema)
        }
      })
    },
  )

  requirement(
    {
      id: `${name}.get.missing`,
      level: 'should',
      statement: `${statementOf[kind]}, R38, R49`,
      quote: 'A missing resource (in Get, Update, Create below it; Delete is in R28) must not be answered with 2xx',
      restsOn: ['list.page-size.maximum'],
      says: `Get of an unknown ${name} uid is refused, even one that resembles a real uid`,
      profile,
    },
    async ({ api, withPopulation, registryGroup }) => {
      await withPopulation(kind, async ({ items }) => {
        const known = uids(items)
        const [{ uid, ...item }] = items as [Received]
        // if the target has no Get, the refusal of a uid says nothing
        await got(api, kind, uid)
        const similar = [
          `${uid}0`,
          `${uid}/${uid.slice(-16)}`,
          `${uid.slice(0, -4)}${[...uid.slice(-4)].reverse().join('')}`,
          uid.slice(uid.lastIndexOf('/') + 1),
          // what it is in, and its name
          uid.slice(0, Math.max(0, uid.lastIndexOf('/'))),
          registryGroup,
          String(item.name ?? ''),
        ]
        // a path without a uid is that of the list (R57)
        const unknown = [...new Set(similar)].filter((one) => one !== '' && !known.includes(one))

        const answers = await Promise.all(unknown.map((one) => api.attempt[kind].get(one)))

        const others = answers.filter(({ json }, index) => !isReceived(json) || json.uid !== unknown[index])
        for (const answer of others) refused(answer, `Get of an unknown ${name} uid`)
      })
    },
  )

  requirement(
    {
      id: `${name}.write.unissued`,
      level: 'should',
      statement: `${statementOf[kind]}, R38, R49`,
      quote: 'A missing resource (in Get, Update, Create below it; Delete is in R28) must not be answered with 2xx',
      says: `Create below an unknown group and Update of an unknown ${name} are refused`,
      profile,
    },
    async ({ api, scratch, run, names }) => {
      const unknownUid = run.journal.lend(`${scratch.uid}/00000000000000aa`)
      const body = { name: names.fresh(), description: 'for no resource' }

      const answers = [
        await api.attempt[kind].create(unknownUid, body),
        await api.attempt[kind].update(unknownUid, body),
      ]

      for (const answer of answers) refused(answer, `a write to ${plural} at the unknown uid ${unknownUid}`)
    },
  )

  requirement(
    {
      id: `${name}.write.answer`,
      level: 'observe',
      statement: `${statementOf[kind]}, R49`,
      quote: 'Whether repos, tags and advisories can be written to is _observe_',
      says: `How writes to ${plural} at unknown uids are answered`,
      profile,
    },
    async ({ api, scratch, run, observe }) => {
      const unknownUid = run.journal.lend(`${scratch.uid}/00000000000000ab`)
      const { create, update, delete: remove } = api.attempt[kind]

      const answers = [await create(unknownUid, {}), await update(unknownUid, {}), await remove(unknownUid)]

      observe(answers.map((answer) => `${answer.exchange.operation}: ${outcomeOf(answer)}`).join('; '))
    },
  )
}
