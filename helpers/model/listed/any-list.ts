import { counted } from '../../../schemas/counted.ts'
import { kinds } from '../../api/kinds.ts'
import { scopeParameters } from '../../api/resource-path.ts'
import { succeeded } from '../../http/call.ts'
import type { Judging } from '../judging.ts'
import { type Asked, repeatedParameter } from '../observation.ts'
import type { Thing } from '../state.ts'
import { directionOf, misplaced, wrongWay } from './order.ts'
import { itemsOf } from './page-seen.ts'
import { newest } from './population.ts'

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
    judging.check(asked.kind, 'page', false, `at most ${counted(most, 'result')}`, counted(items.length, 'result'))
  const twice = items.find(({ uid }, at) => items.findIndex((one) => one.uid === uid) < at)
  if (twice) judging.check(asked.kind, 'members', false, 'each item once', `${twice.uid} twice on one page`)
  if (!isClear) return
  judgeNowhere(judging, asked, items)
  if (scopeParameters.every((name) => query[name] === undefined) && asked.kind !== 'roles')
    judgeUnscoped(judging, asked, items)
}

/** The name, the order and the skip of a list without a scope, which others may change meanwhile (R12, R17, R21, R24). */
function judgeUnscoped(judging: Judging, { kind }: Asked, items: Items): void {
  const { seen, state } = judging
  const { name, order_by, skip, page_token } = seen.query
  const { skipped } = seen.json as Record<string, unknown>
  if (page_token !== undefined) return
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
      },
    )
  const direction = directionOf(order_by)
  if (direction && (direction.by !== 'name' || kinds[kind].named)) {
    const nameOf = (thing: Thing) => thing.name.certain(seen.sent, seen.answered)?.value
    const pair = misplaced(items.map(knownAs), direction, nameOf)
    if (pair) {
      const { expected, got } = wrongWay(pair, order_by!, nameOf)
      const [about, soft] = [pair.map(({ uid }) => uid), pair.some(isNew)]
      judging.check(kind, 'order', false, expected, got, { about, soft, unless: soft ? ['lag'] : [] })
    }
  }
  const asks = /^[1-9]\d{0,5}$/.test(skip ?? '') ? Number(skip) : 0
  if (asks > 0 && items.length > 0 && skipped !== asks)
    judging.check(kind, 'skipped', false, `skipped ${asks}`, skipped)
}

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
    judging.check(kind, 'members', isBelow, `nothing in ${scope}, which is not there`, uid, { about: [thing.uid] })
  }
}
