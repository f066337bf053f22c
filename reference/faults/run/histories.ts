import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { on, type Replacement } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'

export const onGroups = (change: Replacement) => on('groups', change)

/** A story that shows it may be told as one of lists, too. */
export const inStories = { turnsRed: ['group.story.changes'], spreadsTo: ['group.story.lists'] }

/** How often something happened, by the uid that it happened to. */
export class Counts {
  readonly #counts = new Map<string, number>()

  of(uid: string): number {
    return this.#counts.get(uid) ?? 0
  }

  /** One more; gives how many there are now. */
  add(uid: string): number {
    this.#counts.set(uid, this.of(uid) + 1)
    return this.of(uid)
  }
}

/** Updates that come out otherwise than they were asked for. */
export const changed = (contract: Rules, twist: (old: Item, next: Item, at: At) => Item): Partial<Rules> => ({
  modify: ({ read, change, write }, at) =>
    contract.modify({ read, change: (old) => twist(old, change(old), at), write }, at),
})

/** Told of every update when it is made. */
export const watching = (contract: Rules, seen: (old: Item, next: Item) => void) =>
  changed(contract, (old, next) => {
    seen(old, next)
    return next
  })
