import type { Item } from './domain/item.ts'
import { type Fault, fault, on, type Replacement } from './replace.ts'

/** A cursor that counts items instead of standing at one. */
const counting: Replacement = (contract) => ({
  cursor: (last, key, order, skipped, now, at) => ({
    ...contract.cursor(last, key, order, skipped, now, at),
    offset: Number(at.query?.cursor?.offset ?? 0) + (at.query?.skip ?? 0) + (at.query?.size ?? 0),
  }),
  rest: (sorted, _place, cursor) => sorted.slice(Number(cursor.offset)),
})

/** A cursor that is lost once the item that it stands at is gone. */
const lostWithItsItem =
  (goesOn: (sorted: readonly Item[]) => readonly Item[]): Replacement =>
  (contract) => ({
    rest(sorted, place, cursor, at) {
      const gone = at.kind !== 'none' && at.world.store.get(at.kind, cursor.uid) === undefined
      return gone ? goesOn(sorted) : contract.rest(sorted, place, cursor, at)
    },
  })

/** What goes wrong where nobody looks twice: under concurrent writes, far down, far on, or once in a while. */
export const faultsOfTheDeep: readonly Fault[] = [
  // Walks while others write
  fault(
    'identities are walked by offset',
    ['list.walk.while-others.*@identities'],
    on('identities', counting),
  ),
  fault(
    'bindings are walked by offset',
    ['list.walk.while-others.*@roleBindings'],
    on('roleBindings', counting),
  ),
  fault(
    'a walk is over where the last item shown was deleted',
    ['list.walk.while-others.delete'],
    on(
      'groups',
      lostWithItsItem(() => []),
    ),
  ),
  fault(
    'a walk of identities starts over where the last one shown was deleted',
    ['list.walk.while-others.delete@identities'],
    on(
      'identities',
      lostWithItsItem((sorted) => sorted),
    ),
  ),
  fault(
    'a walk goes on from where its last item has moved to',
    ['list.walk.while-others.rename'],
    on('groups', (contract) => ({
      rest(sorted, place, cursor, at) {
        const item = at.world.store.get('groups', cursor.uid)
        if (item === undefined) return contract.rest(sorted, place, cursor, at)
        const sign = cursor.descending ? -1 : 1
        const key = contract.sortKey(item, cursor.field, at)
        return sorted.filter((one) => {
          const byKey = sign * contract.compareKeys(contract.sortKey(one, cursor.field, at), key, at)
          return byKey > 0 || (byKey === 0 && one.uid > cursor.uid)
        })
      },
    })),
  ),
  fault(
    'a change lets the walks of identities start over',
    ['list.walk.while-others.touch@identities', 'list.walk.while-others.rename@identities'],
    on('identities', (contract) => ({
      rest(sorted, place, cursor, at) {
        const since = sorted.filter(({ updateTime }) => updateTime > cursor.issued)
        const changed = since.some(({ createTime }) => createTime < cursor.issued)
        return changed && cursor.page === 2 ? sorted : contract.rest(sorted, place, cursor, at)
      },
    })),
  ),
]
