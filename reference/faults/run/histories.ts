import type { At } from '../../domain/at.ts'
import type { Item, Kind } from '../../domain/item.ts'
import { on, type Replacement, withBody } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'
import { pause } from '../pause.ts'

/** The replacement on groups. */
export const onGroups = (change: Replacement) => on('groups', change)

/** What needs a history to show is for the model to find, in any of its rows. */
export const foundByModel = { turnsRed: ['model.*'], spreadsTo: [] }

/** Counts events by uid. */
export class Counts {
  readonly #counts = new Map<string, number>()

  of(uid: string): number {
    return this.#counts.get(uid) ?? 0
  }

  /** Counts one more and returns the new count. */
  add(uid: string): number {
    this.#counts.set(uid, this.of(uid) + 1)
    return this.of(uid)
  }
}

/** Updates with another outcome than the one asked for. */
export const changed = (contract: Rules, twist: (old: Item, next: Item, at: At) => Item): Partial<Rules> => ({
  modify: ({ read, change, write }, at) =>
    contract.modify({ read, change: (old) => twist(old, change(old), at), write }, at),
})

/** One member is stored differently from what was sent. */
export const storedAs =
  (field: 'name' | 'description', change: (text: string) => string): Replacement =>
  (contract) => ({
    stored(value, member, at) {
      const kept = contract.stored(value, member, at)
      return member === field && typeof kept === 'string' ? change(kept) : kept
    },
  })

/** Updates that are written some milliseconds after they were read, so that of two at once one is lost. */
export const writtenLate =
  (milliseconds: number): Replacement =>
  () => ({
    async modify({ read, change, write }) {
      const next = change(read())
      await pause(milliseconds)
      write(next)
      return next
    },
  })

/** Calls `seen` on every update. */
export const watching = (contract: Rules, seen: (old: Item, next: Item) => void) =>
  changed(contract, (old, next) => {
    seen(old, next)
    return next
  })

/** Renames that never give a thing the name of its create back. */
export const neverAsMade: Replacement = (contract) => {
  const first = new Map<string, string>()
  return {
    keep(item, at) {
      first.set(item.uid, item.name)
      contract.keep(item, at)
    },
    ...changed(contract, (old, next) => (next.name === first.get(old.uid) ? { ...next, name: old.name } : next)),
  }
}

/** Updates of a kind of which those of one thing with the same body within ten seconds are one. */
export const onceEach = (kind: Kind): Replacement =>
  on(
    kind,
    withBody((sent, contract) => {
      const done = new Map<string, { at: number; item: Item }>()
      return {
        async modify(steps, at) {
          const key = `${steps.read().uid} ${JSON.stringify(sent(at))}`
          const before = done.get(key)
          if (before && Date.now() - before.at < 10_000) return before.item
          const item = await contract.modify(steps, at)
          done.set(key, { at: Date.now(), item })
          return item
        },
      }
    }),
  )

/** Updates without a mask that overlook a description beside another member. */
export const withoutDescriptionBeside =
  (member: string): Replacement =>
  (contract) => ({
    changed(sent, mask, settable, at) {
      const fields = contract.changed(sent, mask, settable, at)
      const isBeside = mask === undefined && fields.includes(member)
      return isBeside ? fields.filter((field) => field !== 'description') : fields
    },
  })
