import { expect } from 'vitest'
import { isObject, isReceived } from '../helpers/api/received.ts'
import { listedUids } from '../helpers/arrange/listings.ts'
import { bodyAs, countedAs, keptAs, sideBySide } from '../helpers/arrange/observed.ts'
import { childrenOf, claimMatchFor, deleteGroup } from '../helpers/arrange/scratch.ts'
import { outcomeOf } from '../helpers/assertions/refused.ts'
import { requirement } from '../helpers/case/requirement.ts'
import { succeeded } from '../helpers/http/call.ts'

const profile = 'identities'

requirement(
  {
    id: 'group.name.twice',
    level: 'observe',
    statement: 'S2.6, R3',
    says: 'What a name is answered that a sibling bears, and one that a cousin bears',
  },
  async ({ api, scratch, names, observe }) => {
    const name = names.fresh()
    const elsewhere = await scratch.makeGroup()
    await scratch.makeGroup({ name })

    const sibling = await api.attempt.groups.create(scratch.uid, { name })
    const cousin = await api.attempt.groups.create(elsewhere.uid, { name })

    observe(`of a sibling: ${outcomeOf(sibling)}; of a cousin: ${outcomeOf(cousin)}`)
  },
)

requirement(
  {
    id: 'group.name.again',
    level: 'observe',
    statement: 'S2.6, R3, R28',
    says: 'What the name of a deleted group is answered',
  },
  async ({ api, scratch, observe }) => {
    const gone = await scratch.makeGroup()
    await deleteGroup(api, scratch, gone.uid)

    observe(outcomeOf(await api.attempt.groups.create(scratch.uid, { name: gone.name })))
  },
)

requirement(
  {
    id: 'group.description.longest',
    level: 'observe',
    statement: 'S2.7, R54',
    says: 'How long a description may be beyond 200 characters',
  },
  async ({ api, scratch, names, observe }) => {
    const lengths = [201, 1_000, 10_000, 100_000]
    const describe = async (length: number) => {
      const description = 'd'.repeat(length)
      const answer = await api.attempt.groups.create(scratch.uid, { name: names.fresh(), description })
      return [String(length), succeeded(answer) ? keptAs('description', description)(answer) : outcomeOf(answer)]
    }

    const said = await Promise.all(lengths.map(describe))

    observe(said.map((pair) => pair.join(': ')).join('; '))
  },
)

/** Texts that are no ordinary description (R54), by what is odd about them. */
const odd = {
  'a line break': 'two\nlines',
  'a tab': 'a\ttab',
  'a zero': 'a\u0000zero',
  'half a surrogate pair': 'half \ud83d',
  'an emoji': 'a 🙂',
  'a decomposed accent': 'cafe\u0301',
  'outer blanks': '  outer  ',
  'a blank': ' ',
}

requirement(
  {
    id: 'group.description.odd',
    level: 'observe',
    statement: 'S2.7, R6, R54',
    says: 'What becomes of a description that is not an ordinary one',
  },
  async ({ api, scratch, names, observe }) => {
    const describe = async ([what, description]: [string, string]) => {
      const answer = await api.attempt.groups.create(scratch.uid, { name: names.fresh(), description })
      return [what, succeeded(answer) ? keptAs('description', description)(answer) : outcomeOf(answer)]
    }

    const said = await Promise.all(Object.entries(odd).map(describe))

    observe(said.map((pair) => pair.join(': ')).join('; '))
  },
)

requirement(
  {
    id: 'group.limits.content',
    level: 'observe',
    statement: 'S2.8, R46',
    says: 'Which limits a new group has, and whether limits can be sent',
  },
  async ({ api, scratch, names, observe }) => {
    const limits = Object.entries(scratch.group.resourceLimits ?? {}).sort()
    const resourceLimits = { clusters: 3 }

    const answer = await api.attempt.groups.create(scratch.uid, { name: names.fresh(), resourceLimits })

    const sent = succeeded(answer) ? keptAs('resourceLimits', resourceLimits)(answer) : outcomeOf(answer)
    const shown = limits.map(([limit, value]) => `${limit} ${JSON.stringify(value)}`).join(', ')
    observe(`new: ${shown || 'none'}; sent: ${sent}`)
  },
)

requirement(
  {
    id: 'group.uid.form',
    level: 'observe',
    statement: 'S2.2, R10',
    says: 'How long the segments of the uid of a group are, and how its digits are written',
  },
  async ({ scratch, observe }) => {
    const made = await scratch.makeGroups(12)
    const own = made.map(({ uid }) => uid.slice(scratch.uid.length + 1))
    const root = scratch.uid.split('/')[0] ?? ''

    const lengths = new Set(own.map(({ length }) => length))
    const each = lengths.size === 1 ? `${[...lengths]} digits` : 'different lengths'
    const letters = own.join('').replace(/[^a-z]/gi, '')
    const written = letters === letters.toLowerCase() ? 'small' : 'capital or mixed'
    observe(`first ${root.length} digits; then ${each}; letters ${written}`)
  },
)

requirement(
  {
    id: 'identity.uid.form',
    level: 'observe',
    statement: 'S2.1, R10',
    says: 'Whether the uids of identities and role bindings are paths below their group',
    profile,
  },
  async ({ scratch, observe }) => {
    const identity = await scratch.makeIdentity()
    const binding = await scratch.makeBinding(identity)

    const form = (uid: string) => (uid.startsWith(`${scratch.uid}/`) ? 'a path below its group' : 'no such path')
    observe(`identity: ${form(identity.uid)}; role binding: ${form(binding.uid)}`)
  },
)

requirement(
  {
    id: 'identity.claim-match.others',
    level: 'observe',
    statement: 'S2.11, R54',
    says: 'What an identity is answered without a claim match, with half of one, with that of another one, and with a pattern',
    profile,
  },
  async ({ api, scratch, names, observe }) => {
    const taken = await scratch.makeIdentity()
    const { issuer, subject } = claimMatchFor(names.fresh())
    const create = (claimMatch?: unknown) => {
      const name = names.fresh()
      return api.attempt.identities.create(scratch.uid, { name, description: name, claimMatch })
    }

    observe(
      await sideBySide({
        none: create(),
        empty: create({}),
        'without a subject': create({ issuer }),
        'of another one': create(taken.claimMatch),
        'a pattern': create({ issuer, subjectPattern: `${subject}.*` }),
      }),
    )
  },
)

requirement(
  {
    id: 'identity.delete.bound',
    level: 'observe',
    statement: 'S4.3, S4.5, R28',
    says: 'What Delete of an identity is answered that a role binding names, and whether the binding stays',
    profile,
  },
  async ({ api, scratch, settled, present, observe }) => {
    const identity = await scratch.makeIdentity()
    const binding = await scratch.makeBinding(identity)
    await present(api.attempt.roleBindings.list(scratch.children))

    const deleted = await api.attempt.identities.delete(identity.uid)
    const left = () => api.attempt.roleBindings.list(scratch.children)
    const goes = settled(async () => expect(listedUids('roleBindings', await left())).not.toContain(binding.uid))
    const whether = await goes.then(
      () => 'goes, too',
      () => 'stays',
    )

    observe(`${outcomeOf(deleted)}; the binding ${whether}`)
  },
)

requirement(
  {
    id: 'roleBinding.twice',
    level: 'observe',
    statement: 'S2.15, R54',
    says: 'What binding one identity twice to one role in one group is answered',
    profile,
  },
  async ({ api, scratch, observe }) => {
    const identity = await scratch.makeIdentity()
    const role = await scratch.anyRole()
    await scratch.makeBinding(identity, scratch.uid, role.uid)

    const body = { identityUid: identity.uid, roleUid: role.uid }
    observe(outcomeOf(await api.attempt.roleBindings.create(scratch.uid, body)))
  },
)

requirement(
  {
    id: 'roleBinding.outside',
    level: 'observe',
    statement: 'S2.15, S5.8',
    says: 'What binding an identity in a group beside its own, and above its own, is answered',
    profile,
  },
  async ({ api, scratch, observe }) => {
    const [home, beside] = await scratch.makeGroups(2)
    const [one, other] = await Promise.all([1, 2].map(() => scratch.makeIdentity({}, home!.uid)))
    const roleUid = (await scratch.anyRole()).uid
    const bind = (uid: string, group: string) => api.attempt.roleBindings.create(group, { identityUid: uid, roleUid })

    observe(await sideBySide({ beside: bind(one!.uid, beside!.uid), above: bind(other!.uid, scratch.uid) }))
  },
)

requirement(
  {
    id: 'role.count',
    level: 'observe',
    statement: 'S2.13, R50',
    says: 'How many roles there are, and whether a scope changes that',
    profile,
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
    id: 'service.success',
    level: 'observe',
    statement: 'S4.1, R27, R57',
    says: 'Which status each operation on groups has when it succeeds, and what a Delete holds',
  },
  async ({ api, scratch, names, observe }) => {
    const { groups } = api.attempt
    const created = await groups.create(scratch.uid, { name: names.fresh() })
    const uid = isReceived(created.json) ? created.json.uid : scratch.uid
    const got = await groups.get(uid)
    const updated = await groups.update(uid, { description: 'changed' })
    const listed = await groups.list(scratch.children)
    const deleted = await groups.delete(uid)

    const answers = { Create: created, Get: got, Update: updated, List: listed, Delete: deleted }
    const statuses = Object.entries(answers).map(([operation, answer]) => `${operation} ${outcomeOf(answer)}`)
    observe(`${statuses.join(', ')}; a Delete holds ${bodyAs(deleted)}`)
  },
)

requirement(
  {
    id: 'list.filter.empty',
    level: 'observe',
    statement: 'S4.10, R21',
    says: 'What an empty name filter lists, and one with outer blanks',
  },
  async ({ api, scratch, observe }) => {
    const [one] = await scratch.makeGroups(2)
    const list = (name: string) => api.attempt.groups.list({ ...scratch.children, name })

    observe(await sideBySide({ empty: list(''), 'outer blanks': list(` ${one!.name} `) }, countedAs('groups')))
  },
)
