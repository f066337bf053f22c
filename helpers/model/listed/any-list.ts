import { counted } from '../../../schemas/counted.ts'
import { kinds } from '../../api/kinds.ts'
import { scopeParameters } from '../../api/resource-path.ts'
import { succeeded } from '../../http/call.ts'
import type { Judging } from '../judging.ts'
import { type Asked, repeatedParameter } from '../observation.ts'
import type { Thing } from '../state.ts'
import type { Walk } from '../tokens.ts'
import { directionOf, misplaced, wrongWay } from './order.ts'
import { isLast, itemsOf, tokenIn } from './page-seen.ts'
import { newest } from './population.ts'
import { uidsOf } from './walks.ts'

type Items = readonly Record<string, unknown>[]

/** The most results on a page (S4.11). */
const largestPage = 200

/**
 * Finds what breaks a rule of every list where the population is open, which proves nothing of the rest: a page has a limit
 * (R19) and shows each item once, a scope that does not exist holds nothing that exists elsewhere (R15), and without a
 * scope the other parameters count all the same.
 */
export function judgeAnyList(judging: Judging, asked: Asked): void {
  const { seen, state } = judging
  const items = succeeded(seen) && !state.closed ? itemsOf(seen.json, asked.kind) : undefined
  // which value of a repeated parameter counts is open (R15, R21)
  const { query } = seen
  const isClear = !(repeatedParameter in query)
  if (items === undefined) return
  const { page_size = '50' } = query
  const isSize = isClear && /^[1-9]\d{0,2}$/.test(page_size)
  const most = isSize ? Math.min(Number(page_size), largestPage) : largestPage
  if (items.length > most)
    judging.check(asked.kind, 'page', false, `at most ${counted(most, 'result')}`, counted(items.length, 'result'), {
      breaks: 'R19',
    })
  const twice = items.find(({ uid }, at) => items.findIndex((one) => one.uid === uid) < at)
  if (twice)
    judging.check(asked.kind, 'members', false, 'each item once', `${twice.uid} twice on one page`, { breaks: 'S2.1' })
  if (!isClear) return
  judgeNowhere(judging, asked, items)
  if (scopeParameters.every((name) => query[name] === undefined) && asked.kind !== 'roles') {
    if (judgeUnscopedPages(judging, asked, items)) judgeUnscoped(judging, asked, items)
  }
}

/** The name, the order and the skip of a list without a scope, which others may change meanwhile (R12, R17, R21, R24). */
function judgeUnscoped(judging: Judging, { kind }: Asked, items: Items): void {
  const { seen, state } = judging
  const { name, order_by, skip } = seen.query
  const { skipped } = seen.json as Record<string, unknown>
  const knownAs = ({ uid }: Items[number]) => {
    const thing = state.thing(String(uid), kind)
    return thing?.alien ? undefined : thing
  }
  const isNew = (thing: Thing) => judging.isYoung(newest(thing, seen.answered))
  const others = kind === 'groups' && name ? items.filter((item) => item.name !== name) : []
  const own = others.map(knownAs).find((thing) => thing !== undefined)
  // one of somebody else's may just be renamed (R24)
  if (own !== undefined || others.length > 1)
    judging.check(
      kind,
      'members',
      false,
      `only the name ${JSON.stringify(name)}`,
      `the name ${JSON.stringify(others[0]!.name)}`,
      {
        soft: own !== undefined && isNew(own),
        breaks: 'S4.10',
      },
    )
  const direction = directionOf(order_by)
  if (direction && (direction.by !== 'name' || kinds[kind].named)) {
    const nameOf = (thing: Thing) => thing.name.certain(seen.sent, seen.answered)?.value
    const pair = misplaced(items.map(knownAs), direction, nameOf)
    if (pair) {
      const { expected, got } = wrongWay(pair, order_by!, nameOf)
      const [about, soft] = [pair.map(({ uid }) => uid), pair.some(isNew)]
      judging.check(kind, 'order', false, expected, got, { about, soft, unless: soft ? ['lag'] : [], breaks: 'S4.22' })
    }
  }
  const asks = /^[1-9]\d{0,5}$/.test(skip ?? '') ? Number(skip) : 0
  if (asks > 0 && items.length > 0 && skipped !== asks)
    judging.check(kind, 'skipped', false, `skipped ${asks}`, skipped)
}

/**
 * The pages of a list without a scope: none is the page before once more, and the total counts what they show of the run's
 * (R11, R13). Others may change the list meanwhile (R24). False for a page that a token may fill with anything (R14).
 */
function judgeUnscopedPages(judging: Judging, { kind }: Asked, items: Items): boolean {
  const { seen, state } = judging
  const { page_token, page_size, name, order_by, skip } = seen.query
  const key = JSON.stringify([kind, 'without a scope', name, order_by, page_size, seen.over])
  const given = page_token === undefined ? undefined : state.token(page_token, key)
  // what a token does under changed parameters, or when it is used again, is open (R14)
  const goesOn = given?.query === key && !given.used && skip === undefined && !state.wandering.has(page_token ?? '')
  if (page_token !== undefined && !goesOn) return false
  const uids = items.map(({ uid }) => String(uid))
  const { totalCount } = seen.json as Record<string, unknown>
  const before = given?.walk
  if (given && before) {
    given.used = true
    // what others made meanwhile may push the items of a counted page onto the next (R22)
    const isStill = totals.get(before) === totalCount
    const isAgain = uids.length > 0 && uids.join() === before.uids.join() && isStill
    judging.check(kind, 'token', !isAgain, 'the next page', 'the page before once more', {
      beside: [given.n],
      breaks: 'R11',
    })
  }
  const walk: Walk = { began: before?.began ?? seen.sent, whole: false, uids, before }
  totals.set(walk, totalCount)
  const counts = (thing: Thing | undefined) =>
    thing?.alive.certain(seen.sent, seen.answered)?.value &&
    !thing.alien &&
    !judging.isYoung(newest(thing, seen.answered))
  const own = [...uidsOf(walk)].filter((uid) => counts(state.thing(uid, kind))).length
  const fits = totalCount === undefined || !(Number(totalCount) < own)
  judging.check(kind, 'total', fits, `a total of at least ${own}, which the pages show`, totalCount)
  if (isLast(seen.json)) return true
  const issued = { query: key, size: page_size, time: seen.sent + seen.moved, used: false, n: seen.n }
  state.keepToken(String(tokenIn(seen.json)), { ...issued, position: -1, stamp: -1, walk })
  return true
}

/** The totals that pages without a scope showed. */
const totals = new WeakMap<Walk, unknown>()

/** A scope that does not exist holds nothing that exists elsewhere (R15). */
function judgeNowhere(judging: Judging, { kind }: Asked, items: Items): void {
  const { seen, state } = judging
  const asked = scopeParameters.filter((name) => seen.query[name] !== undefined)
  // a scope may be taken without its outer slashes (R58)
  const scope = asked.length === 1 ? seen.query[asked[0]!]!.replace(/^\/+|\/+$/g, '') : ''
  if (!state.isOurs(scope) || state.group(scope) !== undefined || /[^0-9a-f/]/.test(scope)) return
  for (const { uid } of items) {
    const thing = state.thing(String(uid), kind)
    // a thing may count as below itself (R15)
    if (thing === undefined || thing.alien || thing.uid === scope) continue
    const place = kind === 'groups' ? thing.uid : `${thing.parent}/`
    const isBelow = place.startsWith(`${scope}/`)
    judging.check(kind, 'members', isBelow, `nothing in ${scope}, which is not there`, uid, {
      about: [thing.uid],
      breaks: 'R15',
    })
  }
}
