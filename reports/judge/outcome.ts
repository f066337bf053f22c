import type { Case, Ending, Header, Outcome, Requirement } from '../../schemas/types.ts'

/** The outcome of a case, in the members that a report has for it. */
type Judgement = { outcome: Outcome } & Pick<Requirement, 'note' | 'expected' | 'got' | 'where' | 'quote' | 'blockedBy'>

/** One requirement with its outcome: the record of its case, judged. */
export type Row = Omit<Case, 'ending' | 'scratch'> & Judgement

/** The outcome of a claim about the target that did not hold; an `observe` case must never make one. */
export function blamed({ level }: Header): Outcome {
  return level === 'must' ? 'fail' : level === 'should' ? 'warning' : 'error'
}

/** The record of a case with a judgement in place of its ending. */
export function judged({ ending: _, scratch: __, ...facts }: Case, judgement: Judgement): Row {
  return { ...facts, ...judgement }
}

/** The row of a case that no refused call stopped. */
export function plainRow(each: Case): Row {
  return judged(each, judgementOf(each.ending, each))
}

function judgementOf(ending: Ending, { header, observed }: Case): Judgement {
  if (ending.how === 'stopped') throw new Error(`${header.id} was stopped by a call: its row depends on others`)
  if (ending.how === 'passed') return passed(header, observed)
  const { how, ...said } = ending
  if (how === 'missing') return { note: ending.note, outcome: 'not offered' }
  if (how === 'untold') return { ...said, outcome: 'inconclusive' }
  if (how === 'broken') return { ...said, outcome: 'error' }
  const outcome = blamed(header)
  return outcome === 'error'
    ? { ...said, outcome, note: `an observe case made a claim: ${said.note}` }
    : { ...said, outcome }
}

function passed({ level }: Header, observed: string | undefined): Judgement {
  if (level !== 'observe') return { outcome: 'pass' }
  return observed === undefined
    ? { outcome: 'error', note: 'the case ended without an observation' }
    : { outcome: 'observed' }
}
