import type { Outcome } from './outcome.ts'
import type { Requirement } from './report.ts'

/** The requirements with one outcome. */
export function told(requirements: readonly Requirement[], outcome: Outcome): Requirement[] {
  return requirements.filter((requirement) => requirement.outcome === outcome)
}

/** How many requirements could not be told because of one. */
export function blockedCount(id: string, requirements: readonly Requirement[]): number {
  return requirements.filter(({ blockedBy }) => blockedBy === id).length
}

/** What blocks most comes first: the cause before its consequences. */
export function worstFirst(some: readonly Requirement[], all: readonly Requirement[]): Requirement[] {
  return [...some].sort((a, b) => blockedCount(b.id, all) - blockedCount(a.id, all))
}
