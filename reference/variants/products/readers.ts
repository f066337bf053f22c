import type { At } from '../../domain/at.ts'
import type { Fields, Item } from '../../domain/item.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Variant, variant } from '../../fault.ts'
import { during, inV1, on, type Replacement, withRequest } from '../../replace.ts'

/** The identity whose API token the call brings. */
const holderOf = (at: At): Item | undefined => at.world.store.get('identities', at.caller?.subject ?? '')

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** A JSON body whose members are changed before it is read. */
const readAs =
  (change: (fields: Fields) => Fields | undefined): Replacement =>
  (contract) => ({
    body(bytes, at) {
      const fields = contract.body(bytes, at)
      return fields && change(fields)
    },
  })

/** A claim that is a number or a boolean, as text. */
const inText = (claim: unknown) => (typeof claim === 'number' || typeof claim === 'boolean' ? String(claim) : claim)

/** Words that another client of the organization has as names. */
const takenWords = new Set(['null', 'true', 'none', 'false', 'undefined', 'nan', 'inf', 'void', 'a', 'the', 'select'])

/** The roles whose holder an assumed identity may be to see all kinds. */
const coversAll = /admin|owner/

/** Rows that no role of an assumed identity covers are left out of its lists. */
const coveredByRole: Replacement = during('list', (contract) => ({
  belongs(item, at) {
    const [holder, { store }] = [holderOf(at), at.world]
    if (holder === undefined || item.kind === 'groups' || item.org === '') return contract.belongs(item, at)
    const isCovered = store
      .bindingsOf(holder.uid)
      .filter(({ parent }) => `${item.parent}/`.startsWith(`${parent}/`))
      .some(({ roleUid = '' }) => coversAll.test(store.get('roles', roleUid)?.name ?? ''))
    return isCovered && contract.belongs(item, at)
  },
}))

/** Lists for an assumed identity are joined to its rights, so that they go another way where no order is asked for. */
const joinedToRights: Replacement = during('list', (contract) => ({
  sortKey: (item, field, at) =>
    field === 'uid' && holderOf(at) ? [...item.uid].reverse().join('') : contract.sortKey(item, field, at),
  tiebreak: (a, b, at) => (holderOf(at) ? -1 : 1) * contract.tiebreak(a, b, at),
}))

/** Lawful ways to read what is sent, and to show to an assumed identity what its role covers (R3, R10, R19, R31, R41, R45). */
export const productReaderVariants: readonly Variant[] = [
  variant(
    'a number or a boolean in a claim match is read as text',
    readAs((fields) => {
      const { claimMatch } = fields
      if (!isObject(claimMatch)) return fields
      const { issuer, subject } = claimMatch
      return { ...fields, claimMatch: { ...claimMatch, issuer: inText(issuer), subject: inText(subject) } }
    }),
  ),
  variant(
    'names of groups have 3 to 63 characters and no punctuation at an end, and so has a filter by name',
    on('groups', (contract) => {
      const isName = (name: string) => /^[a-z0-9][a-z0-9 ._-]{1,61}[a-z0-9]$/.test(name) && !/[ ._-]{2}/.test(name)
      return {
        nameProblem: (name, at) =>
          contract.nameProblem(name, at) ?? (isName(String(name)) ? undefined : 'no such name is possible'),
        page(rest, skip, size, at) {
          if (!isName(at.query?.name ?? 'none')) throw new Refusal('invalid', 'filter', 'no such name is possible')
          return contract.page(rest, skip, size, at)
        },
      }
    }),
    ['group.name.accepts.unusual'],
  ),
  variant('an assumed identity sees no role bindings in a list', (contract) => ({
    belongs: (item, at) =>
      !(item.kind === 'roleBindings' && at.operation === 'list' && holderOf(at)) && contract.belongs(item, at),
  })),
  variant('in a list of identities an assumed one sees itself alone', (contract) => ({
    belongs(item, at) {
      const holder = item.kind === 'identities' && at.operation === 'list' ? holderOf(at) : undefined
      return (holder === undefined || holder.uid === item.uid) && contract.belongs(item, at)
    },
  })),
  variant('an assumed identity sees groups in a list, and all else where a role of an admin covers it', coveredByRole),
  variant('without an order a list goes another way for an assumed identity', joinedToRights),
  variant(
    'a page_size that is sent twice counts as absent',
    withRequest((request, contract) => ({
      pageSize(asked, cursor, at) {
        const sizes = new URL(request()?.url ?? '/', 'http://target.test').searchParams.getAll('page_size')
        return contract.pageSize(sizes.length > 1 ? 0 : asked, cursor, at)
      },
    })),
  ),
  variant(
    'a name that anybody has is no valid name, and some words are names of others',
    on('groups', (contract) => {
      const names = new Map<string, string>()
      return {
        nameTaken(wanted, at) {
          const owner = names.get(wanted.name)
          const isOthers = takenWords.has(wanted.name) || (owner !== undefined && owner !== wanted.uid)
          if (isOthers) throw new Refusal('invalid', 'name', 'it must be unique')
          return contract.nameTaken(wanted, at)
        },
        keep(item, at) {
          contract.keep(item, at)
          if (item.kind === 'groups') names.set(item.name, item.uid)
        },
        modify(steps, at) {
          const write = (next: Item) => {
            steps.write(next)
            if (next.kind === 'groups') names.set(next.name, next.uid)
          }
          return contract.modify({ ...steps, write }, at)
        },
      }
    }),
    ['group.name.accepts.unusual'],
  ),
  variant('of two equal members of a body the first counts', (contract) => ({
    body(bytes, at) {
      const fields = contract.body(bytes, at)
      const first = new Map<string, string>()
      for (const [, member = '', value = ''] of Buffer.from(bytes)
        .toString()
        .matchAll(/"(name|description)"\s*:\s*("(?:[^"\\]|\\.)*")/g))
        if (!first.has(member)) first.set(member, value)
      if (fields === undefined || at.over === 'grpc') return fields
      const flat = Object.entries(fields).map(([member, value]) => {
        const text = first.get(member)
        return [member, typeof value === 'string' && text ? JSON.parse(text) : value]
      })
      return Object.fromEntries(flat)
    },
  })),
  variant(
    'a uid in a body may be in capitals and between blanks',
    readAs((fields) => {
      const { identityUid, roleUid, ...others } = fields
      const plain = (uid: unknown) => (typeof uid === 'string' ? uid.trim().toLowerCase() : uid)
      return {
        ...others,
        ...(identityUid !== undefined && { identityUid: plain(identityUid) }),
        ...(roleUid !== undefined && { roleUid: plain(roleUid) }),
      }
    }),
  ),
  variant(
    'an update of v1 at a uid that nothing has is answered with nothing',
    inV1(
      during('update', (contract) => ({
        render(answer, at) {
          const shown = contract.render(answer, at)
          return shown.status === 404 ? { ...shown, status: 204, body: undefined } : shown
        },
      })),
    ),
  ),
  variant(
    'a body with null for its name cannot be read',
    readAs((fields) => (fields.name === null ? undefined : fields)),
  ),
]
