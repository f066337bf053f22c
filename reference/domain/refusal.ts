import type { Fields } from './item.ts'
import type { At } from './world.ts'

/** Why a call is refused; the rules say which code, reason and status that is (section 7). */
export type Problem =
  | 'invalid'
  | 'missing'
  | 'taken'
  | 'forbidden'
  | 'exhausted'
  | 'notEmpty'
  | 'unimplemented'
  | 'internal'
  | 'unavailable'
  | 'unauthenticated'

/** A refused call, before anybody thinks of its wire form. */
export class Refusal extends Error {
  readonly problem: Problem
  /** The field, parameter or resource that is at fault. */
  readonly field: string
  readonly description: string

  constructor(problem: Problem, field: string, description: string) {
    super(`${problem}: ${field}: ${description}`)
    this.problem = problem
    this.field = field
    this.description = description
  }
}

/** Throws what the rules hold against a call on a uid or a scope (R56). */
export function unopposed(uid: string, at: At): void {
  const objection = at.world.rules.objection(uid, at)
  if (objection) throw objection
}

/** The error body of a refusal (S7.1). */
export function errorBody(refusal: Refusal, at: At): Fields {
  const { rules } = at.world
  const info = { reason: rules.errorReason(refusal, at), domain: rules.errorDomain(at) }
  return {
    code: rules.errorCode(refusal, at),
    message: rules.errorMessage(refusal, at),
    details: rules.errorDetails(refusal, info, at),
  }
}
