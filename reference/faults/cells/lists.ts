import type { At } from '../../domain/at.ts'
import type { Kind } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { overGrpc, type Replacement, when } from '../../replace.ts'
import { foundByDoors } from '../doors/doors.ts'
import { foundByModel } from '../run/histories.ts'

const listOf = (kind: Kind) => (at: At) => at.kind === kind && at.query !== undefined

// a size of 50 that is asked for is the same
const isUnsized = ({ query }: At) => query?.size === 50

/** A page of some lists holds so many where no size is asked for. */
const unsizedHolds = (size: number, kind: Kind, applies: (at: At) => boolean): Replacement =>
  when(
    (at) => listOf(kind)(at) && isUnsized(at) && applies(at),
    (contract) => ({ page: (rest, skip, _size, at) => contract.page(rest, skip, size, at) }),
  )

/** Later pages of some lists come in the default order, and go on by number. */
const laterInDefaultOrder = (kind: Kind, applies: (at: At) => boolean): Replacement =>
  when(
    (at) => listOf(kind)(at) && at.query?.cursor !== undefined && applies(at),
    (contract) => ({
      sorted: (items, _compare, at) => contract.sorted(items, (a, b) => (a.uid < b.uid ? -1 : 1), at),
      rest: (sorted, _place, _cursor, at) => sorted.slice((at.page - 1) * (at.query?.size ?? 50)),
    }),
  )

const skipsNothing = (kind: Kind, applies: (at: At) => boolean): Replacement =>
  when((at) => listOf(kind)(at) && applies(at), { skipApplied: () => 0 })

/** True for the caller of an exchanged token. */
const isAssumed = (at: At) => at.world.store.get('identities', at.caller?.subject ?? '') !== undefined

const [isByTime, isByName] = ['createTime', 'name'].map(
  (field) =>
    ({ query }: At) =>
      query?.order.field === field,
) as [(at: At) => boolean, (at: At) => boolean]
const descends = ({ query }: At) => query?.order.descending === true
const isShallow = ({ query }: At) => query?.childrenOf !== undefined
const isNamed = ({ query }: At) => query?.name !== undefined

/** Faults in lists whose parameters, kind, protocol and reader come together (S4.11 to S4.25, S8.1). */
export const listCellFaults: readonly Fault[] = [
  fault(
    'a page of groups of one name holds a hundred where no size is asked',
    foundByModel,
    unsizedHolds(100, 'groups', isNamed),
  ),
  fault(
    'below a group later pages of groups hold a hundred where no size is asked',
    foundByModel,
    unsizedHolds(100, 'groups', (at) => !isShallow(at) && at.page > 1),
  ),
  fault(
    'below a group a page of identities in descending order holds a hundred where no size is asked',
    foundByModel,
    unsizedHolds(100, 'identities', (at) => !isShallow(at) && descends(at)),
  ),
  fault(
    'of the identity providers right in a group a page of the oldest holds twenty where no size is asked',
    foundByModel,
    unsizedHolds(20, 'identityProviders', (at) => isShallow(at) && isByTime(at) && !descends(at)),
  ),
  fault(
    'of the identities right in a group none is skipped where no size is asked',
    foundByModel,
    skipsNothing('identities', (at) => isShallow(at) && isUnsized(at)),
  ),
  fault(
    'over gRPC a page of groups by name holds a hundred where no size is asked',
    foundByDoors,
    overGrpc(unsizedHolds(100, 'groups', isByName)),
  ),
  fault(
    'over gRPC later pages of the children of a group come in the default order where time orders them',
    foundByDoors,
    overGrpc(laterInDefaultOrder('groups', (at) => isShallow(at) && isByTime(at))),
  ),
  fault(
    'over gRPC later pages of children of one name come in the default order',
    foundByDoors,
    overGrpc(laterInDefaultOrder('groups', (at) => isShallow(at) && isNamed(at))),
  ),
  fault(
    'over gRPC later pages of identities of one name come in the default order',
    foundByDoors,
    overGrpc(laterInDefaultOrder('identities', (at) => isNamed(at) && descends(at))),
  ),
  fault(
    'later pages of the identity providers right in a group show those below as well',
    foundByModel,
    (contract) => ({
      *candidates(at) {
        if (at.kind === 'identityProviders' && isShallow(at) && at.page > 1) yield* at.world.store.all(at.kind)
        else yield* contract.candidates(at)
      },
      withinScope(item, at) {
        const scope = at.query?.childrenOf
        if (item.kind !== 'identityProviders' || scope === undefined || at.page < 2)
          return contract.withinScope(item, at)
        return item.parent === scope || item.parent.startsWith(`${scope}/`)
      },
    }),
  ),
  fault(
    'of the account associations right in a group later pages come in the default order',
    foundByModel,
    laterInDefaultOrder('accountAssociations', isShallow),
  ),
  fault(
    'to an exchanged token groups of one name cannot be skipped',
    foundByModel,
    skipsNothing('groups', (at) => isAssumed(at) && isNamed(at)),
  ),
  fault(
    'to an exchanged token later pages of the children of a group come in the default order',
    foundByModel,
    laterInDefaultOrder('groups', (at) => isAssumed(at) && isShallow(at)),
  ),
  fault(
    'to an exchanged token later pages of groups of one name come in the default order',
    foundByModel,
    laterInDefaultOrder('groups', (at) => isAssumed(at) && isNamed(at)),
  ),
  fault(
    'to an exchanged token role bindings are not skipped below a group',
    foundByModel,
    skipsNothing('roleBindings', (at) => isAssumed(at) && !isShallow(at)),
  ),
  fault('at most twenty-five identities of one name are found', foundByModel, (contract) => {
    return when(listOf('identities'), {
      sorted: (items, compare, at) => contract.sorted(items, compare, at).slice(0, isNamed(at) ? 25 : undefined),
    })(contract)
  }),
  fault('the total of identities of one name counts those that were renamed', foundByModel, (contract) => {
    const first = new Map<string, string>()
    return {
      keep(item, at) {
        if (item.kind === 'identities') first.set(item.uid, item.name)
        contract.keep(item, at)
      },
      ...when(listOf('identities'), {
        totalCount(counts, at) {
          const { name, childrenOf } = at.query ?? {}
          if (name === undefined || childrenOf === undefined || at.query?.skip === 0)
            return contract.totalCount(counts, at)
          const gone = [...at.world.store.under('identities', childrenOf)].filter(
            (item) => first.get(item.uid) === name && item.name !== name,
          )
          return contract.totalCount({ ...counts, matches: counts.matches + gone.length }, at)
        },
      })(contract),
    }
  }),
]
