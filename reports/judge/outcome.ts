import type { Stop } from '../../helpers/http/case-errors.ts'
import type { Exchange } from '../../helpers/http/exchange.ts'
import type { Header } from '../../helpers/requirement/header.ts'

/** What became of a requirement; who is to blame is never mixed. */
export type Outcome = 'pass' | 'fail' | 'warning' | 'observed' | 'inconclusive' | 'error'

/** How a case ended, before anybody is blamed for it. */
export type Ending =
  | { how: 'passed' }
  /** An assertion about the target did not hold. */
  | { how: 'violated'; note: string; expected?: string; got?: string; where?: string }
  /** A call that has to succeed did not. */
  | { how: 'stopped'; stop: Stop; note: string; where?: string }
  /** It could not be told: skipped with a note, or never reached. */
  | { how: 'untold'; note: string }
  /** A bug of ours, or a target that is gone. */
  | { how: 'broken'; note: string; where?: string }

/** One case as the runner left it. */
export interface Case {
  header: Header
  ending: Ending
  /** The proof, where it did not pass. */
  exchanges: Exchange[]
  /** How many calls it made, shared arrangement left out. */
  requests: number
  observed?: string
  /** How much it met of what it is about. */
  met?: Record<string, number>
  steps?: string[]
  /** When it began: an RFC 3339 time by the suite's own clock. */
  startedAt?: string
  /** How long it took, in milliseconds. */
  ms: number
  /** The throw-away group that it was given. */
  scratch?: string
}

/** One requirement with what became of it. */
export interface Row {
  header: Header
  outcome: Outcome
  note?: string
  expected?: string
  got?: string
  where?: string
  /** The requirement whose failure keeps this one from being told. */
  blockedBy?: string
  observed?: string
  /** How much it met of what it is about: '12 pages, 3 ties'. */
  met?: string
  /** How a failure that needs a history comes about, in plain words; the last one says what went wrong. */
  steps?: string[]
  exchanges: Exchange[]
  requests: number
  startedAt?: string
  ms: number
}

/** The outcome of a claim about the target that did not hold; an `observe` case must never make one. */
export function blamed({ level }: Header): Outcome {
  return level === 'must' ? 'fail' : level === 'should' ? 'warning' : 'error'
}

/** The row of a case that no refused call stopped. */
export function plainRow({ header, ending, exchanges, requests, observed, met, steps, startedAt, ms }: Case): Row {
  const row = {
    header,
    exchanges,
    requests,
    ms,
    ...(observed === undefined ? {} : { observed }),
    ...(met === undefined ? {} : { met: inWords(met) }),
    ...(steps === undefined ? {} : { steps }),
    ...(startedAt === undefined ? {} : { startedAt }),
  }
  if (ending.how === 'passed') return { ...row, ...passed(header, observed) }
  const { how, ...told } = ending
  const outcome = how === 'violated' ? blamed(header) : how === 'untold' ? 'inconclusive' : 'error'
  if ('stop' in told) throw new Error(`${header.id} was stopped by a call: its row depends on others`)
  if (outcome === 'error' && how === 'violated') {
    return { ...row, ...told, outcome, note: `an observe case made a claim: ${told.note}` }
  }
  return { ...row, ...told, outcome }
}

const inWords = (met: Record<string, number>) =>
  Object.entries(met)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')

function passed({ level }: Header, observed: string | undefined): Pick<Row, 'outcome' | 'note'> {
  if (level !== 'observe') return { outcome: 'pass' }
  return observed === undefined
    ? { outcome: 'error', note: 'the case ended without saying what it saw' }
    : { outcome: 'observed' }
}
