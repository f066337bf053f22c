import type { At } from '../../domain/at.ts'
import type { Item, Kind } from '../../domain/item.ts'
import type { Replacement } from '../../replace.ts'

/** What shows only between two protocols or versions is for the model to find; a group that is not emptied stays. */
export const foundByDoors = { turnsRed: ['model.*'], spreadsTo: ['grpc.inputs.*', 'grpc.delete.emptied'] }

/** By what a call came: gRPC, or a version over HTTP. */
export type Door = 'grpc' | 'http' | 'v1'

export const doorOf = ({ over, version }: At): Door => over ?? (version === 'v1' ? 'v1' : 'http')

/** Which call wrote, and whether its update had a mask. */
interface Write {
  readonly by: Door
  readonly masked: boolean
}

/** Follows what wrote each thing of a kind last: its create or its latest update, with its state before that. */
export const following =
  (
    kind: Kind,
    change: (
      last: (uid: string) => (Write & { readonly created: boolean; readonly before: Item }) | undefined,
    ) => Replacement,
  ): Replacement =>
  (contract) => {
    const masked = new WeakSet<At>()
    const last = new Map<string, Write & { created: boolean; before: Item }>()
    const changed = change((uid) => last.get(uid))(contract)
    const keep = changed.keep ?? contract.keep
    const modify = changed.modify ?? contract.modify
    const note = (before: Item, at: At, created: boolean) =>
      last.set(before.uid, { by: doorOf(at), masked: masked.has(at), created, before })
    return {
      ...changed,
      mask(raw, at) {
        const fields = contract.mask(raw, at)
        if (fields) masked.add(at)
        return fields
      },
      keep(item, at) {
        keep(item, at)
        if (item.kind === kind) note(item, at, true)
      },
      async modify(steps, at) {
        const before = steps.read()
        const after = await modify(steps, at)
        if (before.kind === kind) note(before, at, false)
        return after
      },
    }
  }

const reads = ({ operation }: At) => operation === 'list' || operation === 'get'

/** What one door changed is shown elsewhere as it was before, until it changes again. */
export const lateFor = (kind: Kind, isLate: (write: Write, at: At) => boolean): Replacement =>
  following(kind, (last) => (contract) => ({
    seen(item, at) {
      const shown = contract.seen(item, at)
      const write = item.kind === kind && reads(at) ? last(item.uid) : undefined
      return shown && write && !write.created && isLate(write, at) ? write.before : shown
    },
  }))

/** What one door wrote is missing in some lists of another. */
export const unlistedFor = (
  kind: Kind,
  isMissing: (write: Write & { readonly created: boolean }, at: At) => boolean,
): Replacement =>
  following(kind, (last) => (contract) => ({
    withinScope(item, at) {
      const write = item.kind === kind ? last(item.uid) : undefined
      return contract.withinScope(item, at) && !(write && isMissing(write, at))
    },
  }))

/** A delete by some door is answered and forgotten. */
export const undeleted = (
  kind: Kind,
  isForgotten: (write: Write & { readonly created: boolean }, at: At) => boolean,
): Replacement =>
  following(kind, (last) => (contract) => ({
    forget(steps, item, at) {
      const write = item.kind === kind && at.kind === kind ? last(item.uid) : undefined
      if (!write || !isForgotten(write, at)) contract.forget(steps, item, at)
    },
  }))
