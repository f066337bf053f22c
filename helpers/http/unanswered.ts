import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Call, Log } from './call.ts'
import { Inconclusive, Lost, Stopped, TargetGone, TokenSpent, Unreachable } from './case-errors.ts'
import { continues, mostTries, mustWorkTwice } from './waits.ts'
import { BrokenOff, isLate, isUnsent, reasonOf } from './wire/broken-off.ts'
import type { IncomingResponse } from './wire/exchange-over.ts'

/** What is needed to judge a call without an answer. */
interface Unanswered {
  call: Call
  log: Log
  /** How long an answer may take, in milliseconds. */
  within: number
  /** Repeats the call over its own connection. */
  again: () => Promise<IncomingResponse>
  /** A Get of the operator's group, over another connection. */
  control: () => Promise<IncomingResponse>
}

/** The number of consecutive timeouts at which they count (R59). */
const mostLate = 3
/** The number of consecutive broken reads at which it is no accident of the network. */
const mostBroken = 8
/** How often the control call is made: a network that breaks one call may break another. */
const mostControls = 4

/**
 * Calls that got no answer (R56, R59). The network is nobody's fault: a read is repeated, and a write leaves its case
 * inconclusive. Only a call that never gets an answer, while a control call does, is the target's fault.
 */
export class UnansweredCalls {
  /** How many consecutive writes of each operation timed out, and when the last one was given up. */
  readonly #late = new Map<string, { count: number; at: number }>()

  readonly #endRun: (why: string) => void

  /** `endRun` ends the run: the target takes no connections any more. */
  constructor(endRun: (why: string) => void) {
    this.#endRun = endRun
  }

  /** Forgets earlier failures: the operation answers. */
  answered({ operation }: Call): void {
    this.#late.delete(operation)
  }

  /** The answer that came after all; throws `Inconclusive`, `Stopped` if the target is to blame, or `TargetGone`. */
  async insist(error: unknown, asked: Unanswered): Promise<IncomingResponse> {
    try {
      return await this.#insist(error, asked)
    } catch (gone) {
      // this call ends by its own error
      if (gone instanceof Unreachable) setImmediate(() => this.#endRun(gone.message))
      throw gone
    }
  }

  async #insist(error: unknown, asked: Unanswered): Promise<IncomingResponse> {
    // how much else a target may show is not stated (R8)
    if (error instanceof BrokenOff && error.tooLarge)
      throw new Inconclusive(`${asked.call.operation} cannot be judged: ${error.message}`)
    if (isUnsent(error)) return this.#connectAgain(error, asked)
    if (asked.call.method !== 'GET') return this.#giveUp(error, asked)
    const came = await this.#readAgain(error, asked)
    mustWorkTwice(asked.call, came)
    // a cursor that the server holds may have gone on (R11)
    if (error instanceof BrokenOff && continues(asked.call))
      throw new Inconclusive(`${asked.call.operation} got half an answer, and its page token is sent once only`)
    return came
  }

  /** A call that found no connection was never sent: it is made again as soon as the target takes some. */
  async #connectAgain(first: unknown, asked: Unanswered): Promise<IncomingResponse> {
    let last = first
    for (let tries = 1; tries <= mostTries; tries++) {
      await mustStillAnswer(asked)
      const came = await asked.again().catch((error: unknown) => ({ error }))
      if (!('error' in came)) return came
      if (!isUnsent(came.error)) return this.#insist(came.error, asked)
      last = came.error
      await sleep(250 * tries)
    }
    throw neverAnswered(last, asked)
  }

  async #readAgain(first: unknown, asked: Unanswered): Promise<IncomingResponse> {
    let [last, late, broken] = [first, 0, 0]
    for (;;) {
      if (isLate(last)) late++
      else broken++
      // half a minute is long: a call without any answer is not made three times
      if (isLate(last) || broken === mostBroken) await mustStillAnswer(asked)
      // one that broke off as the target came back is made once more
      if (late >= mostLate || broken > mostBroken) throw neverAnswered(last, asked)
      await sleep(broken > 1 ? 40 * broken : 0)
      const came = await asked.again().catch((error: unknown) => ({ error }))
      if (!('error' in came)) return came
      last = came.error
    }
  }

  /** A write is never repeated: nobody knows whether the first one arrived. */
  async #giveUp(error: unknown, asked: Unanswered): Promise<never> {
    const { operation } = asked.call
    if (!isLate(error)) this.#late.delete(operation)
    if (!(error instanceof BrokenOff)) await mustStillAnswer(asked)
    const late = isLate(error) ? this.#lateOnEnd(operation, asked.within) : 0
    if (late >= mostLate) throw neverAnswered(error, asked)
    throw new Lost(operation, `got no answer (${reasonOf(error, asked.within)})`)
  }

  /** Counts a write that timed out; those waiting side by side count once, because a target may hang once. */
  #lateOnEnd(operation: string, within: number): number {
    const { count, at } = this.#late.get(operation) ?? { count: 0, at: Number.NEGATIVE_INFINITY }
    const now = performance.now()
    // a timer may fire a little early
    const next = now - 0.9 * within >= at ? { count: count + 1, at: now } : { count, at }
    this.#late.set(operation, next)
    return next.count
  }
}

function neverAnswered(error: unknown, { call, log, within }: Unanswered): Stopped {
  return new Stopped({
    operation: call.operation,
    phase: log.phase,
    why: `got no answer: ${reasonOf(error, within)}`,
  })
}

/** Waits for a control call to be answered: a target that starts again takes no connections for a time. */
async function mustStillAnswer({ call, control, within }: Unanswered): Promise<void> {
  const started = performance.now()
  for (let tries = 1; ; tries++) {
    const error = await control().then(
      () => undefined,
      (error: unknown) => error,
    )
    if (error === undefined) return
    const [why, isLast] = [reasonOf(error, within), tries >= mostControls]
    if (isUnsent(error)) {
      if (performance.now() - started >= within)
        throw new Unreachable(`the target takes no connections any more: ${why}`)
    } else if (error instanceof BrokenOff && isLast)
      throw new Inconclusive(`${call.operation} got no answer, and no other call a whole one: ${why}`)
    else if (isLate(error) || isLast) throw new TargetGone(`the target no longer answers at all: ${why}`)
    await sleep(Math.min(100 * tries, 2_000))
  }
}

/** What is sent in place of a call that was sent before: with another token, if there is one (R41). */
export const renewed = async (call: Call): Promise<Call> => (await call.renewed?.()) ?? call

/** What replaces a call; it is not renewed where its source gave the same token again, which may be spent (R41). */
export function unlessRepeated({ credential }: Call, { renewed, ...call }: Call): Call {
  const isSame = call.credential?.header === credential?.header
  return renewed && !isSame ? { ...call, renewed } : call
}

/** Handles the end of a call whose token was spent: no answer where it can be renewed, else the error. */
export const whereRenewable =
  (call: Call, tries: number) =>
  (error: unknown): Answer | undefined => {
    if (error instanceof TokenSpent && call.renewed && tries < mostTries) return undefined
    throw error
  }
