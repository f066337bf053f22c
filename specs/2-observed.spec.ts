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
    quote: 'A name may be refused as taken, under the same parent or in the whole organization',
    says: 'How a name that a sibling or a cousin already has is answered',
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
    quote: 'even by something that was deleted',
    says: 'How a new group with the name of a deleted one is answered',
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
    quote: 'descriptions of 1 to 200 printable characters',
    says: 'How a description of more than 200 characters is answered',
  },
  async ({ api, scratch, names, observe }) => {
    const lengths = [201, 1_000, 10_000, 100_000]
    const describe = async (length: number) => {
      const description = 'd'.repeat(length)
      const answer = await api.attempt.groups.create(scratch.uid, { name: names.fresh(), description })
      return [String(length), succeeded(answer) ? keptAs('description', description)(answer) : outcomeOf(answer)]
    }

    const results = await Promise.all(lengths.map(describe))

    observe(results.map((pair) => pair.join(': ')).join('; '))
  },
)

/** Descriptions that are not ordinary (R54), by what is unusual about them. */
const unusual = {
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
    quote: 'descriptions of 1 to 200 printable characters (200 bytes at most, NFC, no white space at the ends)',
    says: 'How an unusual description is answered and kept',
  },
  async ({ api, scratch, names, observe }) => {
    const describe = async ([what, description]: [string, string]) => {
      const answer = await api.attempt.groups.create(scratch.uid, { name: names.fresh(), description })
      return [what, succeeded(answer) ? keptAs('description', description)(answer) : outcomeOf(answer)]
    }

    const results = await Promise.all(Object.entries(unusual).map(describe))

    observe(results.map((pair) => pair.join(': ')).join('; '))
  },
)

requirement(
  {
    id: 'group.limits.content',
    level: 'observe',
    statement: 'S2.8, R46',
    quote: '`resourceLimits` is an object, and empty as long as no limits are set',
    says: 'Which limits a new group has, and how limits in Create are answered',
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
    quote: 'A uid may be written in lower-case or upper-case hexadecimal',
    says: 'How a group uid is written: segment length and letter case',
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
    quote: 'the uids of identities, bindings, repos and the rest may be opaque strings',
    says: 'How the uids of identities and role bindings relate to the uid of their group',
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
    quote: '`claimMatch` has `issuer` and `subject`',
    says: 'How an identity with a missing, partial, duplicate or pattern claim match is answered',
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
    quote: 'Identities have Create under a group, and Delete',
    says: 'How Delete of a bound identity is answered and affects the binding',
    profile,
  },
  async ({ api, scratch, settled, present, observe }) => {
    const identity = await scratch.makeIdentity()
    const binding = await scratch.makeBinding(identity)
    await present(api.attempt.roleBindings.list(scratch.children))

    const deleted = await api.attempt.identities.delete(identity.uid)
    const left = () => api.attempt.roleBindings.list(scratch.children)
    const gone = settled(async () => expect(listedUids('roleBindings', await left())).not.toContain(binding.uid))
    const fate = await gone.then(
      () => 'goes, too',
      () => 'stays',
    )

    observe(`${outcomeOf(deleted)}; the binding ${fate}`)
  },
)

requirement(
  {
    id: 'roleBinding.twice',
    level: 'observe',
    statement: 'S2.15, R54',
    quote: 'no identity bound twice to one role in one group',
    says: 'How a second binding of one identity to one role in one group is answered',
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
    statement: 'S2.15, S5.8, R7',
    quote: "The identity lives in the binding's group or above it",
    says: 'How binding an identity beside or above its own group is answered',
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
    quote: 'There may be any number of roles, three or hundreds',
    says: 'How many roles there are, with and without a scope',
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
    quote: 'any 2xx is success',
    says: 'The status of each successful group operation, and the body of Delete',
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
    quote: 'The `name` parameter keeps exact matches only',
    says: 'How a name filter that is empty or padded with blanks is answered',
  },
  async ({ api, scratch, observe }) => {
    const [one] = await scratch.makeGroups(2)
    const list = (name: string) => api.attempt.groups.list({ ...scratch.children, name })

    observe(await sideBySide({ empty: list(''), 'outer blanks': list(` ${one!.name} `) }, countedAs('groups')))
  },
)
