import { violated } from '../assertions/violation.ts'
import type { AllAnswers } from '../invariants/all-answers.ts'
import type { Tally } from '../invariants/tally.ts'
import type { Header } from '../requirement/header.ts'
import { requirement } from './requirement.ts'

/** What every answer of the run must satisfy, and how to describe a wrong one. */
interface Asked<What> {
  /** Where the answers were counted. */
  of: (answers: AllAnswers) => Tally<What>
  /** How many answers are needed to judge, and what they are called. */
  least: number
  what: string
  /** How many there were, where the tally does not say. */
  met?: (answers: AllAnswers) => number
  expected: string
  got?: (wrong: What) => unknown
}

/** States what every answer of the run must satisfy: judged after all other cases, with the wrong ones as evidence. */
export function everyAnswer<What>(header: Omit<Header, 'alone'>, asked: Asked<What>): void {
  const { of, least, what, met, expected, got = (wrong) => wrong } = asked
  requirement({ ...header, alone: 'whole run' }, ({ run, evidence, atLeast }) => {
    const tally = of(run.allAnswers)
    atLeast(least, what, met ? met(run.allAnswers) : tally.met)
    evidence.push(...tally.astray.map(({ exchange }) => exchange))
    const [wrong] = tally.astray
    if (wrong === undefined) return
    const { operation, number } = wrong.exchange
    // not as its place, which release 0.1.0 did not name
    const message = `not every one of the ${what} is right: one of ${operation} is not, in exchange ${number}`
    violated({ message, expected, got: got(wrong.what) })
  })
}
