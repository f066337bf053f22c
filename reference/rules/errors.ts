import type { Fields } from '../domain/item.ts'
import type { Problem } from '../domain/refusal.ts'
import type { Rules } from '../rules.types.ts'

const codes: Record<Problem, number> = {
  invalid: 3,
  missing: 5,
  taken: 6,
  forbidden: 7,
  exhausted: 8,
  notEmpty: 9,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
}
const reasons: Record<Problem, string> = {
  invalid: 'INVALID_ARGUMENT',
  missing: 'NOT_FOUND',
  taken: 'ALREADY_EXISTS',
  forbidden: 'PERMISSION_DENIED',
  exhausted: 'RESOURCE_EXHAUSTED',
  notEmpty: 'FAILED_PRECONDITION',
  unimplemented: 'UNIMPLEMENTED',
  internal: 'INTERNAL',
  unavailable: 'UNAVAILABLE',
  unauthenticated: 'UNAUTHENTICATED',
}
const openings: Record<Problem, string> = {
  invalid: 'Invalid argument',
  missing: 'Not found',
  taken: 'Already exists',
  forbidden: 'Permission denied',
  exhausted: 'Resource exhausted',
  notEmpty: 'Precondition failed',
  unimplemented: 'Not implemented',
  internal: 'Internal error',
  unavailable: 'Unavailable',
  unauthenticated: 'Unauthenticated',
}
const statuses: Record<Problem, number> = {
  invalid: 400,
  missing: 404,
  taken: 409,
  forbidden: 403,
  exhausted: 429,
  notEmpty: 400,
  unimplemented: 405,
  internal: 500,
  unavailable: 503,
  unauthenticated: 401,
}
const detailType = (name: string) => `type.googleapis.com/google.rpc.${name}`

/** The rules about refusals (section 7). */
export const errorRules = {
  errorCode: ({ problem }) => codes[problem],
  errorReason: ({ problem }) => reasons[problem],
  errorDomain: () => 'iam.reference.test',
  errorMessage: ({ problem, field, description }) => `${openings[problem]}: ${field}: ${description}`,
  errorDetails({ problem, field, description }, info) {
    const details: Fields[] = [{ '@type': detailType('ErrorInfo'), ...info }]
    if (problem === 'invalid') {
      details.push({ '@type': detailType('BadRequest'), fieldViolations: [{ field, description }] })
    }
    if (problem === 'notEmpty') {
      const violation = { type: 'RESOURCE_NOT_EMPTY', description }
      details.push({ '@type': detailType('PreconditionFailure'), violations: [violation] })
    }
    return details
  },
  errorStatus: ({ problem }) => statuses[problem],
} satisfies Partial<Rules>
