import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, withRequest } from '../../replace.ts'
import { parameterIn } from '../paths.ts'
import { foundByModel } from '../run/histories.ts'

const scopeOf = ({ kind, query }: At) => JSON.stringify([kind, query?.childrenOf, query?.descendantsOf])

/** Faults of lists with filters, scopes and orders (S4.9, S4.10, S4.20, S4.25). */
export const ordinaryListFaults: readonly Fault[] = [
  fault(
    'in a list with a name a page after which one result is left has no token',
    { turnsRed: ['list.walk.filter*'], spreadsTo: ['list.*'] },
    (contract) => ({
      more: (left, shown, size, at) => contract.more(at.query?.name === undefined ? left : left - 1, shown, size, at),
    }),
  ),
  fault(
    'a filter by a name of three letters finds no group',
    foundByModel,
    on('groups', (contract) => ({
      matchesName: (item, name, at) => name.length !== 3 && contract.matchesName(item, name, at),
    })),
  ),
  fault(
    'a group with the name of the group above it is not listed below it',
    foundByModel,
    on('groups', (contract) => ({
      withinScope(item, at) {
        const isScoped = (at.query?.childrenOf ?? at.query?.descendantsOf) !== undefined
        const above = at.world.store.get('groups', item.parent)
        return !(isScoped && above?.name === item.name) && contract.withinScope(item, at)
      },
    })),
  ),
  fault(
    'a list in an order leaves that order to the lists without one',
    { turnsRed: ['model.*'], spreadsTo: ['list.*', 'grpc.list.*'] },
    (contract) => {
      const left = new Map<string, readonly string[]>()
      return {
        sorted(items, compare, at) {
          const { field, descending } = at.query!.order
          const all = contract.sorted(items, compare, at)
          const isPlain = field === 'uid' && !descending
          const kept = left.get(scopeOf(at)) ?? []
          const uids = all.map(({ uid }) => uid)
          if (!isPlain) left.set(scopeOf(at), uids)
          const rank = ({ uid }: Item) => kept.indexOf(uid) + 1 || kept.length + 1
          return isPlain ? all.sort((a, b) => rank(a) - rank(b)) : all
        },
        keep(item, at) {
          left.clear()
          contract.keep(item, at)
        },
        modify(steps, at) {
          left.clear()
          return contract.modify(steps, at)
        },
        forget(steps, item, at) {
          left.clear()
          contract.forget(steps, item, at)
        },
      }
    },
  ),
  // S4.12, S4.21
  fault(
    'the second page of role bindings right in a group, the newest first, is refused',
    { turnsRed: ['model.*'], spreadsTo: ['list.*'] },
    on(
      'roleBindings',
      withRequest((request, contract) => ({
        decodeToken(token, at) {
          const cursor = contract.decodeToken(token, at)
          const isNewest = cursor?.field === 'createTime' && cursor.descending
          const { url } = request()
          return isNewest && at.over === undefined && parameterIn(url, 'uidp.children_of') !== null ? undefined : cursor
        },
        errorMessage: (refusal, at) =>
          contract.errorMessage(refusal, at) + (refusal.field === 'page_token' ? ' of roleBindings' : ''),
      })),
    ),
  ),
  // S4.15, S4.10
  fault(
    'a list of identities by a name that nothing has is not found',
    { turnsRed: ['model.*'], spreadsTo: ['list.*'] },
    on('identities', (contract) => ({
      page(rest, skip, size, at) {
        if (at.query?.name !== undefined && rest.length === 0) throw new Refusal('missing', 'identities', 'none')
        return contract.page(rest, skip, size, at)
      },
    })),
  ),
  // S4.10, S4.21
  fault(
    'without a scope a list of groups does not look at its name',
    foundByModel,
    on('groups', (contract) => ({
      matchesName: (item, name, at) =>
        (at.query?.childrenOf ?? at.query?.descendantsOf) === undefined || contract.matchesName(item, name, at),
    })),
  ),
  fault('without a scope a list goes by uid whatever its order', foundByModel, (contract) => ({
    sorted: (items, compare, at) =>
      at.kind !== 'roles' && (at.query?.childrenOf ?? at.query?.descendantsOf) === undefined
        ? contract.sorted(items, (a, b) => (a.uid < b.uid ? -1 : 1), at)
        : contract.sorted(items, compare, at),
  })),
]
