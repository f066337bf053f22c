import { present } from '../../schemas/present.ts'

/** The content of a failed assertion about the target: what was expected, what came back, and where. */
export interface Claim {
  message: string
  expected: unknown
  got: unknown
  where?: string
  /** The words of the contract that it breaks, where the requirement's own do not say it as plainly. */
  quote?: string
}

/** A failed assertion about the target; named so that no runner takes it for a bug of ours. */
export class Violation extends Error {
  override readonly name = 'AssertionError'
  readonly claim: { expected: string; got: string; where?: string; quote?: string }

  constructor(claim: Claim) {
    super(claim.message)
    const { where, quote } = claim
    this.claim = { expected: shown(claim.expected), got: shown(claim.got), ...present({ where, quote }) }
  }
}

/** Fails the case with a claim about the target. */
export function violated(claim: Claim): never {
  const violation = new Violation(claim)
  Error.captureStackTrace(violation, violated)
  throw violation
}

/** True for a failed assertion about the target, ours or the runner's. */
export function isViolation(error: unknown): boolean {
  return error instanceof Error && error.name === 'AssertionError'
}

/** A value as one short line of text, JSON where it can be. */
function shown(value: unknown, limit = 400): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text
}
