import type { Aspect } from '../clauses.ts'
import type { Details, Judging } from '../judging.ts'
import { isLast, type PageSeen } from './page-seen.ts'
import type { Query } from './population.ts'

/** A filter by name is an aspect of its own on any kind but groups (R21). */
export const aspectOf = ({ kind, name }: Query): Aspect =>
  name === undefined || kind === 'groups' ? 'members' : 'filter'

/** The aspect of a total; one that differs from its only page contradicts itself, whatever a name filters (R13). */
function totalOf(judging: Judging, page: PageSeen, size: number): Aspect {
  const { totalCount } = judging.seen.json as Record<string, unknown>
  const contradicts = isOnly(judging, page, size) && totalCount !== String(page.items.length)
  return aspectOf(page.query) === 'filter' && !contradicts ? 'filter' : 'total'
}

/** A total, with what it counts. */
const totalOfAll =
  ({ query: { scope, deep, name } }: PageSeen, total: number) =>
  () => {
    const place = scope.uid === '' ? '' : ` ${deep ? 'below' : 'directly below'} ${scope.uid}`
    const named = name === undefined ? '' : ` named ${JSON.stringify(name)}`
    return `totalCount "${total}", the number of those${named}${place}`
  }

const totalIn =
  ({ totalCount }: Record<string, unknown>) =>
  () =>
    `totalCount ${JSON.stringify(totalCount)}`

/** True for a page that shows all there is, while nothing is written. */
const isOnly = ({ seen }: Judging, { calm, skip, token }: PageSeen, size: number): boolean =>
  calm.still && token === undefined && (skip ?? '0') === '0' && isLast(seen.json) && size >= 1 && size <= 200

/** The only page of a list shows as many items as are counted, whatever exists there (R13). */
export function judgeCounted(judging: Judging, page: PageSeen, size: number, details: Details) {
  const body = judging.seen.json as Record<string, unknown>
  const { totalCount } = body
  if (!isOnly(judging, page, size) || totalCount === undefined) return
  const { query, items } = page
  const holds = totalCount === String(items.length)
  const expected = `totalCount "${items.length}", the number of items on the only page`
  judging.check(query.kind, totalOf(judging, page, size), holds, expected, totalIn(body), details)
}

/** So many matches at the most are shown with a wrong total. */
const fewCounted = 4

/** How many results a list has, and what would excuse another number. */
export interface Counted {
  total: number
  details: Details
}

/** Counts the matches of a list: each query may include its own group or not (R15). */
export function countedIn(judging: Judging, { query, calm, population }: PageSeen): Counted {
  const { seen, state } = judging
  const { kind, scope } = query
  const { totalCount } = seen.json as Record<string, unknown>
  const mayHoldItself = query.deep && kind === 'groups'
  const self = mayHoldItself && state.flags.has('self') && matchesName(judging, query)
  const total = population.must.size + (self && totalCount !== String(population.must.size) ? 1 : 0)
  // a filter by a name of the run's leaves out what the target made itself
  const isNamed = query.name !== undefined && totalCount === String(total)
  const isKnown = isNamed || state.closed
  const unless = [
    ...(isKnown ? [] : [`alien ${kind}`]),
    ...judging.unlessCovered(kind),
    ...(mayHoldItself && !state.flags.has('self') ? ['self'] : []),
  ]
  // a few explain a wrong number, many do not
  const beside =
    population.must.size > fewCounted ? [] : [...population.must].flatMap(({ history }) => history.slice(0, 1))
  return { total, details: { about: [scope.uid], beside, soft: judging.isYoung(calm.since), unless } }
}

/** Judges the total of a page; false where it is wrong. */
export function judgeTotal(judging: Judging, page: PageSeen, size: number, { total, details }: Counted): boolean {
  const body = judging.seen.json as Record<string, unknown>
  // it may be absent on a page without results (R13)
  if (body.totalCount === undefined && page.items.length === 0) return true
  const holds = body.totalCount === String(total)
  const expected = totalOfAll(page, total)
  judging.check(page.query.kind, totalOf(judging, page, size), holds, expected, totalIn(body), details)
  return holds
}

/** A skip up to the number of matches is echoed; a page without results may leave out all (R12, R23). */
export function judgeSkipped(judging: Judging, { query, skip, token, items }: PageSeen, total: number): void {
  const asked = Number(skip ?? 0)
  const { skipped } = judging.seen.json as Record<string, unknown>
  // over gRPC an unset value is 0
  const isUnset = skipped === undefined || (judging.seen.over === 'grpc' && skipped === 0)
  if (token !== undefined || asked > total || (items.length === 0 && isUnset)) return
  const holds = asked === 0 ? [undefined, null, 0].includes(skipped as undefined) : skipped === asked
  judging.check(query.kind, 'skipped', holds, `skipped ${asked}`, skipped, {
    about: [query.scope.uid],
    unless: judging.unlessCovered(query.kind),
  })
}

function matchesName({ seen }: Judging, { scope, name }: Query): boolean {
  if (name === undefined) return true
  const known = scope.name.certain(seen.sent, seen.answered)
  // the name of a group that only a list names is not known
  return known !== undefined && (known.value === undefined || known.value === name)
}
