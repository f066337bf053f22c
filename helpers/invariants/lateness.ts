import { instant } from '../api/instant.ts'
import { kinds } from '../api/kinds.ts'
import { isObject, isReceived, type Received, uids } from '../api/received.ts'
import { isSoftRefusal } from '../api/soft-refusal.ts'
import { comparable } from '../assertions/equal.ts'
import { type Answer, type Call, type Noted, succeeded } from '../http/call.ts'
import type { Exchange } from '../http/exchange.ts'
import { listedIn } from './answer-checks.ts'

/** The ways in which a write can be seen, each of which may lag on its own (R52). */
export const views = ['children', 'descendants', 'name', 'order', 'get', 'embedded', 'v1', 'deletion'] as const
/** One of them. */
export type View = (typeof views)[number]

/** What the readings of a run through one view showed. */
interface Seen {
  /** How many readings of what the run wrote fitted at once. */
  atOnce: number
  /** How many did not fit at once, but later. */
  late: number
  /** The longest time that one took to fit, in milliseconds. */
  longest: number
  /** Readings that did not fit at once, as evidence: the stale answer and the one that fitted. */
  proof: Exchange[]
}

const mostProof = 4

/** How soon each view showed what the run wrote; filled by `eventually`, judged when the run is over. */
export class Lateness {
  /** Views through which a list was not complete in time: nothing waits for them again. */
  readonly hopeless = new Set<View>()
  readonly #seen = new Map<View, Seen>()
  readonly isOurs: (uid: string) => boolean

  /** `isOurs` knows what the run made: additions of the target's own are no lag (R50). */
  constructor(isOurs: (uid: string) => boolean = () => true) {
    this.isOurs = isOurs
  }

  /** What is known of a view. */
  of(view: View): Readonly<Seen> {
    return this.#seen.get(view) ?? { atOnce: 0, late: 0, longest: 0, proof: [] }
  }

  /** True once any view was late. */
  get any(): boolean {
    return [...this.#seen.values()].some(({ late }) => late > 0)
  }

  /** Counts a reading that fitted at once, once for each view it went through. */
  fitted(reading: readonly Noted[]): void {
    const read = reading.filter(({ call }) => call.method === 'GET')
    for (const view of new Set(read.map(viewOf))) this.#at(view).atOnce++
  }

  /** Counts a reading that fitted only later, once for each view whose answer changed meanwhile. */
  fittedLate(first: readonly Noted[], last: readonly Noted[], ms: number): void {
    const late = this.#lateIn(first, last)
    for (const view of new Set(late.map((one) => one.view))) {
      const seen = this.#at(view)
      seen.late++
      seen.longest = Math.max(seen.longest, ms)
      const proof = late.find((one) => one.view === view)!.proof
      if (seen.proof.length < mostProof) seen.proof.push(...proof)
    }
    const others = last.filter((noted) => !late.some(({ view }) => view === viewOf(noted)))
    this.fitted(others)
  }

  /** The views that were late, with proof; where no answer to the same call changed, the one that ended the reading. */
  #lateIn(first: readonly Noted[], last: readonly Noted[]): { view: View; proof: Exchange[] }[] {
    const changed = changesBetween(first, last)
    const isOwn = ({ call }: Noted) => !isForeign(call)
    const culprit = first.findLast(isOwn) ?? last.findLast(isOwn)
    const isUnexplained = changed.length === 0 && !hasMoved(first, last)
    if (culprit && isUnexplained && !isSoftRefusal(culprit.answer))
      return [{ view: viewOf(culprit), proof: [culprit.answer.exchange] }]
    return changed.filter(({ before, later }) => !this.#onlyStrangersMoved(before, later))
  }

  /** True where a list changed in the target's own members alone (R50), or may have: what others move moves pages. */
  #onlyStrangersMoved(before: Noted, later: Noted): boolean {
    if (!isList(before.call)) return false
    const [had, has] = [before, later].map(({ call, answer }) => itemsIn(call, answer)) as [Received[], Received[]]
    // the following pages may hold anything
    if (hasMore(later) && sortedTexts(has) === sortedTexts(had)) return true
    const own = (items: Received[]) => sortedTexts(items.filter(({ uid }) => this.isOurs(uid)))
    const strange = (items: Received[]) => JSON.stringify(uids(items.filter(({ uid }) => !this.isOurs(uid))).sort())
    const isPart = hasMore(before) || hasMore(later)
    return strange(had) !== strange(has) && (isPart || own(had) === own(has))
  }

  #at(view: View): Seen {
    const seen = this.#seen.get(view) ?? { atOnce: 0, late: 0, longest: 0, proof: [] }
    this.#seen.set(view, seen)
    return seen
  }
}

/** The view that a call went through. */
function viewOf({ call, answer }: Noted): View {
  if (call.operation.startsWith('v1.')) return 'v1'
  if (isList(call)) return viewOfList(call)
  if (!succeeded(answer)) return 'deletion'
  return isOfBinding(call) ? 'embedded' : 'get'
}

const isOfBinding = ({ operation }: Call) => /^(grpc\.)?roleBinding\./.test(operation)

const foreign: readonly string[] = Object.values(kinds).flatMap((kind) => (kind.foreign ? [kind.name] : []))

/** True for a call about what no run writes: it shows no lag. */
const isForeign = ({ operation }: Call) => foreign.includes(operation.replace(/^grpc\./, '').split('.')[0] ?? '')

const hasMore = ({ answer: { json } }: Noted) => isObject(json) && Boolean(json.nextPageToken)

const isList = ({ operation }: Call) => operation.endsWith('.list')

/** The view of a list with this query. */
export function viewOfList({ query = {} }: Pick<Call, 'query'>): View {
  if (query.name !== undefined) return 'name'
  if (query.order_by !== undefined) return 'order'
  return query['uidp.children_of'] === undefined ? 'descendants' : 'children'
}

/** What distinguishes calls; it is the same for a repeated call. */
export const askedBy = ({ method, path, query, over }: Call) =>
  `${over ?? ''} ${method} ${path} ${JSON.stringify(query ?? {})}`

function changesBetween(first: readonly Noted[], last: readonly Noted[]) {
  const after = new Map(last.map((noted) => [askedBy(noted.call), noted]))
  return first.flatMap((before) => {
    const later = after.get(askedBy(before.call))
    const view = later && lateView(before, later)
    return view ? [{ view, before, later, proof: [before.answer.exchange, later.answer.exchange] }] : []
  })
}

/** True where the target's own members alone changed: it is not late. */
function hasMoved(first: readonly Noted[], last: readonly Noted[]): boolean {
  const after = new Map(last.map(({ call, answer }) => [askedBy(call), answer.text]))
  return first.some(({ call, answer }) => (after.get(askedBy(call)) ?? answer.text) !== answer.text)
}

/** The view that was late if two answers to the same call show different things; undefined if they do not. */
function lateView(before: Noted, later: Noted): View | undefined {
  const { call } = before
  const [was, is] = [stateOf(before), stateOf(later)]
  // a refusal that the contract does not explain, and that passes, shows no lag (R56)
  if (was === is || (isSoftRefusal(before.answer) && succeeded(later.answer))) return undefined
  if (viewOf(later) === 'v1') return 'v1'
  if (call.method !== 'GET') return 'get'
  if (!isList(call) && !succeeded(before.answer)) return 'get'
  if (!isList(call)) return succeeded(later.answer) ? viewOf(later) : 'deletion'
  const [had, has] = [uids(itemsIn(call, before.answer)), uids(itemsIn(call, later.answer))]
  const [lost, gained] = [had.some((uid) => !has.includes(uid)), has.some((uid) => !had.includes(uid))]
  if (lost && !gained && call.query?.name === undefined) return 'deletion'
  const same = !lost && !gained
  return same && isOfBinding(call) ? 'embedded' : viewOf(later)
}

/** Members that the target may change at any time: the run's writes cannot be late in them (S2.8, S2.9, S2.12, R26). */
const itsOwn: readonly string[] = ['resourceLimits', 'verified', 'lastSeenTime', 'updateTime', 'updatedAt']

/** One thing in comparable form: other members than those of the contract may differ in each answer. */
const textOf = (shown: unknown) =>
  isIdentified(shown)
    ? namedText(shown)
    : JSON.stringify(shown, (name, value: unknown) => (itsOwn.includes(name) ? undefined : value))

/** What an answer shows, without what may differ each time: page tokens, the wording of refusals. */
function stateOf({ call, answer }: Noted): string {
  if (!succeeded(answer)) return 'refused'
  if (call.method !== 'GET') return 'done'
  if (!isObject(answer.json)) return answer.text
  if (!isList(call)) return textOf(answer.json)
  return `${sortedTexts(listedIn(call.operation, answer.json))} ${answer.json.totalCount}`
}

/**
 * What an answer shows of what the run made, in the members that the contract names, and its total: the target may
 * change everything else at any time (R50, R55).
 */
export function ownStatesOf({ call, answer }: Noted, isOurs: (uid: string) => boolean): Record<string, string> {
  if (!succeeded(answer) || !isObject(answer.json)) return { shows: stateOf({ call, answer }) }
  const items: Received[] = (isList(call) ? listedIn(call.operation, answer.json) : [answer.json]).filter(isIdentified)
  const own = items.filter((item) => isOurs(uidOf(item)))
  const { totalCount, nextPageToken } = answer.json
  const isAllOwn = isList(call) && own.length === items.length && !nextPageToken
  const shows = JSON.stringify(own.map(namedText).sort())
  // a total alone comes back where one thing came and another went
  return { shows, ...(isAllOwn && own.length > 0 && { counts: `${totalCount} of ${shows}` }) }
}

const uidOf = ({ uid, id }: Record<string, unknown>) => String(uid ?? id)

const isIdentified = (item: unknown): item is Received => isObject(item) && (item.uid ?? item.id) !== undefined

const parts = ['identity', 'group', 'role'] as const

function namedText(item: Received): string {
  const embedded = parts.map((part) => (isReceived(item[part]) ? partOf(item[part]) : undefined))
  return JSON.stringify([uidOf(item), comparable(item, itsOwn), instant(item.createdAt), embedded])
}

const partOf = ({ uid, name, description, subject, issuer }: Received) => [uid, name, description, subject, issuer]

const sortedTexts = (items: readonly unknown[]) => JSON.stringify(items.map(textOf).sort())

const itemsIn = ({ operation }: Call, { json }: Answer): Received[] => listedIn(operation, json).filter(isReceived)
