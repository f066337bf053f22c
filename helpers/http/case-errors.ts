/** Whether a call prepares a case or is what the case is about. */
export type Phase = 'arrange' | 'act'

/** Why a case could not go on after a call that must succeed. */
export interface Stop {
  /** The operation, as in the id of the requirement responsible for it: `group.create` for `group.create.answers`. */
  operation: string
  phase: Phase
  why: string
  /** Absent where no answer came. */
  status?: number
  /** The RPC code in the error body, where there is one. */
  code?: number
  /** What the target does not trust or bind, if that is why it refused (R56). */
  distrusted?: 'claimMatch' | 'role'
  /** Set where the operation itself may not be offered (R49): its path is not printed, and it seems to be missing. */
  absent?: true
}

/** A call that must succeed did not; `reports/judge/verdict.ts` alone decides who is to blame. */
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

/** The run's token is refused everywhere (R56), or every call leads to a login. */
export class TokenEnded extends TargetGone {
  constructor({ status }: { status: number }) {
    const led = `the target now answers everything with a ${status === 200 ? 'page' : 'redirect'} (${status}): a login is asked for`
    super(status === 401 ? 'the API token is no longer accepted: it ended while the run went on' : led)
  }
}

/** The target takes no connections any more. */
export class Unreachable extends TargetGone {}

/** The case cannot be decided: thrown by a helper that has no fixtures, and treated like a skip with a note. */
export class Inconclusive extends Error {
  override readonly name: string = 'Inconclusive'
}

/** Nobody knows whether a write arrived: its answer was lost, or a gateway gave up on it (R43, R56). */
export class Lost extends Inconclusive {
  constructor(operation: string, why: string) {
    super(`${operation} ${why}: whether it arrived is open, and it is not made again`)
  }
}

/** A page token or an identity token was sent once more and refused: it may work only once (R14, R41). */
export class TokenSpent extends Inconclusive {}

/** Ends a case that would write where the run may only read. */
export function mustWrite(what: string, { readOnly }: { readOnly?: true }): void {
  if (readOnly) throw new Inconclusive(`${what} is not sent under --read-only: nothing is written`)
}

/**
 * Operations whose paths the contract does not print seem to be missing (R49): the row is *not offered*, unless one of
 * them answered elsewhere in the run. Something just made may not be there yet itself (R52).
 */
export class NotOffered extends Inconclusive {
  override readonly name = 'NotOffered'
  readonly operations: readonly string[]
  /** False where the resource may be missing instead: the answer was a 404 or 410. */
  readonly certain: boolean

  /** `why` is the answer that showed it, or the reason in words. */
  constructor(operations: string | readonly string[], why: { status: number } | string) {
    const { status = undefined } = typeof why === 'string' ? {} : why
    const reason = typeof why === 'string' ? why : `it was answered ${status}`
    super(`this target does not offer ${[operations].flat().join(' or ')}: ${reason}`)
    this.operations = [operations].flat()
    this.certain = status !== 404 && status !== 410
  }
}
