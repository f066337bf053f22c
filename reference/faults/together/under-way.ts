import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Replacement, withRequest } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'
import { parameterIn, uidIn } from '../paths.ts'
import { pause } from '../pause.ts'

/** How many calls of a sort are under way at a uid: that in their path, or their scope; '' for gRPC. */
type UnderWay = (uid: string) => number

/** A replacement that slows some calls down, once it is known who asks, and knows which are under way. */
export const whileUnderWay = (
  isOne: (at: At) => boolean,
  milliseconds: number,
  change: (underWay: UnderWay, contract: Rules) => Partial<Rules>,
): Replacement =>
  withRequest((request, contract) => {
    const counts = new Map<string, number>()
    const underWay = (uid: string) => counts.get(uid) ?? 0
    const placeIn = (url = '') =>
      uidIn(url) || (parameterIn(url, 'uidp.children_of') ?? parameterIn(url, 'uidp.descendants_of') ?? '')
    return {
      async authenticate(token, reader, at) {
        const caller = await contract.authenticate(token, reader, at)
        if (!caller || !isOne(at)) return caller
        const place = placeIn(request()?.url)
        counts.set(place, underWay(place) + 1)
        await pause(milliseconds)
        // the call is carried out before anything else is served
        setImmediate(() => counts.set(place, underWay(place) - 1))
        return caller
      },
      ...change(underWay, contract),
    }
  })

/** What is shown of something that was changed during a reading: made of its states before and after. */
type Keep = (before: Item, after: Item) => Item

/** What a reading saw at its beginning is kept where the thing was changed meanwhile. */
export const keptByReading = (
  isReading: (at: At) => boolean,
  placeOf: (item: Item) => string,
  keep: Keep = (before) => before,
): Replacement =>
  whileUnderWay(isReading, 6, (underWay, contract) => {
    const kept = new Map<string, Item>()
    return {
      modify: ({ write, ...steps }, at) =>
        contract.modify(
          {
            ...steps,
            write(next) {
              const before = steps.read()
              if (underWay(placeOf(before)) > 0) kept.set(next.uid, kept.get(next.uid) ?? before)
              else kept.delete(next.uid)
              write(next)
            },
          },
          at,
        ),
      seen(item, at) {
        const now = contract.seen(item, at)
        const before = isReading(at) && item.kind === at.kind ? kept.get(item.uid) : undefined
        return now && before ? keep(before, now) : now
      },
    }
  })
