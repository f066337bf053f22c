import { basicFault, type Fault, fault } from '../../fault.ts'
import { on, type Replacement, when } from '../../replace.ts'
import { scopesReadAs } from '../scopes.ts'

/** Every order ascends. */
const ascending: Replacement = (contract) => ({
  order(asked, cursor, at) {
    const order = contract.order(asked, cursor, at)
    return order && { ...order, descending: false }
  },
})

/** Faults in the order of a list (S4.13, S4.20 to S4.22). */
export const listOrderFaults: readonly Fault[] = [
  fault(
    'created_at gives the newest first',
    ['list.order.created_at', 'list.order.created_at.times', 'list.order.created_at.times@*'],
    (contract) => ({
      order(asked, cursor, at) {
        const order = contract.order(asked, cursor, at)
        return asked === 'created_at' && order ? { ...order, descending: true } : order
      },
    }),
  ),
  fault(
    'the newest first are asked for without the scope',
    ['list.order.created_at-desc'],
    on(
      'groups',
      when(
        (at) =>
          at.query?.order.field === 'createTime' && at.query.order.descending && at.query.childrenOf !== undefined,
        scopesReadAs(() => true),
      ),
    ),
  ),
  fault(
    'created_at goes by the minute',
    {
      turnsRed: ['list.order.created_at-desc.times', 'list.order.created_at-desc.times@*'],
      spreadsTo: ['list.order.created_at*', 'list.walk.order*'],
    },
    (contract) => ({
      sortKey: (item, field, at) =>
        field === 'createTime' ? Math.floor(item.createTime / 60_000) : contract.sortKey(item, field, at),
    }),
  ),
  fault(
    'bindings do not know how to descend',
    ['list.order.created_at-desc.times@roleBindings', 'list.walk.order@roleBindings'],
    on('roleBindings', ascending),
  ),
  fault(
    'roles do not descend by name',
    { turnsRed: ['list.order.name-desc@roles'], spreadsTo: ['list.*@roles'] },
    on('roles', ascending),
  ),
  fault(
    'two names of repos are taken for each other in their order',
    { turnsRed: ['list.order.name@repos'], spreadsTo: ['list.*@repos'] },
    on('repos', (contract) => ({
      sortKey(item, field, at) {
        const key = contract.sortKey(item, field, at)
        return field === 'name' ? ({ bike: 'kube', kube: 'bike' }[key] ?? key) : key
      },
    })),
  ),
  fault(
    'repos do not descend by name',
    { turnsRed: ['list.order.name-desc@repos'], spreadsTo: ['list.*@repos'] },
    on('repos', ascending),
  ),
  fault(
    'names are ordered by their first forty letters',
    ['list.order.longer-names'],
    on('groups', (contract) => ({
      sortKey(item, field, at) {
        const key = contract.sortKey(item, field, at)
        return field === 'name' ? String(key).slice(0, 40) : key
      },
    })),
  ),
  fault(
    'names are ordered by their first twenty letters',
    ['list.order.long-names'],
    on('groups', (contract) => ({
      sortKey(item, field, at) {
        const key = contract.sortKey(item, field, at)
        return field === 'name' ? String(key).slice(0, 20) : key
      },
    })),
  ),
  basicFault(
    'order_by is ignored',
    {
      turnsRed: ['list.order.name', 'list.order.name@*', 'list.order.name-desc', 'list.order.name-desc@*'],
      spreadsTo: ['list.order.name*', 'list.order.created_at*', 'list.order.directions*', 'list.order.long*'],
    },
    (contract) => ({
      order: (asked, cursor, at) => contract.order(asked, cursor, at) && { field: 'uid', descending: false },
    }),
  ),
  fault(
    'names are ordered group by group',
    ['list.order.name*'],
    on('groups', (contract) => ({
      sortKey: (item, field, at) =>
        field === 'name' ? `${item.parent} ${item.name}` : contract.sortKey(item, field, at),
    })),
  ),
  fault(
    'identities are ordered by name from z to a',
    ['list.order.name*@identities'],
    on('identities', (contract) => ({
      sortKey: (item, field, at) =>
        field === 'name'
          ? [...item.name].map((letter) => String.fromCharCode(127 - letter.charCodeAt(0))).join('')
          : contract.sortKey(item, field, at),
    })),
  ),
  fault(
    'each list without an order begins with another item than the last',
    {
      turnsRed: [
        'list.order.stable',
        'list.order.stable@*',
        'list.order.stable.elsewhere',
        'list.order.stable.elsewhere@*',
      ],
      spreadsTo: ['list.order.stable*', 'list.*', 'group.update.default-order'],
    },
    (contract) => {
      const lists = new Map<string, number>()
      return {
        sorted(items, compare, at) {
          const { order, cursor: _, ...query } = at.query!
          const asked = JSON.stringify([at.kind, query])
          lists.set(asked, (lists.get(asked) ?? 0) + 1)
          const sorted = contract.sorted(items, compare, at)
          const first = lists.get(asked)! % Math.max(1, sorted.length)
          return order.field === 'uid' ? [...sorted.slice(first), ...sorted.slice(0, first)] : sorted
        },
      }
    },
  ),
  fault(
    'a new group elsewhere moves the first identity of a list to its end',
    { turnsRed: ['list.order.stable.elsewhere@identities'], spreadsTo: ['list.*@identities'] },
    on('identities', (contract) => ({
      page(rest, skip, size, at) {
        const page = contract.page(rest, skip, size, at)
        const groups = [...at.world.store.all('groups')].length
        return groups % 2 === 0 || at.query?.order.field !== 'uid' ? page : [...page.slice(1), ...page.slice(0, 1)]
      },
    })),
  ),
  fault(
    'an order that nobody knows drops what has no such field',
    ['list.order.unknown.keeps'],
    on('groups', (contract) => ({
      order: (asked, cursor, at) => contract.order(asked, cursor, at) ?? { field: 'updateTime', descending: false },
      ...when((at) => at.query?.order.field === 'updateTime', { seen: () => undefined })(contract),
    })),
  ),
]
