import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, onceIn, withRequest } from '../../replace.ts'

/** Faults that only some of many equal lists show. */
export const listRepeatedFaults: readonly Fault[] = [
  fault(
    'of thirty answers about a tree one shows its first group twice',
    { turnsRed: ['list.every-answer.belongs'], spreadsTo: ['list.*'] },
    (contract) => {
      let answers = 0
      return on('groups', {
        page(rest, skip, size, at) {
          const page = contract.page(rest, skip, size, at)
          const wide = at.query?.descendantsOf !== undefined && rest.length > 30
          return wide && ++answers % 30 === 0 ? [...page.slice(0, 1), ...page.slice(0, -1)] : page
        },
      })(contract)
    },
  ),
  fault(
    'skipped is that of the call before',
    ['list.fresh'],
    withRequest((request, contract) => {
      const before = new WeakMap<object, number>()
      return {
        skipped(skip, earlier, at) {
          const { socket } = request()
          const left = at.query?.size === 200 && !at.query.cursor ? (before.get(socket) ?? 0) : 0
          before.set(socket, skip)
          return contract.skipped(skip || left, earlier, at)
        },
      }
    }),
  ),
  fault(
    'a filter stays for the next call on its connection',
    ['list.fresh'],
    withRequest((request, contract) => {
      const before = new WeakMap<object, { scope?: string; name?: string }>()
      return {
        sorted(items, compare, at) {
          const { childrenOf: scope, name } = at.query!
          const left = before.get(request().socket)
          before.set(request().socket, { ...(scope && { scope }), ...(name && { name }) })
          const stays = scope !== undefined && left?.scope === scope && name === undefined && left.name
          const few = stays && items.length <= 6 ? items.filter((item) => item.name === stays) : items
          return contract.sorted(few, compare, at)
        },
      }
    }),
  ),
  fault(
    'the newest group is listed after the next one is made',
    ['list.newest'],
    on('groups', (contract) => {
      let newest: Item | undefined
      return {
        keep(item, at) {
          contract.keep(item, at)
          newest = item
        },
        *candidates(at) {
          for (const item of contract.candidates(at)) if (item.uid !== newest?.uid) yield item
        },
      }
    }),
  ),
  fault(
    'of twenty answers to one list one misses its last item',
    ['list.repeated'],
    on(
      'groups',
      onceIn(20, (contract) => ({ page: (...given) => contract.page(...given).slice(0, -1) })),
    ),
  ),
  fault(
    'of twenty answers to one list of identities one misses its first item',
    ['list.repeated@identities'],
    on(
      'identities',
      onceIn(20, (contract) => ({ page: (...given) => contract.page(...given).slice(1) })),
    ),
  ),
  fault(
    'of twenty answers to one list one counts one too many',
    ['list.repeated', 'list.total.every-answer'],
    on('groups', onceIn(20, { totalCount: ({ matches }) => String(matches + 1) })),
  ),
  fault(
    'of twenty answers to one list of bindings one is in the opposite order',
    ['list.repeated@roleBindings'],
    on(
      'roleBindings',
      onceIn(20, (contract) => ({ page: (...given) => [...contract.page(...given)].reverse() })),
    ),
  ),
  fault(
    'one in twenty lists lacks its last item',
    ['list.repeated*'],
    onceIn(20, (contract) => ({
      page: (...given) => contract.page(...given).slice(0, -1),
    })),
  ),
]
