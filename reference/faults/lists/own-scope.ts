import type { At, Cursor } from '../../domain/at.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, overGrpc } from '../../replace.ts'
import type { Scope } from '../../rules/values.ts'
import type { Rules } from '../../rules.types.ts'
import { foundByModel } from '../run/histories.ts'
import { startingOver } from './starting-over.ts'

/** Page tokens that hold the scope of their list. */
const withScope = (contract: Rules): Pick<Rules, 'cursor'> => ({
  cursor(last, key, order, skipped, now, at) {
    const { childrenOf, descendantsOf } = at.query ?? {}
    return { ...contract.cursor(last, key, order, skipped, now, at), scope: { childrenOf, descendantsOf } }
  },
})

/** Lists in the scope of the token that `cursorOf` gives, where it gives one. */
function scopedBy(contract: Rules, cursorOf: (at: At) => Cursor | undefined): Partial<Rules> {
  const scoped = (at: At): At => {
    const scope = cursorOf(at)?.scope as Scope | undefined
    return at.query && scope
      ? { ...at, query: { ...at.query, childrenOf: scope.childrenOf, descendantsOf: scope.descendantsOf } }
      : at
  }
  return {
    candidates: (at) => contract.candidates(scoped(at)),
    withinScope: (item, at) => contract.withinScope(item, scoped(at)),
  }
}

/** Faults of page tokens that bring their own scope (S4.8, S4.9, R14). */
export const ownScopeFaults: readonly Fault[] = [
  fault('a page token of identities lists the groups of its own scope', foundByModel, (contract) => {
    const isForeign = (cursor: Cursor | undefined, at: At) => at.kind === 'groups' && cursor?.kind === 'identities'
    const cursorOf = (at: At) => (isForeign(at.query?.cursor, at) ? at.query?.cursor : undefined)
    return {
      ...withScope(contract),
      ...scopedBy(contract, cursorOf),
      cursorFits: (cursor, order, at) => isForeign(cursor, at) || contract.cursorFits(cursor, order, at),
      rest: (sorted, place, cursor, at) => (isForeign(cursor, at) ? sorted : contract.rest(sorted, place, cursor, at)),
    }
  }),
  fault(
    'a page token of a list of groups in an order keeps its own scope',
    foundByModel,
    on('groups', (contract) => ({
      ...withScope(contract),
      ...scopedBy(contract, ({ query }) => (query?.order.field === 'uid' ? undefined : query?.cursor)),
    })),
  ),
  fault('a page token that is over starts its own list, whatever scope is asked for', foundByModel, (contract) => ({
    ...withScope(contract),
    ...startingOver((_contract, ended) => scopedBy(contract, ended))(contract),
  })),
  fault('over gRPC a page token of groups brings its own scope', foundByModel, (contract) => ({
    ...withScope(contract),
    ...on('groups', overGrpc(scopedBy(contract, ({ query }) => query?.cursor)))(contract),
  })),
]
