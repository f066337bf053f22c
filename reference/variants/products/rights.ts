import type { At, Cursor } from '../../domain/at.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Variant, variant } from '../../fault.ts'
import { readToken } from '../../identity/tokens.ts'
import { during, inV1, overGrpc, type Replacement, when } from '../../replace.ts'

const forbidden = () => new Refusal('forbidden', 'rights', 'you may not do this')

const inside = (uid: string, group: string) => `${uid}/`.startsWith(`${group}/`)

/** The groups in which an identity has a role, once it has had it for so long; undefined for other callers. */
function reach({ world, caller }: At, age: number): readonly string[] | undefined {
  const identity = world.store.get('identities', caller?.subject ?? '')
  if (!identity) return undefined
  const old = world.store.bindingsOf(identity.uid).filter(({ createTime }) => createTime <= world.now() - age)
  return old.map(({ parent }) => parent)
}

/** What an identity has no role for is not there (R41): its lists are empty, and a Get finds nothing. */
const unseen =
  (age: number): Replacement =>
  (contract) => ({
    belongs(item, at) {
      const groups = reach(at, age)
      const place = item.kind === 'groups' ? item.uid : item.parent
      const isReached = groups === undefined || item.org === '' || groups.some((group) => inside(place, group))
      return isReached && contract.belongs(item, at)
    },
  })

/** An API token has the rights of the moment when it was exchanged. */
const rightsAtExchange: Replacement = (contract) => {
  const granted = new Map<string, readonly string[]>()
  const of = new WeakMap<object, readonly string[]>()
  return {
    issued(token, at) {
      const shown = contract.issued(token, at)
      const { sub = '' } = readToken(token)?.claims ?? {}
      if (at.world.store.get('identities', sub) === undefined) return shown
      granted.set(
        shown,
        at.world.store.bindingsOf(sub).map(({ parent }) => parent),
      )
      return shown
    },
    async authenticate(token, reader, at) {
      const caller = await contract.authenticate(token, reader, at)
      const groups = granted.get(token)
      if (caller === undefined || groups === undefined) return caller
      const own = { ...caller }
      of.set(own, groups)
      return own
    },
    objection(uid, at) {
      const groups = at.caller && of.get(at.caller)
      const isReached = groups === undefined || groups.some((group) => inside(uid, group))
      return isReached || at.kind === 'roles' ? contract.objection(uid, at) : forbidden()
    },
  }
}

/** Lawful rights that are missing, late, or seen as what is not there (R41, R56). */
export const rightsVariants: readonly Variant[] = [
  variant(
    'nobody may get a group',
    when(({ kind, operation }) => kind === 'groups' && operation === 'get', { objection: forbidden }),
  ),
  variant(
    'nobody may make an identity',
    when(({ kind, operation }) => kind === 'identities' && operation === 'create', { objection: forbidden }),
  ),
  variant('nothing but groups is served over gRPC', () => ({ grpcServes: ({ kind }) => kind === 'groups' })),
  variant(
    'nobody may write over gRPC',
    overGrpc(when(({ operation }) => ['create', 'update', 'delete'].includes(operation), { objection: forbidden })),
  ),
  variant('what an identity has no role for is not there', unseen(0)),
  variant('what an identity has no role for is not there, and a role is seen two seconds late', unseen(2_000)),
  variant(
    'v1 shows an identity only the groups in which it is bound itself',
    inV1((contract) => ({
      belongs(item, at) {
        const groups = item.kind === 'groups' ? reach(at, 0) : undefined
        return contract.belongs(item, at) && groups?.includes(item.uid) !== false
      },
    })),
  ),
  variant('an API token has the rights of the moment when it was exchanged', rightsAtExchange),
  variant('an identity that has a role in a group gets it in no group below', (contract) => ({
    nameTaken: (wanted, at) =>
      contract.nameTaken(wanted, at) ||
      (wanted.kind === 'roleBindings' &&
        at.operation === 'create' &&
        at.world.store
          .bindingsOf(wanted.identityUid ?? '')
          .some(({ roleUid, parent }) => roleUid === wanted.roleUid && inside(wanted.parent, parent))),
  })),
  variant('the API tokens of a deleted identity end with it', (contract) => ({
    async authenticate(token, reader, at) {
      const caller = await contract.authenticate(token, reader, at)
      const isOfIdentity = caller?.subject.includes('/') === true
      return isOfIdentity && !at.world.store.get('identities', caller!.subject) ? undefined : caller
    },
  })),
  variant('a page token is for its caller alone', (contract) => ({
    cursor: (last, key, order, skipped, now, at) => ({
      ...contract.cursor(last, key, order, skipped, now, at),
      caller: at.caller?.subject,
    }),
    cursorFits: (cursor: Cursor, order, at) =>
      contract.cursorFits(cursor, order, at) && cursor.caller === at.caller?.subject,
  })),
  variant(
    'nobody may delete what is younger than a second and a half',
    during('delete', (contract) => ({
      objection(uid, at) {
        const item = at.kind === 'none' ? undefined : at.world.store.get(at.kind, uid)
        const isYoung = item !== undefined && at.world.now() - item.createTime < 1_500
        return isYoung ? forbidden() : contract.objection(uid, at)
      },
    })),
  ),
]
