import { randomBytes, randomUUID } from 'node:crypto'
import type { At } from '../../domain/at.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Variant, variant } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'

/** Uids of everything that is made, except for groups (R10). */
const named =
  (name: (at: At) => string): Replacement =>
  (contract) => ({
    mintUid: (parent, at) => (at.kind === 'groups' ? contract.mintUid(parent, at) : name(at)),
  })

/** A uid in a path or a body that has not this form is a bad request, before anything is looked up (R38). */
const formed =
  (form: RegExp): Replacement =>
  (contract) => ({
    objection: (uid, at) =>
      at.kind === 'identities' && ['get', 'update', 'delete'].includes(at.operation) && !form.test(uid)
        ? new Refusal('invalid', 'uid', 'it is no uid')
        : contract.objection(uid, at),
    referenceProblem: (uid, field, at) =>
      contract.referenceProblem(uid, field, at) ??
      (field === 'identityUid' && !form.test(String(uid)) ? 'it is no uid' : undefined),
  })

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const mixed = (text: string) => [...text].map((sign, at) => (at % 2 ? sign.toUpperCase() : sign)).join('')

const seeded = ({ world: { store } }: At, uid: string) =>
  (['groups', 'identities', 'roleBindings'] as const).some((kind) => store.get(kind, uid) !== undefined)

/** Each uid is its parent's and the next number, in hexadecimal. */
const counted = (next: (parent: string) => number): Rules['mintUid'] => {
  return (parent, at) => {
    for (;;) {
      const uid = `${parent.uid}/${next(parent.uid).toString(16)}`
      if (!seeded(at, uid)) return uid
    }
  }
}

/** Lawful uids, as databases and frameworks make them (R10, R38). */
export const uidVariants: readonly Variant[] = [
  variant(
    'uids are ULIDs, except for groups',
    named(() => [...randomBytes(26)].map((byte) => crockford[byte % 32]).join('')),
  ),
  variant('identities and bindings have UUIDs, and any other form is a bad request', (contract) => {
    const own = named(() => randomUUID())(contract)
    return { ...own, ...formed(uuid)({ ...contract, ...own }) }
  }),
  variant('identities and bindings have UUIDs that are read in any case, with or without hyphens', (contract) => ({
    ...named(() => randomUUID())(contract),
    pathUid(raw, at) {
      const uid = contract.pathUid(raw, at)
      const digits = (uid ?? '').toLowerCase().replace(/[{}-]/g, '')
      if (!/^[0-9a-f]{32}$/.test(digits)) return uid
      return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    },
  })),
  variant(
    'uids are in base64 with slashes, pluses and equals signs, except for groups',
    named(() => {
      // a path with an empty segment is another one to many gateways
      const text = randomBytes(13).toString('base64').replaceAll('/', '+')
      return `${text.slice(1, 5)}/${text.slice(5, 9)}+${text.slice(9)}`
    }),
  ),
  variant(
    'uids are names of resources in an organization, except for groups',
    named((at) => `organizations/1/${at.kind}/${randomBytes(8).toString('hex')}`),
  ),
  variant(
    'uids are URNs, except for groups',
    named((at) => `urn:iam:${at.kind}:${randomUUID()}`),
  ),
  variant('the last part of a uid counts what was made in its group', () => {
    const counts = new Map<string, number>()
    const next = (parent: string) => {
      counts.set(parent, (counts.get(parent) ?? 0) + 1)
      return counts.get(parent)!
    }
    return { mintUid: counted(next) }
  }),
  variant('the last part of a uid counts what was made anywhere', () => {
    let count = 0xfff
    return { mintUid: counted(() => ++count) }
  }),
  variant(
    'the last part of a uid counts what was made anywhere, and Get shows it two seconds late',
    (contract) => {
      let count = 0xfff
      return {
        mintUid: counted(() => ++count),
        seen: (item, at) =>
          at.operation === 'get' && item.org !== '' && item.createTime > at.world.now() - 2_000
            ? undefined
            : contract.seen(item, at),
      }
    },
    ['service.lag.get', 'v1.lag'],
    'may warn',
  ),
  variant('digits above nine are capitals by turns', (contract) => ({
    mintUid: (parent, at) => `${parent.uid}/${mixed(contract.mintUid(parent, at).slice(parent.uid.length + 1))}`,
  })),
  variant(
    'uids are twenty letters and digits, except for groups',
    named(() => [...randomBytes(20)].map((byte) => base62[byte % 62]).join('')),
  ),
  variant('identities have the uids of roles, as far as there are so many', (contract) => {
    let next = 0
    return {
      mintUid(parent, at) {
        const role = at.kind === 'identities' ? [...at.world.store.all('roles')][next++] : undefined
        return role?.uid ?? contract.mintUid(parent, at)
      },
    }
  }),
  variant('uids are a time and a count, as those of documents are, except for groups', (contract) => {
    let count = 0x8f3a01
    const seconds = ({ world }: At) => Math.floor(world.now() / 1_000).toString(16)
    return named((at) => `${seconds(at)}c0ffee1234${(count++).toString(16)}`)(contract)
  }),
]
