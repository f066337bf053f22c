import { setTimeout as sleep } from 'node:timers/promises'
import { apiOver } from '../api/api.ts'
import { instant } from '../api/instant.ts'
import type { Run } from '../arrange/run.ts'
import { type Log, succeeded } from '../http/call.ts'
import { Inconclusive } from '../http/case-errors.ts'

/** A time in milliseconds that advances like the target's clock, and a way to let seconds pass. */
export interface Passing {
  read(): number
  pass(seconds: number): Promise<unknown>
}

/** How long to sleep before reading the target's time again, in seconds: longer each time. */
const [shortest, longest] = [0.5, 30]

/** Lets time pass by moving the target's clock. */
export function moving({ clock }: Run, log: Log): Passing {
  return { read: () => clock.read(), pass: (seconds) => clock.advance(seconds, log) }
}

/** Lets time pass by waiting: measured by the target's own Date, or by this machine's clock where it has none. */
export async function waiting(run: Run): Promise<Passing> {
  let seen = { now: await timeOf(run), at: performance.now() }
  const read = () => seen.now + performance.now() - seen.at
  return {
    read,
    pass: async (seconds) => {
      const end = read() + seconds * 1000
      for (let nap = shortest; read() < end; nap = Math.min(2 * nap, longest)) {
        await sleep(Math.min(nap * 1000, end - read()))
        if (run.client.interrupted) throw new Inconclusive('the run was interrupted')
        // a machine that slept meanwhile does not notice
        seen = { now: await timeOf(run), at: performance.now() }
      }
    },
  }
}

/** The target's time in milliseconds since 1970, from the Date of an answer. */
async function timeOf(run: Run): Promise<number> {
  const log: Log = { phase: 'arrange', exchanges: [] }
  const answer = await apiOver(run, log).attempt.groups.get(run.journal.operatorsGroup)
  const date = instant(answer.headers.date)
  return succeeded(answer) && !Number.isNaN(date) ? date : Date.now()
}
