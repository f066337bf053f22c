import { matchesGlob } from '../../helpers/requirement/selection.ts'
import type { FaultRow } from '../matrix.ts'
import type { Assertion } from './assertions.ts'

/** An assertion that is left out or negated, by its number in the copy of the suite. */
export interface Mutant {
  number: number
  assertion: Assertion
  /** The ids of its requirements. */
  ids: string[]
  /** Those of them that some fault turns red. */
  redIds: string[]
}

/** A faulty server that is examined with and without some assertions, each of other requirements. */
export interface Trial {
  fault: string
  /** The requirements that are asked for. */
  ids: string[]
  mutants: Mutant[]
}

/** The mutant of an assertion. */
export function mutantOf(
  assertion: Assertion,
  number: number,
  ids: readonly string[],
  faults: readonly FaultRow[],
): Mutant {
  const red = new Set(faults.flatMap((fault) => fault.red))
  const own = ids.filter((id) => assertion.ids.some((glob) => matchesGlob(id, glob)))
  return { number, assertion, ids: own, redIds: own.filter((id) => red.has(id)) }
}

/**
 * Returns each mutant a fault that its requirements find and with which it was not tried before. Mutants of different
 * requirements share a trial, so that few are needed, unless each has to be alone.
 */
export function planTrials(
  mutants: readonly Mutant[],
  tried: ReadonlyMap<Mutant, ReadonlySet<string>>,
  faults: readonly FaultRow[],
  { alone }: { alone: boolean },
): Trial[] {
  const trials: Trial[] = []
  const waiting = new Set(mutants)
  const fits = ({ name, red }: FaultRow, mutant: Mutant) =>
    !tried.get(mutant)?.has(name) && mutant.redIds.some((id) => red.includes(id))
  for (;;) {
    const [fault, candidates] = faults
      .map((each): Choice => [each, [...waiting].filter((mutant) => fits(each, mutant))])
      // of equals, the one that turns least red shows most
      .reduce((best, next) => (isBetter(next, best) ? next : best), [faults[0]!, []])
    if (candidates.length === 0) return trials
    const chosen = alone ? candidates.slice(0, 1) : ofDifferentRequirements(candidates)
    for (const mutant of chosen) waiting.delete(mutant)
    const ids = new Set(chosen.flatMap((mutant) => mutant.redIds.filter((id) => fault.red.includes(id))))
    trials.push({ fault: fault.name, ids: [...ids], mutants: chosen })
  }
}

type Choice = readonly [FaultRow, readonly Mutant[]]

const isBetter = ([fault, candidates]: Choice, [best, most]: Choice) =>
  candidates.length > most.length || (candidates.length === most.length && fault.red.length < best.red.length)

/** Divides mutants into rounds; no two in a round share a requirement. */
export function roundsOf(mutants: readonly Mutant[]): Mutant[][] {
  const rounds: Mutant[][] = []
  for (let left = [...mutants]; left.length > 0; left = left.filter((each) => !rounds.at(-1)!.includes(each)))
    rounds.push(ofDifferentRequirements(left))
  return rounds
}

/** Some of the mutants, no two of which share a requirement. */
function ofDifferentRequirements(mutants: readonly Mutant[]): Mutant[] {
  const chosen: Mutant[] = []
  const ids = new Set<string>()
  for (const mutant of mutants) {
    if (mutant.ids.some((id) => ids.has(id))) continue
    chosen.push(mutant)
    for (const id of mutant.ids) ids.add(id)
  }
  return chosen
}
