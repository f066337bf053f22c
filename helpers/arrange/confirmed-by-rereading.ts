import { setTimeout as sleep } from 'node:timers/promises'
import { uids } from '../api/received.ts'
import { isViolation } from '../assertions/violation.ts'
import { Inconclusive, NotOffered, Stopped } from '../http/case-errors.ts'
import type { Population } from './population.ts'

/** How often others' resources are read until they stay unchanged while judged. */
const mostReadings = 8

/** The time between two looks at what others may be moving, in milliseconds. */
const betweenLooks = 400

/**
 * Looks again and again for a time, in milliseconds, and returns the first look that differs from the one before all.
 * What comes and goes may be back whenever a case looks, so that only longer looking shows it (R24, R50).
 */
export async function firstChange<T>(
  before: T,
  look: () => Promise<T>,
  contentOf: (look: T) => string,
  patience: number,
): Promise<T | undefined> {
  const until = performance.now() + patience
  while (performance.now() < until) {
    await sleep(Math.min(betweenLooks, patience))
    const now = await look()
    if (contentOf(now) !== contentOf(before)) return now
  }
  return undefined
}

/**
 * What a call changed: the readings before and after it. Where the target itself changes it as well, another call is made,
 * and in the end nothing is decided (R5, R50).
 */
export async function aroundCall<T>(
  look: () => Promise<T>,
  call: () => Promise<unknown>,
  patience: number,
): Promise<{ before: T; after: T }> {
  for (let tries = 1; tries <= mostReadings; tries++) {
    const before = await look()
    await call()
    const after = await look()
    if (after === before || (await firstChange(after, look, String, patience)) === undefined) return { before, after }
  }
  throw new Inconclusive('the target itself goes on changing what the call should not change')
}

/**
 * Judges what the run did not make: a mismatch counts if a second reading confirms it and the items did not change
 * meanwhile, nor in so many milliseconds before: `patience` is 0 where nobody was seen to move any (R24). An item that was
 * missing and is back was never removed: then only the target can be to blame.
 */
export async function confirmByRereading(
  first: Population,
  readAgain: () => Promise<Population>,
  judge: (population: Population) => Promise<unknown>,
  patience: () => number = () => 0,
): Promise<void> {
  const mismatch = await mismatchIn(first, judge)
  if (mismatch === undefined) return
  if (isOpen(mismatch) && patience() === 0) throw mismatch
  let isWatched = false
  for (let readings = 1; readings <= mostReadings; readings++) {
    const before = await readAgain().catch((failure) => {
      // that it cannot be read again does not excuse a refusal
      throw mismatch instanceof Stopped ? mismatch : failure
    })
    try {
      await judge(before)
      return
    } catch (error) {
      if (!isMismatch(error) && !isOpen(error)) throw error
      const next = await readAgain()
      const isSame = contentOf(before) === contentOf(next)
      if (isSame && (isWatched || patience() === 0)) throw error
      const after = isSame ? await firstChange(next, readAgain, contentOf, patience()) : next
      isWatched = after === undefined
      if (after === undefined) continue
      const last = uids((await readAgain()).items)
      const cameBack =
        ![before, after].some(({ isPart }) => isPart) &&
        uids(before.items).some((uid) => !uids(after.items).includes(uid) && last.includes(uid))
      if (cameBack) throw error
    }
  }
  throw new Inconclusive(`others changed the ${first.kind} of this target while they were read`)
}

/** The target's own things beside those of a population. */
export interface Strangers {
  now: () => Promise<string[]>
  /** For how long they must stay the same, in milliseconds: 0 where none was ever seen. */
  patience: () => number
  /** Learns when something last came or went: lists may show that late (R52). */
  noteArrival: (at: number) => void
}

/**
 * Judges what the run made: a mismatch counts if nothing of the target's own came or went beside it since the last look,
 * nor for a while before it was judged (R50).
 */
export async function judgeBesideStrangers(
  population: Population,
  isOwn: (uid: string) => boolean,
  { now: look, patience, noteArrival }: Strangers,
  judge: (population: Population) => Promise<unknown>,
): Promise<void> {
  // other cases may look meanwhile
  let known = population.strangers
  const isKnown = (now: readonly string[]) =>
    now.join() === known?.join() && population.items.every(({ uid }) => isOwn(uid) || now.includes(uid))
  let isWatched = false
  for (let tries = 1; tries <= mostArrivals; tries++) {
    try {
      await judge(population)
      return
    } catch (error) {
      if (!isMismatch(error) && !isOpen(error)) throw error
      if (isOpen(error) && patience() === 0) throw error
      let now = await look()
      const isDecided = isKnown(now) && (isWatched || patience() === 0)
      if (isKnown(now) && !isDecided) now = (await firstChange(now, look, String, patience())) ?? now
      isWatched = isKnown(now)
      if (!isWatched) population.arrivedAt = performance.now()
      if (population.arrivedAt !== undefined) noteArrival(population.arrivedAt)
      if (isDecided) throw error
      known = now
      population.items = population.items.filter(({ uid }) => isOwn(uid) || known?.includes(uid))
      population.strangers = [...now]
    }
  }
  throw new Inconclusive(`this target goes on adding ${population.kind} of its own where the run made some`)
}

/** How often something of the target's own may arrive while a population is judged. */
const mostArrivals = 8

async function mismatchIn(population: Population, judge: (population: Population) => Promise<unknown>) {
  try {
    await judge(population)
    return undefined
  } catch (error) {
    if (!isMismatch(error) && !isOpen(error)) throw error
    return error
  }
}

/**
 * True for what may be a mismatch: what others removed looks as if its Get were missing, and leaves a skip beyond the end,
 * which may be refused (R20).
 */
const isMismatch = (error: unknown) => isViolation(error) || error instanceof NotOffered || error instanceof Stopped

/** True for what could not be decided: what others removed may have left too little. */
const isOpen = (error: unknown) => error instanceof Inconclusive && !isMismatch(error)

const contentOf = ({ items }: Population) => JSON.stringify([...items].sort((a, b) => (a.uid < b.uid ? -1 : 1)))
