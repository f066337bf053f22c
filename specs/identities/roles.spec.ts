import { expect } from 'vitest'
import { isObject, isReceived, type Received, uids } from '../../helpers/api/received.ts'
import { got } from '../../helpers/arrange/optional-operations.ts'
import { childrenOf } from '../../helpers/arrange/scratch.ts'
import { same } from '../../helpers/assertions/equal.ts'
import { outcomeOf, refused } from '../../helpers/assertions/refused.ts'
import { hasShape } from '../../helpers/assertions/schema.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

requirement(
  {
    id: 'role.list.answers',
    level: 'must',
    statement: 'S4.4, S2.13, S4.16',
    quote: 'Roles can be listed without any scope parameter',
    says: 'List shows roles without any scope parameter',
  },
  async ({ api }) => {
    const page = await api.roles.list({})

    expect(page.items.length, 'how many roles are listed').toBeGreaterThan(0)
  },
)

requirement(
  {
    id: 'role.list.shape',
    level: 'must',
    statement: 'S2.3, S2.13, S4.16, S4.17, S4.18, R8, R9',
    quote: 'it has `uid`, `name` and `description`',
    says: 'A list of roles has the members and types of the contract',
  },
  async ({ api, atLeast }) => {
    const { items, body } = await api.roles.list({})

    hasShape(body, 'role-list')
    atLeast(1, 'roles', items.length)
  },
)

requirement(
  {
    id: 'role.viewer',
    level: 'must',
    statement: 'S2.13, R9',
    quote: 'some roles are built in, among them `viewer`, whose description calls it a built-in viewer role',
    says: 'A built-in role named viewer has a description',
  },
  async ({ withPopulation }) => {
    await withPopulation('roles', async ({ items }) => {
      const viewers = items.filter(({ name }) => name === 'viewer')

      // an organization may have another viewer of its own
      expect(
        viewers.map(({ description }) => description),
        'the descriptions of the roles named viewer',
      ).toContainEqual(expect.stringMatching(/./))
    })
  },
)

requirement(
  {
    id: 'role.times',
    level: 'should',
    statement: 'S2.4, R1',
    quote: 'Every resource has `createTime` and `updateTime`',
    says: 'A role has createTime and updateTime like every resource',
  },
  async ({ api }) => {
    const { items } = await api.roles.list({})

    expect(items[0] ?? 'no role', 'the first role of the list').toMatchObject({
      createTime: expect.any(String),
      updateTime: expect.any(String),
    })
  },
)

requirement(
  {
    id: 'role.count',
    level: 'observe',
    statement: 'S2.13, R50',
    quote: 'There may be any number of roles, three or hundreds',
    says: 'How many roles there are, with and without a scope',
  },
  async ({ api, scratch, observe }) => {
    const all = await api.roles.list({ page_size: 1 })
    const scoped = await api.attempt.roles.list({ ...childrenOf(scratch.uid), page_size: 1 })

    const total = isObject(scoped.json) ? scoped.json.totalCount : undefined
    const within = succeeded(scoped) ? `${total === all.totalCount ? 'the same' : String(total)}` : outcomeOf(scoped)
    observe(`${String(all.totalCount)}; within a scope: ${within}`)
  },
)

requirement(
  {
    id: 'role.get.answers',
    level: 'should',
    statement: 'S1.2, S2.13, R49, R55',
    quote:
      'A resource must be the same wherever it shows (in the answer to its create, in Get, in every list, embedded)',
    says: 'Get answers with the role whose uid was asked for, as List shows it',
  },
  async ({ api, withPopulation }) => {
    await withPopulation('roles', async ({ items }) => {
      const [first, last] = [items[0]!, items.at(-1)!]

      same(await got(api, 'roles', first.uid), first)
      same(await got(api, 'roles', last.uid), last)
    })
  },
)

requirement(
  {
    id: 'role.get.missing',
    level: 'should',
    statement: 'S1.2, S2.3, S2.13, R38, R49',
    quote: 'A missing resource (in Get, Update, Create below it; Delete is in R28) must not be answered with 2xx',
    says: 'Get of a role is refused by name, and by a uid that is longer or shorter',
  },
  async ({ api, withPopulation }) => {
    await withPopulation('roles', async ({ items }) => {
      const [{ uid, name }] = items as [Received]
      // if the target has no Get, the refusal of a uid says nothing
      await got(api, 'roles', uid)
      const similar = [`${uid}0`, uid.slice(0, -1), uid.slice(0, 8), `${uid}/${uid.slice(-16)}`, String(name)]
      // a path without a uid is that of the list (R57)
      const unknown = similar.filter((one) => one !== '' && !uids(items).includes(one))

      const answers = await Promise.all(unknown.map((one) => api.attempt.roles.get(one)))

      const others = answers.filter(({ json }, index) => !isReceived(json) || json.uid !== unknown[index])
      for (const answer of others) refused(answer, 'Get of an unknown role uid')
    })
  },
)

requirement(
  {
    id: 'role.write.answer',
    level: 'observe',
    statement: 'S1.2, S2.13, R49',
    quote:
      'Roles, RoleBindings, IdentityProviders, AccountAssociations and GroupInvites offers List, Get, Create, Update and Delete',
    says: 'How writes to roles at unknown uids are answered',
  },
  async ({ api, scratch, run, observe }) => {
    const unknownUid = run.journal.lend(`${scratch.uid}/00000000000000ac`)
    const { create, update, delete: remove } = api.attempt.roles

    const answers = [await create(unknownUid, {}), await update(unknownUid, {}), await remove(unknownUid)]

    observe(answers.map((answer) => `${answer.exchange.operation}: ${outcomeOf(answer)}`).join('; '))
  },
)
