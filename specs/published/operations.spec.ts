import { expect } from 'vitest'
import { describedKinds, isOfRegistry, isPublished, kinds, ownKinds } from '../../helpers/api/kinds.ts'
import { uids } from '../../helpers/api/received.ts'
import { contentOf } from '../../helpers/arrange/observed.ts'
import { got, mustBePresent, updated } from '../../helpers/arrange/optional-operations.ts'
import { mustBeTaken, publishedBody } from '../../helpers/arrange/published-bodies.ts'
import { childrenOf } from '../../helpers/arrange/scratch.ts'
import { same } from '../../helpers/assertions/equal.ts'
import { showOnly, stillShow, viewsOf } from '../../helpers/assertions/gone.ts'
import { accepted, outcomeOf, refused } from '../../helpers/assertions/refused.ts'
import { hasShape } from '../../helpers/assertions/schema.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { bodyLike } from '../../helpers/sts/claims.ts'

for (const kind of ownKinds.filter(isPublished)) {
  const { name, plural, schema, listSchema } = kinds[kind]
  const { one, many } = kinds[kind].label
  const header = { level: 'should', statement: 'S1.1, S1.2, R49' } as const

  requirement(
    {
      ...header,
      id: `${name}.create.answers`,
      quote: 'IdentityProviders, AccountAssociations and GroupInvites offers List, Get, Create, Update and Delete',
      says: `Create answers with the new ${one}, where the published body is accepted`,
    },
    async ({ api, scratch, names }) => {
      const body = await publishedBody(api, kind, names.fresh())

      const made = mustBeTaken(kind, await api.attempt[kind].create(scratch.uid, body))

      // a group invite has no name, yet some targets write an empty one
      const { name: sent = made.name } = body
      hasShape(made, schema)
      expect(made.name ?? sent, 'the name in the answer to Create').toBe(sent)
    },
  )

  requirement(
    {
      ...header,
      id: `${name}.list.answers`,
      statement: `${header.statement}, S4.16, R55`,
      quote:
        'A resource must be the same wherever it shows (in the answer to its create, in Get, in every list, embedded)',
      says: `List shows the ${many} of a group under "${plural}", as Create answered them`,
    },
    async ({ api, scratch, eventually }) => {
      mustBePresent(kind, 'list', await api.attempt[kind].list(scratch.children))
      const made = await scratch.makePublished(kind)

      await eventually(async () => {
        const page = await api[kind].list(scratch.children)
        hasShape(page.body, listSchema)
        expect(uids(page.items), `the listed ${many}`).toContain(made.uid)
        same(page.items.find(({ uid }) => uid === made.uid)!, made)
      })
    },
  )

  requirement(
    {
      ...header,
      id: `${name}.get.answers`,
      statement: `${header.statement}, R55`,
      quote:
        'A resource must be the same wherever it shows (in the answer to its create, in Get, in every list, embedded)',
      says: `Get answers with the ${one} whose uid was asked for, as Create answered it`,
    },
    async ({ api, scratch, eventually }) => {
      const made = await scratch.makePublished(kind)

      await eventually(async () => {
        const shown = await got(api, kind, made.uid)
        same(shown, made)
        hasShape(shown, schema)
      })
    },
  )

  requirement(
    {
      ...header,
      id: `${name}.delete.answers`,
      statement: `${header.statement}, S4.7, R27`,
      quote: 'A DELETE that succeeds answers with an empty body',
      says: `Delete of a new ${one} succeeds with an empty body`,
    },
    async ({ api, scratch }) => {
      const made = await scratch.makePublished(kind)

      const answer = await api.attempt[kind].delete(made.uid)

      mustBePresent(kind, 'delete', answer)
      accepted(answer, `Delete of a new ${one}`)
      expect(contentOf(answer), 'the body of the answer to Delete').toBe('')
    },
  )

  requirement(
    {
      ...header,
      id: `${name}.delete.gone`,
      statement: `${header.statement}, R28`,
      quote: 'IdentityProviders, AccountAssociations and GroupInvites offers List, Get, Create, Update and Delete',
      restsOn: ['list.scope.descendants'],
      says: `A deleted ${one} disappears from Get and from lists`,
    },
    async ({ api, scratch, eventually }) => {
      const doomed = await scratch.makePublished(kind)
      const home = (await scratch.makeGroup()).uid
      const other = await scratch.makePublished(kind, home)
      const views = await eventually(() => viewsOf(api, kind, scratch.descendants, doomed))
      const toOther = await eventually(() => viewsOf(api, kind, childrenOf(home), other))

      const deleted = await api.attempt[kind].delete(doomed.uid)

      mustBePresent(kind, 'delete', deleted)
      accepted(deleted, `Delete of a new ${one}`)
      await eventually(async () => {
        await showOnly(views, doomed)
        await stillShow(toOther, other)
      })
    },
  )
}

for (const kind of describedKinds.filter(isPublished)) {
  const { name, schema } = kinds[kind]
  const { one } = kinds[kind].label

  requirement(
    {
      id: `${name}.update.answers`,
      level: 'should',
      statement: `S1.1, S1.2, S4.28, R49`,
      quote: 'a PATCH answers the resource as it is after the update',
      says: `Update answers with the changed ${one}`,
    },
    async ({ api, scratch, eventually }) => {
      const made = await scratch.makePublished(kind)

      const changed = await eventually(() => updated(api, kind, made.uid, { description: 'another' }))

      hasShape(changed, schema)
      expect(changed.description, 'the description after the Update').toBe('another')
    },
  )
}

requirement(
  {
    id: 'groupInvite.update.answer',
    level: 'observe',
    statement: 'S1.2, R49',
    quote: 'AccountAssociations and GroupInvites offers List, Get, Create, Update and Delete',
    says: 'How Update of an unknown group invite is answered',
  },
  async ({ api, scratch, run, observe }) => {
    const unknownUid = run.journal.lend(`${scratch.uid}/00000000000000ad`)

    observe(outcomeOf(await api.attempt.groupInvites.update(unknownUid, { singleUse: false })))
  },
)

for (const kind of ownKinds.filter((kind) => kind !== 'groups' && !isOfRegistry(kind))) {
  const { name, listed } = kinds[kind]
  const { many } = kinds[kind].label
  requirement(
    {
      id: `${name}.create.missing`,
      level: kinds[kind].shown ? 'must' : 'should',
      statement: `${kind === 'roleBindings' ? 'S4.5' : kind === 'identities' ? 'S4.3' : 'S1.2'}, S1.7, R29, R38`,
      quote: 'A missing resource (in Get, Update, Create below it; Delete is in R28) must not be answered with 2xx',
      restsOn: ['list.page-size.maximum'],
      says: `Create of ${many} below an unknown group is refused`,
      profile: listed.profile,
    },
    async ({ api, scratch, run }) => {
      const unknownUid = run.journal.lend(`${scratch.uid}/00000000000000ae`)
      const body = await bodyLike(api, scratch, kind, run.names.fresh())

      refused(await api.attempt[kind].create(unknownUid, body), `Create of ${many} below the unknown uid ${unknownUid}`)
    },
  )
}
