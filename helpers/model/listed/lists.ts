import { type KindName, kinds } from '../../api/kinds.ts'
import { scopeParameters } from '../../api/resource-path.ts'
import { succeeded } from '../../http/call.ts'
import type { Judging } from '../judging.ts'
import { isLabel, isOrdinaryName } from '../names.ts'
import { type Asked, isPrinted, isSoftRefusal, type Observation, unlessOffered, untilSeen } from '../observation.ts'
import { judgeContent } from '../shown/content.ts'
import type { Thing } from '../state.ts'
import type { Token } from '../tokens.ts'
import { judgeAnyList } from './any-list.ts'
import { aspectOf } from './counts.ts'
import { shownThing } from './foreign.ts'
import { judgeMissing, noteListed } from './missing.ts'
import { directionOf, misplaced, wrongWay } from './order.ts'
import { isLast, itemsOf } from './page-seen.ts'
import { judgePage, keepUnplaced, type Orders, sinceItBegan } from './pages.ts'
import {
  chosen,
  isInScope,
  type Members,
  newest,
  populationOf,
  type Query,
  type Stillness,
  stillness,
  viewOf,
  whyNot,
} from './population.ts'
import { readerOf } from './readers.ts'
import { calmOf } from './sightings.ts'

const known = new Set(['name', 'order_by', 'page_size', 'page_token', 'skip', ...scopeParameters])

/** Judges the whole answer to a v2 list call: members, content, order, page, total, skipped and token. */
export function judgeList(now: Judging, asked: Asked, orders: Orders) {
  const whole = queryOf(now, asked)
  if (whole === undefined) return judgeAnyList(now, asked)
  const { seen, state } = now
  const { page_token, skip } = seen.query
  const token = state.token(page_token, whole.key)
  // the effect of a token under another order or name is open, except that it stays in the scope (R14)
  const isOpen = page_token !== undefined && !token?.query.startsWith(whole.asks)
  const query = isOpen ? { ...whole, name: undefined, order: undefined } : whole
  const judging = sinceItBegan(now, page_token, token)
  if (!succeeded(seen)) return judgeRefused(judging, asked, whole, token)
  for (const taken of parametersOf(asked.kind, seen)) state.flags.add(`offered ${taken}`)
  const items = itemsOf(seen.json, asked.kind)
  if (items === undefined)
    return judging.check(asked.kind, 'answer', false, 'an object with an array', seen.text, { breaks: 'S4.16' })
  const calm = calmOf(query, judging.seen)
  const offered = chosen(judging, query, populationOf(state, query, judging.seen, calm), items, calm)
  const shown = items.map((item) => shownThing(judging, query, item))
  if (!judgeMembers(judging, { query, offered, items, shown, calm })) return keepUnplaced(judging, whole, token)
  const isJudgedElsewhere = state.closed && !kinds[query.kind].foreign
  for (const [index, thing] of shown.entries()) {
    if (thing && !thing.alien && !isJudgedElsewhere) judgeContent(judging, thing, items[index]!, viewOf(query))
  }
  if (isOpen) return
  // an order that may only be late shows no places
  if (!judgeDirection(judging, query, shown, items, calm)) return keepUnplaced(judging, whole, token)
  // an exchange may move an item of the list, and never makes it come or go
  const { still } = stillness(query.scope, judging.seen.sent, judging.seen.answered)
  const exact = still && offered.may.size === 0
  judgePage(judging, { query, calm, exact, population: offered, items, skip, token: page_token }, orders)
}

/** The call, as far as the model can know what it lists; undefined where that is open (R15, R20, R21). */
function queryOf({ state, seen }: Judging, { kind }: Asked): Query | undefined {
  const { query } = seen
  const asked = scopeParameters.filter((name) => query[name] !== undefined)
  // roles live in no group (R21)
  const scoped = kind === 'roles' ? 0 : 1
  if (asked.length !== scoped || Object.keys(query).some((name) => !known.has(name))) return undefined
  const scope = state.group(scoped === 0 ? '' : query[asked[0]!]!)
  if (scope === undefined || query.name === '') return undefined
  if (!isCount(query.page_size, 1) || !isCount(query.skip, 0)) return undefined
  const [deep, name, order] = [asked[0] === 'uidp.descendants_of', query.name, query.order_by]
  const asks = JSON.stringify([kind, scope.uid, deep, name, order])
  return { kind, scope, deep, name, order, asks, key: `${asks} over ${seen.over ?? 'http'} ${readerOf(state, seen)}` }
}

const isCount = (text: string | undefined, least: number) =>
  text === undefined || (/^(0|[1-9]\d{0,6})$/.test(text) && Number(text) >= least)

/**
 * A list of what exists may not be refused, nor its next page, however old the token (S8.3); an order, a skip beyond
 * the end or a name that no group can have may be (R18, R20, S2.6).
 */
function judgeRefused(judging: Judging, asked: Asked, listed: Query, given: Token | undefined): void {
  const { seen, state } = judging
  const { query } = seen
  const { scope, order } = listed
  const outcome = judging.came
  const isSpent = given?.used || state.wandering.has(query.page_token ?? '')
  const goesOn = given && !isSpent && given.query === listed.key && given.size === query.page_size
  const calm = stillness(scope, seen.sent, seen.answered)
  const matches = query.skip === undefined ? 0 : populationOf(state, listed, seen, calm).must.size
  const exists = scope.alive.certain(seen.sent, seen.answered)?.value === true
  const isPlain =
    (order === undefined || directionOf(order)) &&
    (Number(query.skip ?? 0) === 0 || Number(query.skip) < matches) &&
    (query.page_token === undefined || (goesOn && query.skip === undefined)) &&
    (asked.kind !== 'groups' ||
      query.name === undefined ||
      isOrdinaryName(query.name) ||
      state.names.has(query.name)) &&
    Number(query.page_size ?? 1) <= 200
  if (!exists || !isPlain || isSoftRefusal(seen)) return
  const { status = 0 } = seen
  // a server that does not know a parameter may refuse it with any 4xx (R33)
  const isUnknown = status >= 400 && status < 500 && status !== 401
  const odd = asked.kind !== 'groups' && isUnknown && query.page_token === undefined
  // such a name may be no name there, and such an order is open (R18)
  const isName = query.name === undefined || isLabel(query.name) || state.names.has(query.name)
  if (odd && (!isName || order?.startsWith('name'))) return
  judging.check(asked.kind, odd && query.name ? 'filter' : 'answer', false, 'a status of 2xx', outcome, {
    about: [scope.uid],
    // a lagging list may show fewer than are skipped
    soft: judging.isYoung(Math.max(scope.alive.lastBefore(seen.answered), calm.since)),
    unless: [
      ...(isPrinted(asked) ? [] : [unlessOffered(asked, seen)]),
      ...(odd ? parametersOf(asked.kind, seen).map((taken) => untilSeen(`offered ${taken}`)) : []),
    ],
  })
}

/** A filter and an order, which other kinds than groups may not have (R18, R21); one that was taken once is there. */
const parametersOf = (kind: KindName, { query: { name, order_by }, over }: Observation): string[] =>
  [name && 'a name', order_by].flatMap((taken) => (taken ? [`${taken} on ${kind} over ${over ?? 'http'}`] : []))

/** Judges which items a page shows; false where one is wrong or missing. */
function judgeMembers(judging: Judging, members: Members): boolean {
  const { seen, state } = judging
  const { query, items, shown } = members
  const { kind, scope } = query
  if (!state.closed) judging.holds(kind, 'effect')
  const before = judging.found.length
  const uids = items.map(({ uid }) => String(uid))
  const twice = uids.find((uid, index) => uids.indexOf(uid) < index)
  if (twice !== undefined)
    judging.check(kind, 'members', false, 'each item once', `${twice} twice on one page`, {
      about: [scope.uid, twice],
      breaks: 'S2.1',
    })
  for (const [index, thing] of shown.entries()) judgeItem(judging, members, items[index]!, thing)
  const complete = seen.query.page_token === undefined && Number(seen.query.skip ?? 0) === 0 && isLast(seen.json)
  if (complete && scope.alive.certain(seen.sent, seen.answered)?.value === true) judgeMissing(judging, members)
  const fits = judging.found.length === before
  // a list too long for one page is judged by its parts
  if (fits && !complete && items.length > 0) judging.holds(kind, 'members')
  return fits
}

/** An item is in the scope, exists and has the name asked for; `thing` is undefined for the group of the list itself. */
function judgeItem(
  judging: Judging,
  { query, offered: { must, may } }: Members,
  item: Record<string, unknown>,
  thing: Thing | undefined,
): void {
  const { seen, state } = judging
  const { kind, scope, name } = query
  const [uid, view] = [String(item.uid), judging.through(viewOf(query))]
  if (thing === undefined) {
    // the descendants of a group may include the group itself; no group is its own child (R15, R16)
    if (query.deep) state.flags.add('self')
    else if (kind === 'groups')
      judging.check(kind, 'members', false, 'no group as its own child', uid, { about: [scope.uid], breaks: 'R16' })
    return
  }
  if (thing.alien) return
  // an item that shows another name than the one asked for does not match, whichever of two it may have (R21)
  const fits = kind !== 'groups' || name === undefined || item.name === name
  if (fits && (must.has(thing) || may.has(thing))) {
    thing.alive.observe(true, seen.sent, seen.answered, view, judging.copy)
    noteListed(judging, query, thing)
    return
  }
  const inScope = isInScope(state, thing, query)
  const fit = inScope ? thing.alive.observe(true, seen.sent, seen.answered, view, judging.copy) : 'never'
  const late = fit === 'fits' || fit === 'late'
  // a filter does not explain what is elsewhere
  const aspect = inScope ? aspectOf(query) : 'members'
  const [why, breaks] = whyNot(judging, thing, query)
  const expected = `not ${uid}: ${why}`
  judging.check(kind, aspect, false, expected, `${uid} on the list`, {
    about: [scope.uid, uid],
    soft: late && judging.isYoung(newest(thing, seen.answered)),
    breaks,
  })
}

function judgeDirection(
  judging: Judging,
  { kind, order, scope }: Query,
  shown: (Thing | undefined)[],
  items: readonly Record<string, unknown>[],
  calm: Stillness,
): boolean {
  const direction = directionOf(order)
  if (direction === undefined || (direction.by === 'name' && !kinds[kind].named)) return true
  const { sent, answered } = judging.seen
  // an item that shows another name is in its place by that one
  const came = new Map(shown.map((thing, at) => [thing, items[at]!.name]))
  const nameOf = (thing: Thing) => {
    const name = thing.name.certain(sent, answered)?.value
    return (came.get(thing) ?? name) === name ? name : undefined
  }
  const own = shown.filter((thing) => !thing?.alien)
  const pair = misplaced(own, direction, nameOf)
  const words = pair && wrongWay(pair, order!, nameOf)
  judging.check(kind, 'order', pair === undefined, words?.expected, words?.got, {
    about: pair ? [scope.uid, ...pair.map(({ uid }) => uid)] : [],
    soft: pair !== undefined && judging.isYoung(calm.since),
    breaks: 'S4.22',
  })
  return pair === undefined
}
