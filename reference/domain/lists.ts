import type { Place } from '../rules/values.ts'
import type { Cursor } from './at.ts'
import type { Fields, Item, Kind } from './item.ts'
import { kinds } from './kinds.ts'
import { throwObjection } from './objection.ts'
import { type Asked, readQuery } from './queries.ts'
import type { Context } from './service.ts'

/** List: one page of what the scope holds and the filter leaves (S4.8 to S4.25). */
export function list(kind: Kind, asked: Asked, at: Context): Fields {
  const here = readQuery(asked, at)
  const { rules, now } = here.world
  const { order, size, cursor, ...query } = here.query!
  throwObjection(query.childrenOf ?? query.descendantsOf ?? '', here)

  const matches = rules.sorted(matching(here), comparison(here), here)
  const rest = cursor ? rules.rest(matches, placeAfter(cursor, here), cursor, here) : matches
  const skip = rules.skipApplied(query.skip, cursor, here)
  const page = rules.page(rest, skip, size, here)
  const skipped = rules.skipped(query.skip, cursor?.skipped ?? 0, here)

  const left = rest.length - skip - page.length
  const last = page.at(-1)
  const token = (end: Item) => {
    const key = rules.sortKey(end, order.field, here)
    return rules.encodeToken(rules.cursor(end, key, order, skipped, now(), here), here)
  }
  return rules.listBody(
    {
      items: page.map((item) => kinds[kind].render(item, here)),
      nextPageToken: last && rules.more(left, page.length, size, here) ? token(last) : '',
      totalCount: rules.totalCount({ matches: matches.length, left, shown: page.length, skip }, here),
      skipped,
    },
    here,
  )
}

function matching(at: Context): Item[] {
  const { rules } = at.world
  const name = at.query?.name
  const found: Item[] = []
  for (const candidate of rules.candidates(at)) {
    const item = rules.seen(candidate, at)
    if (!item || !rules.belongs(item, at) || !rules.withinScope(item, at)) continue
    if (name === undefined || rules.matchesName(item, name, at)) found.push(item)
  }
  return found
}

function comparison(at: Context): (a: Item, b: Item) => number {
  const { rules } = at.world
  const { field, descending } = at.query!.order
  const sign = descending ? -1 : 1
  return (a, b) =>
    sign * rules.compareKeys(rules.sortKey(a, field, at), rules.sortKey(b, field, at), at) ||
    rules.tiebreak(a.uid, b.uid, at)
}

function placeAfter(cursor: Cursor, at: Context): (item: Item) => Place {
  const { rules } = at.world
  const sign = cursor.descending ? -1 : 1
  return (item) => ({
    byKey: sign * rules.compareKeys(rules.sortKey(item, cursor.field, at), cursor.key, at),
    byUid: rules.tiebreak(item.uid, cursor.uid, at),
  })
}
