import { uids } from '../api/received.ts'
import { isViolation } from '../assertions/violation.ts'
import { Inconclusive, NotOffered, Stopped } from '../http/case-errors.ts'
import type { Population } from './population.ts'

/** How often others' resources are read until they stay unchanged while judged. */
const mostReadings = 5

/**
 * Judges what the run did not make: a mismatch counts if a second reading confirms it and the items did not change
 * meanwhile (R24). An item that was missing and is back was never removed: then only the target can be to blame.
 */
export async function confirmByRereading(
  first: Population,
  readAgain: () => Promise<Population>,
  judge: (population: Population) => Promise<unknown>,
): Promise<void> {
  const mismatch = await mismatchIn(first, judge)
  if (mismatch === undefined) return
  for (let readings = 1; readings <= mostReadings; readings++) {
    const before = await readAgain().catch((failure) => {
      // that it cannot be read again does not excuse a refusal
      throw mismatch instanceof Stopped ? mismatch : failure
    })
    try {
      await judge(before)
      return
    } catch (error) {
      if (!isMismatch(error)) throw error
      const after = await readAgain()
      if (contentOf(before) === contentOf(after)) throw error
      const last = uids((await readAgain()).items)
      const cameBack =
        ![before, after].some(({ isPart }) => isPart) &&
        uids(before.items).some((uid) => !uids(after.items).includes(uid) && last.includes(uid))
      if (cameBack) throw error
    }
  }
  throw new Inconclusive(`others changed the ${first.kind} of this target while they were read`)
}

/**
 * Judges what the run made: a mismatch counts if nothing of the target's own came or went beside it since the last look
 * (R50). `noteArrival` learns when something last did: lists may show that late (R52).
 */
export async function judgeBesideStrangers(
  population: Population,
  isOwn: (uid: string) => boolean,
  strangersNow: () => Promise<string[]>,
  judge: (population: Population) => Promise<unknown>,
  noteArrival: (at: number) => void = () => {},
): Promise<void> {
  // other cases may look meanwhile
  let known = population.strangers
  for (let tries = 1; tries <= mostArrivals; tries++) {
    try {
      await judge(population)
      return
    } catch (error) {
      if (!isMismatch(error)) throw error
      const now = await strangersNow()
      const items = population.items.filter(({ uid }) => isOwn(uid) || now.includes(uid))
      const isCalm = now.join() === known?.join() && items.length === population.items.length
      if (!isCalm) population.arrivedAt = performance.now()
      if (population.arrivedAt !== undefined) noteArrival(population.arrivedAt)
      if (isCalm) throw error
      population.items = items
      known = now
      population.strangers = now
    }
  }
  throw new Inconclusive(`this target goes on adding ${population.kind} of its own where the run made some`)
}

/** How often something of the target's own may arrive while a population is judged. */
const mostArrivals = 4

async function mismatchIn(population: Population, judge: (population: Population) => Promise<unknown>) {
  try {
    await judge(population)
    return undefined
  } catch (error) {
    if (!isMismatch(error)) throw error
    return error
  }
}

/**
 * True for what may be a mismatch: what others removed looks as if its Get were missing, and leaves a skip beyond the end,
 * which may be refused (R20).
 */
const isMismatch = (error: unknown) => isViolation(error) || error instanceof NotOffered || error instanceof Stopped

const contentOf = ({ items }: Population) => JSON.stringify([...items].sort((a, b) => (a.uid < b.uid ? -1 : 1)))
