import { instant } from '../../api/instant.ts'
import type { KindName } from '../../api/kinds.ts'
import { isObject } from '../../api/received.ts'
import type { Observation } from '../observation.ts'
import { State } from '../state.ts'
import { Orders } from './pages.ts'

/** What was asked between two answers that showed a whole list alike, and can be judged now. */
export interface Closed {
  ready: Observation[]
  /** It holds what the list shows, and nothing else. */
  state: State
  orders: Orders
  shown: readonly Record<string, unknown>[]
  /** When it was last seen to have changed; nobody knows how long what was there at first has been there. */
  changed: number
  /** From when to when it has been as it is. */
  from: number
  to: number
}

/** A list, opened by an answer that showed all of it (R24). */
interface Window extends Omit<Closed, 'ready' | 'from' | 'to'> {
  opened: Observation
  /** All that it showed, as text to compare. */
  text: string
  /** The newest write of the run when it was opened. */
  stamp: number
  pending: Observation[]
}

/** Everything in a scope, as one page or a walk showed it. */
interface Whole {
  shown: Record<string, unknown>[]
  began: number
  isPage: boolean
}

/** The most answers that wait for a window to close. */
const mostPending = 500

/** Lists between two answers that show all of a scope and agree: nothing changed in between (R24). */
export class Windows {
  readonly #open = new Map<string, Window>()
  /** What walks showed so far, by the token that continues them. */
  readonly #walks = new Map<string, Omit<Whole, 'isPage'>>()

  /** Keeps an answer until the window closes. */
  hold(key: string, seen: Observation): void {
    const window = this.#open.get(key)
    if (window && window.pending.length < mostPending) window.pending.push(seen)
  }

  /** Takes a list in; where it shows all of its scope, returns what can be judged now. */
  take(key: string, seen: Observation, kind: KindName, stamp = 0): Closed | undefined {
    const whole = this.#wholeOf(seen, kind, key)
    if (whole === undefined) {
      this.hold(key, seen)
      return undefined
    }
    const { shown, began, isPage } = whole
    const text = JSON.stringify(shown, inOneOrder)
    const window = this.#open.get(key)
    const same = window !== undefined && window.text === text && window.stamp === stamp
    // what overlaps this answer waits for the next one
    const inside = same ? window.pending.filter(({ sent }) => sent > window.opened.answered) : []
    const ready = inside.filter(({ answered }) => answered < began)
    const pending = inside.filter(({ answered }) => answered >= began)
    const { state, orders, opened } = same
      ? window
      : { state: populated(seen, kind, shown), orders: new Orders(), opened: seen }
    const changed = window === undefined ? Number.NEGATIVE_INFINITY : same ? window.changed : seen.answered
    this.#open.set(key, { state, orders, opened, shown, changed, text, stamp, pending })
    // the closing answer also shows an order
    const [from, to] = [opened.answered, began]
    return { ready: isPage ? [...ready, seen] : ready, state, orders, shown, changed, from, to }
  }

  /** What an answer and the pages before it show, if that is everything, and when the first page was asked for. */
  #wholeOf({ query, json, sent }: Observation, kind: KindName, key: string): Whole | undefined {
    const { name, skip, order_by, page_token, page_size } = query
    if (name !== undefined || Number(skip ?? 0) > 0 || order_by !== undefined || !isObject(json)) return undefined
    const items = json[kind]
    if (!Array.isArray(items) || !items.every((item) => isObject(item) && typeof item.uid === 'string'))
      return undefined
    const isPage = page_token === undefined
    const before = isPage ? { shown: [], began: sent } : this.#walks.get(`${key} ${page_token}`)
    if (before === undefined) return undefined
    const next = { shown: [...before.shown, ...items], began: before.began, isPage }
    if (isEmpty(json.nextPageToken)) return isWithoutDoubles(next.shown) ? next : undefined
    // only lists too long for one page are put together
    if (page_size === '200') this.#walks.set(`${key} ${json.nextPageToken}`, next)
    return undefined
  }
}

/** The members of an object have no order (R51). */
const inOneOrder = (_member: string, value: unknown) =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value

const isWithoutDoubles = (shown: readonly { uid?: unknown }[]) =>
  new Set(shown.map(({ uid }) => uid)).size === shown.length

const isEmpty = (token: unknown) => token === undefined || token === null || token === ''

/** A state that holds just these things, and always has. */
function populated({ query, n }: Observation, kind: KindName, items: readonly Record<string, unknown>[]): State {
  const state = new State()
  state.closed = true
  const ever = { sent: -1, answered: -1, n }
  const scope = query['uidp.descendants_of'] ?? query['uidp.children_of'] ?? ''
  state.add('groups', scope, '', ever, {})
  // a group may count as below itself (R15)
  for (const item of items.filter(({ uid }) => kind !== 'groups' || uid !== scope)) {
    const thing = state.add(kind, String(item.uid), scope, ever, item)
    const created = instant(item.createTime)
    if (!Number.isNaN(created)) thing.createTime = created
  }
  return state
}
