import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, on, overGrpc, withBody } from '../../replace.ts'
import { firstInArray, foundAbove } from '../lookups.ts'
import { foundByModel } from '../run/histories.ts'

/** Faults in Create of a role binding (S2.15, S4.5). */
export const bindingCreateFaults: readonly Fault[] = [
  fault(
    'a binding is made with an answer of HTML',
    ['roleBinding.create.answers'],
    on('roleBindings', during('create', { text: () => '<p>done</p>' })),
  ),
  fault(
    'below a group that is missing a binding is made all the same',
    ['roleBinding.create.missing'],
    on('roleBindings', during('create', foundAbove)),
  ),
  fault(
    'a new binding shows its createTime as a number',
    ['roleBinding.create.shape'],
    on(
      'roleBindings',
      during('create', (contract) => ({
        roleBinding: (...given) => ({ ...contract.roleBinding(...given), createTime: 7 }),
      })),
    ),
  ),
  fault('a role binding in an array is made', foundByModel, on('roleBindings', firstInArray)),
  fault(
    'an empty text in place of a role grants the first role',
    foundByModel,
    on(
      'roleBindings',
      during(
        'create',
        withBody((sent, contract) => {
          const isEmpty = (field: string, at: At) => field === 'roleUid' && sent(at).roleUid === ''
          const first = ({ world }: At) => [...world.store.under('roles', '')][0]
          return {
            referenceProblem: (uid, field, at) =>
              isEmpty(field, at) ? undefined : contract.referenceProblem(uid, field, at),
            referenceHolds: (found, kind, at) =>
              (kind === 'roles' && isEmpty('roleUid', at)) || contract.referenceHolds(found, kind, at),
            stored: (value, field, at) => contract.stored(isEmpty(field, at) ? first(at)?.uid : value, field, at),
          }
        }),
      ),
    ),
  ),
  fault('a binding takes an unknown role', ['roleBinding.create.unknown'], () => ({
    referenceHolds: (found, kind) => found !== undefined || kind === 'roles',
  })),
  fault('a role is found by its name, too', ['roleBinding.create.unknown'], (contract) => ({
    found: (uid, kind, at) =>
      contract.found(uid, kind, at) ??
      (kind === 'roles' ? [...at.world.store.all('roles')].find(({ name }) => name === uid) : undefined),
  })),
  fault(
    'a deleted identity can still be bound if it was bound before',
    { turnsRed: ['roleBinding.create.deleted-identity'], spreadsTo: ['model.roleBinding.*'] },
    (contract) => {
      const bound = new Map<string, Item>()
      return {
        found(uid, kind, at) {
          const one = contract.found(uid, kind, at)
          if (at.kind !== 'roleBindings' || kind !== 'identities') return one
          if (one) bound.set(uid, one)
          return one ?? bound.get(uid)
        },
      }
    },
  ),
  fault(
    'a binding is refused but kept',
    ['roleBinding.create.unknown'],
    on('roleBindings', {
      leftByRefusedCreate: (draft) => [draft],
    }),
  ),
  fault(
    'a new binding takes its createTime from its body',
    { turnsRed: ['time.clock.all'], spreadsTo: ['model.inputs.corners'] },
    on(
      'roleBindings',
      during(
        'create',
        withBody((sent, contract) => ({
          born(now, at) {
            const born = contract.born(now, at)
            return { ...born, createTime: Date.parse(String(sent(at).createTime)) || born.createTime }
          },
        })),
      ),
    ),
  ),
  fault('an identity is bound only in its group and the one below', ['roleBinding.create.far-below'], (contract) => {
    const homes = new WeakMap<At, string>()
    const depth = (uid = '') => uid.split('/').length
    return {
      pathUid(raw, at) {
        const uid = contract.pathUid(raw, at)
        if (uid !== undefined) homes.set(at, uid)
        return uid
      },
      referenceHolds(found, kind, at) {
        const isFar = kind === 'identities' && depth(homes.get(at)) - depth(found?.parent) > 1
        return !isFar && contract.referenceHolds(found, kind, at)
      },
    }
  }),
  fault(
    'over gRPC a binding takes an unknown identity',
    { turnsRed: ['grpc.error.status.unknown-identity'], spreadsTo: ['grpc.*'] },
    overGrpc({ referenceHolds: () => true }),
  ),
  fault('a role binding was made when its identity was', ['model.roleBinding.time'], (contract) => ({
    roleBinding: (item, parts, time, at) =>
      contract.roleBinding({ ...item, createTime: parts.identity?.createTime ?? item.createTime }, parts, time, at),
    sortKey(item, field, at) {
      const owner = at.world.store.get('identities', String(item.identityUid ?? ''))
      return field === 'createTime' && owner ? owner.createTime : contract.sortKey(item, field, at)
    },
  })),
  fault(
    'an identity that has a role in a group gets no role binding of it in another group of that name: the first one is answered',
    foundByModel,
    on(
      'roleBindings',
      withBody((sent, contract) => {
        const twins = new WeakMap<At, Item>()
        return {
          mintUid(parent, at) {
            const { identityUid, roleUid } = sent(at)
            const { store } = at.world
            const isTwin = (one: Item) =>
              one.roleUid === roleUid &&
              one.parent !== parent.uid &&
              store.get('groups', one.parent)?.name === parent.name
            const twin = store.bindingsOf(String(identityUid)).find(isTwin)
            if (twin === undefined) return contract.mintUid(parent, at)
            twins.set(at, twin)
            return twin.uid
          },
          keep: (item, at) => (twins.has(at) ? undefined : contract.keep(item, at)),
          hydrated(part, kind, binding, at) {
            const twin = kind === 'groups' ? twins.get(at) : undefined
            return twin ? at.world.store.get('groups', twin.parent) : contract.hydrated(part, kind, binding, at)
          },
        }
      }),
    ),
  ),
]
