import type { Rules } from '../rules.types.ts'

const orderFields: Readonly<Record<string, string>> = {
  name: 'name',
  uid: 'uid',
  created_at: 'createTime',
  createTime: 'createTime',
  updated_at: 'updateTime',
  updateTime: 'updateTime',
}
const largestCount = 2 ** 31 - 1

/** The rules about lists (section 4, list parameters and list response shape). */
export const listRules = {
  *candidates(at) {
    const { store } = at.world
    if (at.kind === 'none' || !at.query) return
    if (at.kind === 'roles') return yield* store.under('roles', '')

    const { childrenOf, descendantsOf } = at.query
    if (childrenOf !== undefined) return yield* store.under(at.kind, childrenOf)

    const root = at.caller?.org ?? ''
    if (at.kind === 'groups' && descendantsOf === undefined) yield* [store.get('groups', root) ?? []].flat()
    const open = [descendantsOf ?? root]
    for (let group = open.pop(); group !== undefined; group = open.pop()) {
      if (at.kind !== 'groups') yield* store.under(at.kind, group)
      if (at.kind === 'tags') for (const { uid } of store.under('repos', group)) yield* store.under('tags', uid)
      for (const child of store.under('groups', group)) {
        open.push(child.uid)
        if (at.kind === 'groups') yield child
      }
    }
  },
  withinScope(item, at) {
    if (item.kind === 'roles' || !at.query) return true
    const { childrenOf, descendantsOf } = at.query
    const { parent } = item
    const direct = childrenOf === undefined || parent === childrenOf
    if (!direct || descendantsOf === undefined) return direct
    return parent === descendantsOf || parent.startsWith(`${descendantsOf}/`)
  },
  matchesName: (item, name) => item.name === name,
  order(asked) {
    if (asked === undefined) return { field: 'uid', descending: false }
    const [name = '', direction = 'asc', ...more] = asked.trim().split(/\s+/)
    const field = Object.hasOwn(orderFields, name) ? orderFields[name] : undefined
    if (field === undefined || more.length > 0 || !['asc', 'desc'].includes(direction)) return undefined
    return { field, descending: direction === 'desc' }
  },
  sortKey(item, field) {
    if (field === 'createTime' || field === 'updateTime') return item[field]
    return field === 'name' ? item.name : item.uid
  },
  compareKeys: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  tiebreak: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  sorted: (items, compare) => [...items].sort(compare),
  count: (raw) => (/^\d{1,10}$/.test(raw) && Number(raw) <= largestCount ? Number(raw) : undefined),
  pageSize: (asked) => (asked === 0 ? 50 : Math.min(asked, 200)),
  skipApplied: (skip) => skip,
  skipped: (skip, before) => before + skip,
  rest: (sorted, place) =>
    sorted.filter((item) => {
      const { byKey, byUid } = place(item)
      return byKey > 0 || (byKey === 0 && byUid > 0)
    }),
  page: (rest, skip, size) => rest.slice(skip, skip + size),
  more: (left) => left > 0,
  totalCount: ({ matches }) => String(matches),
  listBody: ({ items, ...beside }, at) => ({ [at.kind]: items, ...beside }),
} satisfies Partial<Rules>
