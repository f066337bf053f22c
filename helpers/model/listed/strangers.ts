import { type KindName, kinds } from '../../api/kinds.ts'
import { scopeParameters } from '../../api/resource-path.ts'
import { succeeded } from '../../http/call.ts'
import type { Judging } from '../judging.ts'
import type { Asked, Observation } from '../observation.ts'
import { itemsOf } from './page-seen.ts'
import { stillness } from './population.ts'
import { type Closed, Windows } from './windows.ts'

/**
 * Lists of what the run made, where the target put something of its own beside it (R50). Where two answers show a whole
 * scope alike, and the run wrote nothing in between, everything asked meanwhile is as exact as without strangers.
 */
export class Strangers {
  readonly #windows = new Windows()
  /** What the last whole list showed, and the newest write at that time, by query. */
  readonly #last = new Map<string, { stamp: number; uids: string }>()
  /** What the target's own was in the last whole list, and since when it has been like that, by query. */
  readonly #own = new Map<string, { text: string; since: number }>()

  /** Takes a list in; where it closes a window, returns what can be judged now: nothing has changed for so long (R52). */
  take(judging: Judging, { kind, version }: Asked): Closed | undefined {
    const { seen, state } = judging
    const asked = scopeParameters.filter((name) => seen.query[name] !== undefined)
    const [parameter = ''] = asked
    const scope = asked.length === 1 ? state.group(seen.query[parameter]!) : undefined
    const isMixed = !kinds[kind].foreign && state.flags.has(`alien ${kind}`)
    const isOwn = seen.caller.is === 'own' && version === 'v2'
    if (!isMixed || !isOwn || scope === undefined || !succeeded(seen)) return undefined
    const { still, stamp, since } = stillness(scope, seen.sent, seen.answered)
    if (!still) return undefined
    const key = JSON.stringify([kind, seen.over, parameter, scope.uid])
    const closed = this.#windows.take(key, seen, kind, stamp)
    if (closed === undefined) return undefined
    const uids = closed.shown.map(({ uid }) => String(uid)).sort()
    const last = this.#last.get(key)
    this.#last.set(key, { stamp, uids: uids.join() })
    const cameOrWent = last?.stamp === stamp && last.uids !== uids.join()
    if (cameOrWent || closed.ready.some((each) => showsMore(each, kind, uids))) state.flags.add(`busy ${kind}`)
    const changed = Math.max(since, this.#sinceOwn(key, judging, closed, kind))
    return { ...closed, ready: closed.ready.filter(({ sent }) => sent - changed >= judging.patience) }
  }

  /** Since when the target's own has been as it is: until others know of it as well, a list may lag (R52). */
  #sinceOwn(key: string, { seen, state }: Judging, { shown }: Closed, kind: KindName): number {
    const text = JSON.stringify(shown.filter(({ uid }) => state.thing(String(uid), kind)?.alien))
    const before = this.#own.get(key)
    const own = before?.text === text ? before : { text, since: seen.answered }
    this.#own.set(key, own)
    return own.since
  }
}

/** True where an answer shows something that the whole list does not. */
const showsMore = ({ json }: Observation, kind: KindName, uids: readonly string[]) =>
  itemsOf(json, kind)?.some(({ uid }) => !uids.includes(String(uid))) === true
