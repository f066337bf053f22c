import type { Item, Kind } from './item.ts'

/** The stored items: by uid, by the group they live in, and bindings by their identity. */
export interface Store {
  get(kind: Kind, uid: string): Item | undefined
  /** Stores a new item, or the new state of a stored one. */
  put(item: Item): void
  /** Forgets the uid; lists still show the item until it is unlisted. */
  drop(item: Item): void
  /** Takes the item out of the lists; its uid still finds it until it is dropped. */
  unlist(item: Item): void
  /** What lives directly in a group, oldest first; every item handed out counts as visited. */
  under(kind: Kind, parent: string): Iterable<Item>
  isEmpty(kind: Kind, parent: string): boolean
  bindingsOf(identityUid: string): readonly Item[]
  /** Everything of a kind, in every organization; every item handed out counts as visited. */
  all(kind: Kind): Iterable<Item>
  /** How many items were ever handed out by `under` and `all`: the cost of the lists. */
  readonly visited: number
}

/** An empty store. */
export function createStore(): Store {
  const tables = new Map<Kind, { byUid: Map<string, Item>; byParent: Map<string, Map<string, Item>> }>()
  const byIdentity = new Map<string, Set<string>>()
  let visited = 0

  const table = (kind: Kind) => {
    const there = tables.get(kind) ?? { byUid: new Map(), byParent: new Map() }
    tables.set(kind, there)
    return there
  }
  const inside = (kind: Kind, parent: string) => table(kind).byParent.get(parent)
  const unbind = (item: Item) => byIdentity.get(item.identityUid ?? '')?.delete(item.uid)

  function list(item: Item) {
    const siblings = inside(item.kind, item.parent)
    if (siblings) siblings.set(item.uid, item)
    else table(item.kind).byParent.set(item.parent, new Map([[item.uid, item]]))
  }

  function bind(item: Item) {
    if (item.identityUid === undefined) return
    const bound = byIdentity.get(item.identityUid) ?? new Set()
    byIdentity.set(item.identityUid, bound.add(item.uid))
  }

  function* counted(items: Iterable<Item>) {
    for (const item of items) {
      visited += 1
      yield item
    }
  }

  return {
    get: (kind, uid) => table(kind).byUid.get(uid),
    put(item) {
      const { byUid } = table(item.kind)
      const before = byUid.get(item.uid)
      if (before) unbind(before)
      byUid.set(item.uid, item)
      list(item)
      bind(item)
    },
    drop(item) {
      table(item.kind).byUid.delete(item.uid)
      unbind(item)
    },
    unlist(item) {
      const siblings = inside(item.kind, item.parent)
      siblings?.delete(item.uid)
      if (siblings?.size === 0) table(item.kind).byParent.delete(item.parent)
    },
    under: (kind, parent) => counted(inside(kind, parent)?.values() ?? []),
    isEmpty: (kind, parent) => inside(kind, parent) === undefined,
    bindingsOf(identityUid) {
      const uids = [...(byIdentity.get(identityUid) ?? [])]
      return uids.flatMap((uid) => table('roleBindings').byUid.get(uid) ?? [])
    },
    all: (kind) => counted([...table(kind).byUid.values()]),
    get visited() {
      return visited
    },
  }
}
