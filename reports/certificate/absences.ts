import type { Report, Requirement } from '../../schemas/types.ts'
import { missingIn } from '../model/claims.ts'
import type { JudgedTrace } from './traced.ts'

/** The most problems that are listed. */
const mostListed = 10

/**
 * The rows that say without grounds that the target need not offer something (R49): they are in no total, and must not
 * hide a failure. `isOptional` is true for an operation that a target need not have.
 */
export function strangeAbsences(
  { requirements }: Pick<Report, 'requirements'>,
  traces: readonly JudgedTrace[],
  isOptional: (operation: string) => boolean,
): string[] {
  return requirements
    .filter(({ outcome }) => outcome === 'not offered')
    .flatMap((row) => absence(row, traces, isOptional))
    .slice(0, mostListed)
}

function absence(row: Requirement, traces: readonly JudgedTrace[], isOptional: (operation: string) => boolean) {
  const { id } = row
  const named = missingIn([row]).flatMap(({ operations }) => operations)
  const answered = named.find((operation) => traces.some((trace) => trace.answered.has(operation)))
  if (answered !== undefined) return [`${id} is not offered, and the trace shows that ${answered} was answered`]
  const cases = traces.flatMap(({ ended }) => ended.get(id) ?? [])
  if (!cases.some(({ state }) => state === 'fail')) return []
  // a case fails so only if such an operation was refused, or a whole part is not there
  const isPart = (what: string) => (/ in v1$/.test(what) && id.includes('v1')) || id.startsWith('grpc.')
  const isRefused = (operation: string) => isOptional(operation) && traces.some((trace) => trace.refused.has(operation))
  return named.every((what) => isPart(what) || isRefused(what))
    ? []
    : [`${id} is not offered, and its case in the trace failed`]
}
