import { counted } from '../../../schemas/counted.ts'
import { minute, threeDays } from '../../api/instant.ts'
import type { Details, Judging } from '../judging.ts'
import type { Token, Walk } from '../tokens.ts'
import { type Counted, countedIn, judgeCounted, judgeSkipped, judgeTotal } from './counts.ts'
import { Permutation } from './order.ts'
import { isLast, type PageSeen, tokenIn } from './page-seen.ts'
import { ifMoved, type Query } from './population.ts'
import { judgeWalk } from './walks.ts'

/** The orders revealed so far, by query and state of the scope. */
export class Orders {
  readonly #all = new Map<string, { stamp: number; order: Permutation }>()

  of(key: string, stamp: number): Permutation {
    const known = this.#all.get(key)
    if (known?.stamp === stamp) return known.order
    const order = new Permutation()
    if (known === undefined || known.stamp < stamp) this.#all.set(key, { stamp, order })
    return order
  }
}

/** A page with its place in the list, as far as it is known. */
interface Placed extends PageSeen {
  given: Token | undefined
  start: number | undefined
  uids: readonly string[]
  /** The page size that counts. */
  size: number
}

/** Judges where a page begins and ends, its total, what it skipped, and its token. */
export function judgePage(judging: Judging, page: PageSeen, orders: Orders): void {
  const { seen, state } = judging
  const { query, calm, items, skip, token } = page
  const size = Number(seen.query.page_size ?? 50)
  const most = Math.min(size, 200)
  judging.check(
    query.kind,
    'page',
    items.length <= most,
    `at most ${counted(most, 'result')}`,
    counted(items.length, 'result'),
    {
      about: [query.scope.uid],
      breaks: 'R19',
    },
  )
  const given = state.token(token, query.key)
  const start = startOf(judging, page, given)
  judgeAgain(judging, page, given)
  const before = given && leadsOn(judging, page, given) ? given.walk : undefined
  if (given && before) judgeWalk(judging, page, given)
  const uids = items.map(({ uid }) => String(uid))
  const walk: Walk = {
    began: given && !isOver(judging, given) ? given.walk.began : seen.sent,
    whole: token === undefined ? (skip ?? '0') === '0' : before?.whole === true,
    uids,
    before,
  }
  if (given) given.used = true
  const position = judgePlace(judging, { ...page, given, start, uids, size }, orders)
  if (position !== 'amiss') keepToken(judging, query, { position, stamp: calm.still ? calm.stamp : -1, walk })
}

/** Judges what depends on the place of a page; returns where the next one begins, -1 where that is open. */
function judgePlace(judging: Judging, page: Placed, orders: Orders): number | 'amiss' {
  const { seen, state } = judging
  const { query, exact, items, start, size } = page
  const tally = countedIn(judging, page)
  const { total, details } = tally
  const end = start === undefined ? -1 : start + items.length
  const exists = query.scope.alive.certain(seen.sent, seen.answered)?.value === true
  const alien = `alien ${query.kind}`
  const isAlien = details.unless?.includes(alien) && state.flags.has(alien)
  if (!exact || !exists || isAlien) {
    judgeCounted(judging, page, size, { ...details, unless: [alien] })
    return end
  }
  if (!judgeTotal(judging, page, size, tally)) return 'amiss'
  judgeSkipped(judging, page, total)
  if (start === undefined) return end
  const placed = { ...details, unless: [...(details.unless ?? []), ...ifMoved(query)] }
  const due = Math.min(size, Math.max(0, total - start))
  if (size <= 200) {
    const wanted = `${due === 0 ? 'no results' : counted(due, 'result')} after the first ${start} of ${total}`
    judging.check(query.kind, 'page', items.length === due, wanted, counted(items.length, 'result'), {
      ...placed,
      breaks: 'R19 exact',
    })
    if (items.length !== due) return 'amiss'
  }
  if (page.calm.still) judgeOrder(judging, page, start, orders, placed)
  judgeEnd(judging, page, end, { total, details: placed })
  return end
}

/** The same query in the same state shows its items in one order, whatever its pages (S4.20, S4.25). */
function judgeOrder(judging: Judging, page: Placed, start: number, orders: Orders, details: Details): void {
  const { query, calm, given, uids } = page
  const { seen } = judging
  const { soft = false, unless = [] } = details
  const amiss = orders.of(query.key, calm.stamp).reveal(start, uids, { n: seen.n, asked: pageOf(seen.query) }, soft)
  judging.check(query.kind, given ? 'token' : 'order', amiss === undefined, amiss?.expected, amiss?.got, {
    about: [query.scope.uid],
    beside: [...(amiss ? [amiss.n] : []), ...(given ? [given.n] : [])],
    unless: [...unless, ...(soft || amiss?.lagged ? ['lag'] : [])],
    breaks: given ? 'R14' : 'S4.20',
  })
}

/** A page has a token where results are left, and none where they are not (R11). */
function judgeEnd(judging: Judging, page: Placed, end: number, { total, details }: Counted): void {
  const { query, items, skip, size } = page
  const next = isLast(judging.seen.json) ? undefined : String(tokenIn(judging.seen.json))
  const ends = end >= total
  // a full last page may have a token, and after a skip there need be none (R11)
  const isFull = items.length === size || (size > 200 && items.length >= 50)
  const fits = ends ? next === undefined || (isFull && items.length > 0) : next !== undefined || Number(skip ?? 0) > 0
  const left = `a nextPageToken: ${total - end} of ${counted(total, 'result')} left`
  const expected = ends ? 'no nextPageToken on the last page' : left
  judging.check(query.kind, 'token', fits, expected, next ?? 'none', { ...details, breaks: ends ? 'S4.17' : 'S4.25' })
}

/** Records the token of the next page, if there is one. */
function keepToken({ seen, state }: Judging, { key }: Query, place: Pick<Token, 'position' | 'stamp' | 'walk'>): void {
  if (isLast(seen.json)) return
  const issued = { query: key, size: seen.query.page_size, time: seen.sent + seen.moved, used: false, n: seen.n }
  state.keepToken(String(tokenIn(seen.json)), { ...issued, ...place })
}

/** The same for a page that shows something else than it should, which a lagging target may do (R52). */
export function keepUnplaced(judging: Judging, query: Query, given: Token | undefined): void {
  const began = given && !isOver(judging, given) ? given.walk.began : judging.seen.sent
  keepToken(judging, query, { position: -1, stamp: -1, walk: { began, whole: false, uids: [], before: undefined } })
}

/** A walk may keep showing what existed when it began, which is open for a token that came with no judged page (R22). */
export function sinceItBegan(now: Judging, asked: string | undefined, token: Token | undefined): Judging {
  if (asked === undefined || (token && isOver(now, token))) return now
  return now.from(token?.walk.began ?? 0)
}

/** Where a page begins; undefined where that is open (R12, R14). */
function startOf(judging: Judging, page: PageSeen, given: Token | undefined): number | undefined {
  if (page.token === undefined) return Number(page.skip ?? 0)
  if (given === undefined) return undefined
  if (isFresh(judging, page, given) && isOver(judging, given)) return 0
  const isInPlace = given.stamp === page.calm.stamp && given.position >= 0
  return isInPlace && leadsOn(judging, page, given) ? given.position : undefined
}

/** True for a token that certainly leads to the next page of its walk (R14). */
const leadsOn = (judging: Judging, page: PageSeen, given: Token): boolean =>
  isFresh(judging, page, given) && ageOf(judging, given) < nearlyOld

/** True for the first use of a token that is not the same on every page (R11). */
const isFresh = (judging: Judging, page: PageSeen, given: Token): boolean =>
  !given.used && isUnchanged(judging, page, given) && !judging.state.wandering.has(page.token ?? '')

/** True for a token that is sent with the parameters of its page (R14). */
const isUnchanged = ({ seen }: Judging, { query, skip }: PageSeen, given: Token): boolean =>
  given.query === query.key && given.size === seen.query.page_size && (skip ?? '0') === '0'

/** How old a token is, in milliseconds of the target's clock. */
const ageOf = ({ seen }: Judging, { time }: Token) => seen.sent + seen.moved - time

/** True for a token whose list begins again, as a list without one does (S8.3, R42). */
const isOver = (judging: Judging, token: Token): boolean => ageOf(judging, token) > threeDays + 2 * minute

/** A token that comes with every page shows no place, but it never leads back to the page before (R11). */
function judgeAgain(judging: Judging, page: PageSeen, given: Token | undefined): void {
  const { query, calm, items, token } = page
  if (given === undefined || given.used || token === undefined || !judging.state.wandering.has(token)) return
  const isCalm = calm.still && given.stamp === calm.stamp && ageOf(judging, given) < nearlyOld
  if (!isUnchanged(judging, page, given) || !isCalm || items.length === 0) return
  const { uids } = given.walk
  const isAgain = uids.length === items.length && items.every(({ uid }, at) => uid === uids[at])
  judging.check(query.kind, 'token', !isAgain, 'the next page', 'the page before once more', {
    about: [query.scope.uid],
    beside: [given.n],
    breaks: 'R11',
  })
}

const nearlyOld = threeDays - 2 * minute

/** The page parameters of a list, in words; a token says nothing to a reader. */
function pageOf(query: Readonly<Record<string, string>>): string {
  const asked = ['page_size', 'skip'].flatMap((name) => (name in query ? [`${name}=${query[name]}`] : []))
  return [...asked, ...('page_token' in query ? ['a page token'] : [])].join(', ') || 'no page parameters'
}
