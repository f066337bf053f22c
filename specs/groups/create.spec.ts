import { expect } from 'vitest'
import { ownUids } from '../../helpers/api/own-items.ts'
import { isReceived, type Received, uids } from '../../helpers/api/received.ts'
import { childrenOf } from '../../helpers/arrange/scratch.ts'
import { unissuedUids } from '../../helpers/arrange/unknown-uids.ts'
import { same } from '../../helpers/assertions/equal.ts'
import { refused } from '../../helpers/assertions/refused.ts'
import { hasShape } from '../../helpers/assertions/schema.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

requirement(
  {
    id: 'group.create.shape',
    level: 'must',
    statement: 'S2.5, S2.6, S2.7, S2.8, S2.9, S2.4, R8, R46',
    quote: 'A member that the contract names must have its type',
    says: 'Create answers a group with the members and types of the contract',
  },
  async ({ api, scratch, names }) => {
    const created = await api.groups.create(scratch.uid, { name: names.fresh(), description: 'a group' })

    hasShape(created, 'group')
  },
)

requirement(
  {
    id: 'group.create.answers',
    level: 'must',
    statement: 'S4.1, S1.2',
    quote: 'Groups have List, Get, Create (under the parent named in the path), Update (by PATCH) and Delete',
    says: 'Create answers the new group with the name and description as sent',
  },
  async ({ api, scratch, names }) => {
    const sent = { name: names.fresh(), description: 'as sent' }

    const created = await api.groups.create(scratch.uid, sent)

    expect(created, 'the group in the answer to Create').toMatchObject(sent)
    expect(created.uid, 'the uid of the new group').not.toBe(scratch.uid)
  },
)

requirement(
  {
    id: 'group.create.persists',
    level: 'must',
    statement: 'S4.1, S4.2',
    quote: 'its parent is named in the path and nowhere else',
    restsOn: ['list.scope.children'],
    says: 'A new group is listed below the parent of the path and nowhere else',
  },
  async ({ api, scratch, run, names, eventually }) => {
    const [parent, other] = [await scratch.makeGroup(), await scratch.makeGroup()]

    const created = await api.groups.create(parent.uid, { name: names.fresh() })
    await eventually(async () => {
      const [inside, elsewhere] = [
        await api.groups.list(childrenOf(parent.uid)),
        await api.groups.list(childrenOf(other.uid)),
      ]
      expect(ownUids(inside.items, run), 'the children of the parent').toEqual([created.uid])
      expect(ownUids(elsewhere.items, run), 'the children of another group').toEqual([])
    })
  },
)

const withoutName = ({ uid }: Received) => ({ uid })

for (const [operation, call, tried] of [
  ['get', 'Get of', (made: Received) => made],
  // nothing is written to a name: no uid says whose group that is
  ['update', 'Update of', withoutName],
  ['create', 'Create below', withoutName],
] as const) {
  requirement(
    {
      id: `group.${operation}.missing`,
      level: 'must',
      statement: 'S4.1, S2.1, R38',
      quote: 'A missing resource (in Get, Update, Create below it; Delete is in R28) must not be answered with 2xx',
      restsOn: ['list.page-size.maximum', 'group.update.time.advances'],
      says: `${call} an unknown group uid is refused, even one that resembles a real uid`,
    },
    async ({ api, scratch, names, run, eventually, skip, atLeast }) => {
      const made = await scratch.makeKnown()
      const unissued = (await unissuedUids(api, tried(made), scratch.uid)).map((uid) => run.journal.lend(uid))
      const body = { name: names.fresh(), description: 'for nobody' }
      atLeast(1, 'uids that were never issued', unissued.length)

      const answers = await Promise.all(
        unissued.map((uid) =>
          operation === 'get' ? api.attempt.groups.get(uid) : api.attempt.groups[operation](uid, body),
        ),
      )
      const { items } = await api.groups.list({ ...scratch.descendants, page_size: 200 })

      for (const [index, answer] of answers.entries()) {
        const shown = operation !== 'create' && (answer.json as { uid?: unknown })?.uid === unissued[index]
        // a Get that lags does not know what another case has made
        skip(shown || run.journal.made(unissued[index]!), `${unissued[index]} exists after all`)
        refused(answer, `${call} the unknown uid ${unissued[index]}`)
      }
      expect(
        items.map(({ name }) => name),
        'the names in the scratch group',
      ).not.toContain(body.name)
      await eventually(async () => same(await api.groups.get(made.uid), made, 'updateTime'))
    },
  )
}

requirement(
  {
    id: 'group.create.many',
    formerly: ['group.uid.distinct'],
    level: 'must',
    statement: 'S2.1, S4.1, S2.7, R55',
    quote: 'A resource must be the same wherever it shows',
    restsOn: ['list.page-size.maximum'],
    says: 'Each of many groups accepted at once keeps its own uid, name and description',
  },
  async ({ api, scratch, run, names, eventually, atLeast }) => {
    const sent = names.several(18).map((name) => ({ name, description: `of ${name}` }))

    const answers = await Promise.all(sent.map((body) => api.attempt.groups.create(scratch.uid, body)))

    const accepted = answers.filter(succeeded)
    atLeast(1, 'groups that were accepted', accepted.length)
    const asSent = sent.flatMap((body, index) => (succeeded(answers[index]!) ? [expect.objectContaining(body)] : []))
    const made = accepted.map(({ json }) => json).filter(isReceived)
    expect(made, 'the groups in the answers to Create').toEqual(asSent)
    expect(new Set(uids(made)).size, 'the number of different uids').toBe(made.length)
    await eventually(async () => {
      const got = await Promise.all(made.map(({ uid }) => api.groups.get(uid)))
      expect(got, 'the groups in the answers to Get').toEqual(asSent)
      const { items } = await api.groups.list({ ...scratch.children, page_size: 200 })
      const listed = made.map(({ uid }) => items.find((item) => item.uid === uid))
      expect(listed, 'the groups in the list').toEqual(asSent)
      expect(ownUids(items, run).sort(), 'the groups in the list, each once').toEqual(uids(made).sort())
    })
  },
)

requirement(
  {
    id: 'group.create.failed-leaves-nothing',
    level: 'must',
    statement: 'S7.5, S4.18, R29',
    quote:
      'A failed create must leave nothing behind (no such name among the children of the parent, the count unchanged)',
    restsOn: ['group.name.refuses.empty', 'list.scope.descendants'],
    says: 'A refused create leaves no child, count or name behind',
  },
  async ({ api, scratch, run, names, eventually }) => {
    const bad = { name: `${names.fresh()}@b`, description: 'left behind' }
    const kept = await scratch.makeGroup()

    const bodies = [bad, { description: bad.description }, { name: null, description: bad.description }]
    const answers = await Promise.all(bodies.map((body) => api.attempt.groups.create(scratch.uid, body)))

    for (const answer of answers) refused(answer, 'a create without a good name')
    await eventually(async () => {
      for (const scope of [scratch.children, scratch.descendants]) {
        const page = await api.groups.list({ ...scope, page_size: 200 })
        const left = page.items.filter(
          ({ name, description }) => !name || name === bad.name || description === bad.description,
        )
        expect(left, 'the groups left behind by refused creates').toEqual([])
        const shown = ownUids(page.items, run).filter((uid) => uid !== scratch.uid)
        expect(shown, 'the groups of the case').toEqual([kept.uid])
        expect(page.totalCount, 'the total beside all that is listed').toBe(String(page.items.length))
      }
    })
  },
)
