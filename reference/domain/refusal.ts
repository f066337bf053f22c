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

/** A refused call, independent of how HTTP carries it. */
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
