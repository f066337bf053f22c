/** Whether a call prepares a case or is what the case is about. */
export type Phase = 'arrange' | 'act'

/** Why a case could not go on after a call that has to succeed. */
export interface Stop {
  /** The operation, as in the id of the requirement that answers for it: `group.create` for `group.create.answers`. */
  operation: string
  phase: Phase
  why: string
  /** Absent where no answer came at all. */
  status?: number
  /** The RPC code in the error body, where there is one. */
  code?: number
  /** What the target does not trust or bind, where that is why it refused (R56). */
  distrusted?: 'claimMatch' | 'role'
  /** Set where the operation itself may not be offered (R49): its path is not printed, and it was answered as missing. */
  absent?: true
}

/** A call that has to succeed did not; `reports/verdict.ts` alone decides who is to blame. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  readonly stop: Stop

  constructor(stop: Stop) {
    super(`${stop.operation} ${stop.why}`)
    this.stop = stop
  }
}

/** The target, or what the run needs of it, is gone: nothing can be said about the contract. */
export class TargetGone extends Error {
  override readonly name = 'TargetGone'
}

/** The call was refused, and so is the run's token everywhere else (R56). */
export class TokenEnded extends TargetGone {}

/** The case cannot be decided: thrown by a helper outside a fixture's reach, and read like a skip with its note. */
export class Inconclusive extends Error {
  override readonly name: string = 'Inconclusive'
}

/** Ends a case that would write where the run may only read. */
export function mustWrite(what: string, { readOnly }: { readOnly?: true }): void {
  if (readOnly) throw new Inconclusive(`${what} is not sent under --read-only: nothing is written`)
}

/**
 * Operations whose paths the contract does not print seem not to be there (R49): the row is *not offered*, unless one of
 * them answered elsewhere in the run. Of what was just made, the thing itself may not be there yet (R52).
 */
export class NotOffered extends Inconclusive {
  override readonly name = 'NotOffered'
  readonly operations: readonly string[]
  /** False where the thing that was asked for may be missing instead: the answer was a 404 or 410. */
  readonly certain: boolean

  /** `why` is the answer that said so, or the reason in words. */
  constructor(operations: string | readonly string[], why: { status: number } | string) {
    const { status = undefined } = typeof why === 'string' ? {} : why
    const reason = typeof why === 'string' ? why : `it was answered ${status}`
    super(`this target does not offer ${[operations].flat().join(' or ')}: ${reason}`)
    this.operations = [operations].flat()
    this.certain = status !== 404 && status !== 410
  }
}
