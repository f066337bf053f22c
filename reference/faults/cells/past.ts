import type { At } from '../../domain/at.ts'
import type { Item, Kind } from '../../domain/item.ts'
import { knowingMasks, type Replacement } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'
import { type Door, doorOf } from '../doors/doors.ts'

/** One update of a thing, and by what it came. */
export interface Change {
  readonly before: Item
  readonly after: Item
  readonly by: Door
  /** The fields that its mask lists, if it has one. */
  readonly mask: readonly string[] | undefined
}

/** What is remembered of a thing after a change: a state of it, nothing, or what there was. */
type Remembered = (change: Change, known: Item | undefined) => Item | 'nothing' | undefined

/** Remembers by its uid what some changes of a thing were, until others happen to it. */
export const remembering =
  (remembered: Remembered, use: (known: Map<string, Item>, contract: Rules) => Partial<Rules>): Replacement =>
  (contract) => {
    const known = new Map<string, Item>()
    const masks = new WeakMap<At, readonly string[] | undefined>()
    const own = use(known, contract)
    return {
      ...own,
      mask(raw, at) {
        const fields = (own.mask ?? contract.mask)(raw, at)
        masks.set(at, fields)
        return fields
      },
      async modify(steps, at) {
        const before = steps.read()
        const after = await (own.modify ?? contract.modify)(steps, at)
        const next = remembered({ before, after, by: doorOf(at), mask: masks.get(at) }, known.get(after.uid))
        if (next === 'nothing') known.delete(after.uid)
        else if (next) known.set(after.uid, next)
        return after
      },
    }
  }

/** The state before, where a change of a kind is one of these; nothing after any other change of it. */
export const beforeIf =
  (kind: Kind, isOne: (change: Change) => boolean): Remembered =>
  (change) => {
    if (change.before.kind !== kind) return undefined
    return isOne(change) ? change.before : 'nothing'
  }

/** The state before the first of these changes, until another sort of change comes. */
export const beforeFirstIf =
  (kind: Kind, isOne: (change: Change) => boolean): Remembered =>
  (change, known) => {
    if (change.before.kind !== kind) return undefined
    return isOne(change) ? (known ?? change.before) : 'nothing'
  }

export const isRename = ({ before, after }: Change) => before.name !== after.name

export const isEmptied = ({ before, after }: Change) => before.description !== '' && after.description === ''

const placeOf = ({ kind, parent, name }: Item) => `${kind} ${parent} ${name}`

/** Knows what some door made of a kind. */
export const knowingMaker =
  (
    { kind, maker }: { kind: Kind; maker: Door },
    use: (isMade: (uid: string) => boolean, contract: Rules) => Partial<Rules>,
  ): Replacement =>
  (contract) => {
    const made = new Set<string>()
    return {
      keep(item, at) {
        if (item.kind === kind && doorOf(at) === maker) made.add(item.uid)
        contract.keep(item, at)
      },
      ...use((uid) => made.has(uid), contract),
    }
  }

/** Knows what was made in a group under the name of something deleted there. */
export const knowingAgain =
  (kind: Kind, use: (isAgain: (uid: string) => boolean, contract: Rules) => Partial<Rules>): Replacement =>
  (contract) => {
    const [gone, again] = [new Set<string>(), new Set<string>()]
    const own = use((uid) => again.has(uid), contract)
    return {
      ...own,
      keep(item, at) {
        if (item.kind === kind && gone.has(placeOf(item))) again.add(item.uid)
        const keep = own.keep ?? contract.keep
        keep(item, at)
      },
      forget(steps, item, at) {
        gone.add(placeOf(item))
        const forget = own.forget ?? contract.forget
        forget(steps, item, at)
      },
    }
  }

/** Updates of what was made again that are answered and forgotten. */
export const againForgotten = (kind: Kind, applies: (at: At, isMasked: boolean) => boolean): Replacement =>
  knowingAgain(kind, (isAgain, known) =>
    knowingMasks((isMasked, contract) => ({
      modify(steps, at) {
        const old = steps.read()
        return isAgain(old.uid) && applies(at, isMasked(at)) ? steps.change(old) : contract.modify(steps, at)
      },
    }))(known),
  )
