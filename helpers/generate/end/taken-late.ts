import { setTimeout as sleep } from 'node:timers/promises'
import { apiOver, type Body } from '../../api/api.ts'
import { isObject } from '../../api/received.ts'
import type { TakenLate } from '../../model/state.ts'
import { moment } from '../../trace/line-of.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'

const askedAgain = new WeakSet<TakenLate>()

/** How many calls are sent at once. */
const atOnce = 16

/**
 * Sends again what was accepted on something just deleted, when the deletion must be known everywhere (R52). Waits
 * until then, but only where something was accepted; returns how many calls it sent.
 */
export async function askTakenAgain(driver: Driver): Promise<number> {
  const { run, log } = driver
  const { state, patience } = run.model.hearing.judge
  const some = [...state.takenLate.values()].filter((taken) => !askedAgain.has(taken))
  if (some.length === 0) return 0
  for (const taken of some) askedAgain.add(taken)
  const last = Math.max(...some.map(({ answered }) => answered))
  await sleep(Math.max(0, last + patience - moment()))
  const [http, grpc] = [apiOver({ ...run, over: 'http' }, log), apiOver({ ...run, over: 'grpc' }, log)]
  await inParallel(some, atOnce, async ({ kind, does, uid, over, query, body }) => {
    const { [kind]: of } = (over === 'grpc' ? grpc : http).attempt
    const sent = (
      does === 'create' && isObject(body) && 'name' in body ? { ...body, name: driver.name() } : body
    ) as Body
    await driver.send(() => (does === 'create' ? of.create(uid, sent, { query }) : of.update(uid, sent, { query })))
  })
  return some.length
}
