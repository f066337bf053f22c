import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../api/api.ts'
import { instant } from '../api/instant.ts'
import { type KindName, kinds } from '../api/kinds.ts'
import { type Received, uids } from '../api/received.ts'
import { isSoftRefusal, type Patience } from '../api/soft-refusal.ts'
import { limited } from '../assertions/refused.ts'
import { isViolation } from '../assertions/violation.ts'
import { type Noted, noting } from '../http/call.ts'
import { Inconclusive, NotOffered, Stopped } from '../http/case-errors.ts'
import type { Query } from '../http/url.ts'
import { askedBy, type Lateness, ownStatesOf, viewOfList } from '../invariants/lateness.ts'
import { pagesOf } from './listings.ts'

/** Reads what a case wrote and judges it; a mismatch is read again for as long as R52 allows. */
export type Eventually = <T>(readAndJudge: () => Promise<T> | T) => Promise<T>

/** As the rulings say. */
export const usualPatience: Patience = { readings: 5_000, rights: 10_000 }

/** How soon a reading is repeated, in milliseconds: a little later each time. */
const [soonest, latest] = [40, 500]

/** Judges what the run wrote: a mismatch is read again for `patience` milliseconds, then it counts. */
export function eventuallyWithin(patience: number, lateness: Lateness): Eventually {
  // operations that stayed missing: nothing waits for them again
  const absent = new Set<string>()
  const isAbsent = (error: unknown) =>
    error instanceof NotOffered && error.operations.every((operation) => absent.has(operation))
  return (readAndJudge) => lastWord(judged(readAndJudge))

  async function judged<T>(readAndJudge: () => Promise<T> | T): Promise<T> {
    const started = performance.now()
    const since = () => performance.now() - started
    let first: readonly Noted[] | undefined
    let unfit: unknown
    const shown = new Shown(lateness)
    for (let pause = soonest; ; pause = Math.min(latest, 1.6 * pause)) {
      const began = since()
      const reading: Noted[] = []
      const came = await noting(reading, readAndJudge).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      )
      if ('error' in came) {
        // a reading that began in time may have seen the lag, however long it took
        if (!mayFitLater(came.error) || isAbsent(came.error) || shown.lost(reading)) throw came.error
        if (began >= patience) {
          if (came.error instanceof NotOffered) for (const operation of came.error.operations) absent.add(operation)
          throw came.error
        }
        // what the contract does not explain shows no lag (R56)
        if (!limited(came.error)) {
          first ??= reading
          unfit = came.error
        }
        await sleep(Math.max(0, Math.min(pause, patience - since())))
        continue
      }
      if (first === undefined) lateness.fitted(reading)
      else {
        // absent, there, absent and there again: the second absence was a loss
        if (shown.lost(reading)) throw lostAgain(unfit)
        lateness.fittedLate(first, reading, began)
        await mustStay(readAndJudge, reading)
      }
      return came.value
    }
  }
}

const verdicts = new WeakSet<object>()

/** Marks what a judgement throws as final: it has waited for as long as R52 allows. */
export function lastWord<T>(judgement: Promise<T>): Promise<T> {
  return judgement.catch((error) => {
    if (error instanceof Error) verdicts.add(error)
    throw error
  })
}

/** The age of what a case reads: while something is young, any list may lag in its own way (R52). */
export class Age {
  #written = Number.NEGATIVE_INFINITY
  /** Set where a case is judged again: what it makes is then read only once it is old. */
  waits = false

  /** Notes when something was written. */
  written(at = performance.now()): void {
    this.#written = Math.max(this.#written, at)
  }

  /** True where a lag not waited for may explain what ended a case that began then. */
  excuses(error: unknown, began: number, patience: number): boolean {
    const isUndecided = error instanceof Inconclusive && !(error instanceof NotOffered)
    return (isViolation(error) || isUndecided) && !verdicts.has(error as Error) && this.#written + patience > began
  }

  /** Waits until all of it is older than that. */
  async grown(patience: number): Promise<void> {
    while (this.#written + patience >= performance.now()) await sleep(this.#written + patience - performance.now() + 1)
  }
}

/** True for what may change a moment later: a claim about the target, or a refusal of what is not there yet. */
function mayFitLater(error: unknown): boolean {
  if (error instanceof Stopped) {
    const { status, code } = error.stop
    // code 5 says that something is not there, whatever the status (R33)
    return status !== undefined && (status < 500 || code === 5)
  }
  if (error instanceof NotOffered) return !error.certain
  return isViolation(error)
}

/** Reads once more what fitted late: a value that was shown and is lost again is not forgiven (R52). */
async function mustStay(readAndJudge: () => unknown, reading: readonly Noted[]): Promise<void> {
  if (!reading.every(({ call }) => call.method === 'GET')) return
  try {
    await readAndJudge()
  } catch (error) {
    if (mayFitLater(error) && !limited(error)) throw lostAgain(error)
  }
}

function lostAgain(error: unknown): Error {
  const said = error as Error
  said.message = `what a reading had shown was lost again in the next: ${said.message}`
  return said
}

/** What the readings of one judgement have shown of the run's own, call by call. */
class Shown {
  readonly #states = new Map<string, string[]>()
  readonly #isOurs: (uid: string) => boolean

  constructor({ isOurs }: Lateness) {
    this.#isOurs = isOurs
  }

  /** Notes a reading; true where an answer went back to what another had already replaced. */
  lost(reading: readonly Noted[]): boolean {
    if (!reading.every(({ call }) => call.method === 'GET')) return false
    let isLost = false
    for (const noted of reading.filter(({ answer }) => !isSoftRefusal(answer))) {
      for (const [what, state] of Object.entries(ownStatesOf(noted, this.#isOurs))) {
        const asked = `${what} ${askedBy(noted.call)}`
        const states = this.#states.get(asked) ?? []
        // what was made and changed since is absent, there, and absent where it was: only what was shown can be lost
        if (states.length === 0 && isNothing(state)) continue
        this.#states.set(asked, states)
        if (state === states.at(-1)) continue
        isLost ||= states.includes(state)
        states.push(state)
      }
    }
    return isLost
  }
}

/** True for a state without anything of the run's own, as before it was made. */
const isNothing = (state: string) => ['[]', 'refused'].includes(state)

/** What a wait for lists needs. */
export interface Waiting {
  api: Api
  eventually: Eventually
  lateness: Lateness
  patience: Patience
  age?: Age
}

/**
 * Waits until the usual ways to list what was made show all of it, so that order, pages and totals can be judged
 * strictly (R52): not at all if the target does not lag, at most until what was made is too old for lists to lag.
 */
export async function settleLists(
  { kind, scope, items }: { kind: KindName; scope: Query; items: readonly Received[] },
  { api, eventually, lateness, patience, age }: Waiting,
): Promise<void> {
  const started = performance.now()
  age?.written(started)
  /** True where a list became complete late. */
  const completesLate = async ({ query, shows }: { query: Query; shows: readonly Received[] }) => {
    const view = viewOfList({ query })
    let isLate = false
    const shown = async () => {
      if (await showsAll(api, kind, query, shows)) return isLate
      isLate = true
      throw new Stopped({ operation: `${kinds[kind].name}.list`, phase: 'arrange', why: 'lags', status: 200 })
    }
    return (lateness.hopeless.has(view) ? shown() : eventually(shown)).catch((error) => {
      if (!(error instanceof Stopped)) throw error
      lateness.hopeless.add(view)
      return false
    })
  }
  const late = await Promise.all(waysToList(kind, scope, items).map(completesLate))
  if (late.includes(true) || age?.waits) await sleep(Math.max(0, patience.readings - (performance.now() - started)))
}

/**
 * A list in its own order, by name, by age, as descendants if it lists a group's children, and what was made last by
 * its name.
 */
function waysToList(kind: KindName, scope: Query, items: readonly Received[]) {
  const { named, dated } = kinds[kind]
  const home = scope['uidp.children_of']
  const newest = [...items].sort((a, b) => instant(a.createTime) - instant(b.createTime)).slice(-1)
  const queries: Query[] = [
    scope,
    ...(home === undefined ? [] : [{ 'uidp.descendants_of': home }]),
    ...(named ? [{ ...scope, order_by: 'name' }] : []),
    ...(dated ? [{ ...scope, order_by: 'created_at' }] : []),
  ]
  return [
    ...queries.map((query) => ({ query, shows: items })),
    ...(named ? newest.map((item) => ({ query: { ...scope, name: String(item.name) }, shows: [item] })) : []),
  ]
}

/** How many pages of a list are searched for what was just made. */
const mostPages = 25

/** True where a list shows all of some items, or is refused, which is judged elsewhere. */
async function showsAll(api: Api, kind: KindName, query: Query, items: readonly Received[]): Promise<boolean> {
  let missing = uids(items)
  for await (const { page, items: shown } of pagesOf(api, kind, query, mostPages)) {
    if (page === undefined) return true
    missing = missing.filter((uid) => !uids(shown).includes(uid))
    if (missing.length === 0) return true
  }
  return false
}

/** Makes what needs something just made, and tries again while the target does not know that yet (R52). */
export async function onceKnown<T>(eventually: Eventually, make: () => Promise<T>): Promise<T> {
  const came = await eventually(async () => {
    try {
      return { made: await make() }
    } catch (error) {
      if (error instanceof Stopped && (error.stop.status === 404 || error.stop.code === 5)) throw error
      return { error }
    }
  })
  if ('error' in came) throw came.error
  return came.made
}
