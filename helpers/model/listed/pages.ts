import { minute, threeDays } from '../../api/instant.ts'
import type { Aspect } from '../clauses.ts'
import type { Details, Judging } from '../judging.ts'
import type { Token, Walk } from '../tokens.ts'
import { Permutation } from './order.ts'
import { isLast, type PageSeen, tokenIn } from './page-seen.ts'
import type { Query } from './population.ts'
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

/** A filter by name is an aspect of its own on any kind but groups (R21). */
export const aspectOf = ({ kind, name }: Query): Aspect =>
  name === undefined || kind === 'groups' ? 'members' : 'filter'

/** The aspect of a total; one that differs from its only page contradicts itself, whatever a name filters (R13). */
function totalOf(judging: Judging, page: PageSeen, size: number): Aspect {
  const { totalCount } = judging.seen.json as Record<string, unknown>
  const contradicts = isOnly(judging, page, size) && totalCount !== String(page.items.length)
  return aspectOf(page.query) === 'filter' && !contradicts ? 'filter' : 'total'
}

const totalIn =
  ({ totalCount }: Record<string, unknown>) =>
  () =>
    `totalCount ${JSON.stringify(totalCount)}`

/** True for a page that shows all there is, while nothing is written. */
const isOnly = ({ seen }: Judging, { calm, skip, token }: PageSeen, size: number): boolean =>
  calm.still && token === undefined && (skip ?? '0') === '0' && isLast(seen.json) && size >= 1 && size <= 200

/** Judges where a page begins and ends, its total, what it skipped, and its token. */
export function judgePage(judging: Judging, page: PageSeen, orders: Orders) {
  const { seen, state } = judging
  const { query, calm, exact, population, items, skip, token } = page
  const { kind, scope } = query
  const body = seen.json as Record<string, unknown>
  const about = [scope.uid]
  const size = Number(seen.query.page_size ?? 50)
  const most = Math.min(size, 200)
  judging.check(kind, 'page', items.length <= most, `at most ${most} results`, items.length, { about })
  const next = isLast(body) ? undefined : String(tokenIn(body))
  const given = state.token(token, query.key)
  const start = startOf(judging, page, given)
  const remember = (position: number) =>
    keepToken(judging, query, { position, stamp: calm.still ? calm.stamp : -1, walk })
  const known = start !== undefined
  const self = query.deep && kind === 'groups' && state.flags.has('self') && matchesName(judging, query)
  // each query may include it or not (R15)
  const total = population.must.size + (self && body.totalCount !== String(population.must.size) ? 1 : 0)
  const soft = judging.isYoung(calm.since)
  // a filter by a name of the run's leaves out what the target made itself
  const isNamed = query.name !== undefined && body.totalCount === String(total)
  const alien = isNamed ? [] : [`alien ${kind}`]
  const unless = [
    ...alien,
    ...judging.unlessCovered(kind),
    ...(query.deep && kind === 'groups' && !state.flags.has('self') ? ['self'] : []),
  ]
  const exists = scope.alive.certain(seen.sent, seen.answered)?.value === true
  judgeAgain(judging, page, given)
  const before = given && leadsOn(judging, page, given) ? given.walk : undefined
  if (given && before) judgeWalk(judging, page, given)
  const walk: Walk = {
    began: given && !isOver(judging, given) ? given.walk.began : seen.sent,
    whole: token === undefined ? (skip ?? '0') === '0' : before?.whole === true,
    uids: items.map(({ uid }) => String(uid)),
    before,
  }
  if (given) given.used = true
  if (!exact || !exists || alien.some((flag) => state.flags.has(flag))) {
    judgeCounted(judging, page, size, { about, soft, unless: [`alien ${kind}`] })
    return remember(start === undefined ? -1 : start + items.length)
  }
  // it may be absent on a page without results (R13)
  const absent = body.totalCount === undefined && items.length === 0
  if (!absent) {
    const holds = body.totalCount === String(total)
    judging.check(kind, totalOf(judging, page, size), holds, `totalCount "${total}"`, totalIn(body), {
      about,
      soft,
      unless,
    })
    if (!holds) return
  }
  judgeSkipped(judging, page, total, { about, unless: judging.unlessCovered(kind) })
  if (!known) return remember(-1)
  const left = Math.max(0, total - start)
  if (size <= 200) {
    const due = Math.min(size, left)
    const holds = items.length === due
    judging.check(
      kind,
      'page',
      holds,
      `${due === 0 ? 'no' : due} results after the first ${start} of ${total}`,
      items.length,
      {
        about,
        soft,
        unless,
      },
    )
    if (!holds) return
  }
  const amiss = orders
    .of(query.key, calm.stamp)
    .reveal(start, walk.uids, { n: seen.n, asked: pageOf(seen.query) }, soft)
  judging.check(kind, given ? 'token' : 'order', amiss === undefined, amiss?.expected, amiss?.got, {
    about,
    beside: [...(amiss ? [amiss.n] : []), ...(given ? [given.n] : [])],
    unless: [...unless, ...(soft || amiss?.lagged ? ['lag'] : [])],
  })
  const ends = start + items.length >= total
  // a full last page may have a token, and after a skip there need be none (R11)
  const isFull = items.length === size || (size > 200 && items.length >= 50)
  const fits = ends ? next === undefined || (isFull && items.length > 0) : next !== undefined || Number(skip ?? 0) > 0
  const after = total - start - items.length
  const wanted = ends ? 'no nextPageToken on the last page' : `a nextPageToken: ${after} of ${total} results are left`
  judging.check(kind, 'token', fits, wanted, next ?? 'none', { about, soft, unless })
  remember(start + items.length)
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

/** The only page of a list shows as many items as are counted, whatever exists there (R13). */
function judgeCounted(judging: Judging, page: PageSeen, size: number, details: Details) {
  const body = judging.seen.json as Record<string, unknown>
  const { totalCount } = body
  if (!isOnly(judging, page, size) || totalCount === undefined) return
  const { query, items } = page
  const holds = totalCount === String(items.length)
  judging.check(query.kind, totalOf(judging, page, size), holds, `totalCount "${items.length}"`, totalIn(body), details)
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
  })
}

const nearlyOld = threeDays - 2 * minute

/** A skip up to the number of matches is echoed; a page without results may leave out all (R12, R23). */
function judgeSkipped(judging: Judging, { query, skip, token, items }: PageSeen, total: number, details: Details) {
  const asked = Number(skip ?? 0)
  const { skipped } = judging.seen.json as Record<string, unknown>
  // over gRPC an unset value is 0
  const isUnset = skipped === undefined || (judging.seen.over === 'grpc' && skipped === 0)
  if (token !== undefined || asked > total || (items.length === 0 && isUnset)) return
  const holds = asked === 0 ? [undefined, null, 0].includes(skipped as undefined) : skipped === asked
  judging.check(query.kind, 'skipped', holds, `skipped ${asked}`, skipped, details)
}

function matchesName({ seen }: Judging, { scope, name }: Query): boolean {
  return name === undefined || scope.name.certain(seen.sent, seen.answered)?.value === name
}

/** The page parameters of a list, in words; a token says nothing to a reader. */
function pageOf(query: Readonly<Record<string, string>>): string {
  const asked = ['page_size', 'skip'].flatMap((name) => (name in query ? [`${name}=${query[name]}`] : []))
  return [...asked, ...('page_token' in query ? ['a page token'] : [])].join(', ') || 'no page parameters'
}
