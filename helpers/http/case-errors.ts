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
}

/** A call that has to succeed did not; who is to blame is told by `reports/verdict.ts` alone. */
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

/** The case cannot be told: thrown by a helper outside a fixture's reach, and read like a skip with its note. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive'
}

/** Ends a case that would write where the run may only read. */
export function mustWrite(what: string, { readOnly }: { readOnly?: true }): void {
  if (readOnly) throw new Inconclusive(`${what} is not sent under --read-only: nothing is written`)
}

/** An operation seems not to be there (R49); of what was just made, the thing itself may not be there yet (R52). */
export class NoSuchOperation extends Inconclusive {}
