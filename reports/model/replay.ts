import type { Report, Requirement } from '../../schemas/types.ts'
import { visible } from '../text/visible-text.ts'
import { failureText } from './fingerprint.ts'
import { headline } from './select.ts'

/** What became of a requirement when it was examined again. */
export type Again = 'the same' | 'otherwise' | 'passes' | 'untold'

/** One requirement of a report, and its outcome now. */
export interface Replayed {
  before: Requirement
  /** Absent if this version of the suite, or this run, has no requirement with that id. */
  now: Requirement | undefined
  again: Again
}

const isRed = ({ outcome }: Requirement) => outcome === 'fail' || outcome === 'warning'

/** What became of each, as data: its outcome before and now, and whether it is the same. */
export function replayToJson(replayed: readonly Replayed[]): string {
  const rows = replayed.map(({ before, now, again }) => ({
    id: before.id,
    again,
    before: before.outcome,
    now: now?.outcome,
  }))
  return `${JSON.stringify(rows, null, 2)}\n`
}

/** The requirements of a report that a replay examines where none are named: those that failed or warned. */
export function redOnes({ requirements }: Report): Requirement[] {
  return requirements.filter(isRed)
}

/** Compares requirements of a report with those of a second run. */
export function compareReplay(
  before: readonly Requirement[],
  { requirements }: Pick<Report, 'requirements'>,
): Replayed[] {
  return before.map((one) => {
    const now = requirements.find(({ id }) => id === one.id)
    return { before: one, now, again: againOf(one, now) }
  })
}

function againOf(before: Requirement, now: Requirement | undefined): Again {
  if (now === undefined || ['inconclusive', 'not offered', 'error'].includes(now.outcome)) return 'untold'
  if (!isRed(now)) return 'passes'
  return failureText(before) === failureText(now) ? 'the same' : 'otherwise'
}

/** The outcome of a replay, a line for each requirement and one with counts; never coloured. */
export function replayToConsole(replayed: readonly Replayed[]): string {
  const lines = replayed.map(({ before, now, again }) => {
    const words: Record<Again, string> = {
      'the same': isRed(before) ? 'the same: fails again in the same way' : 'the same: fails',
      otherwise: isRed(before)
        ? `different: before ${visible(headline(before), 300)}; now ${visible(headline(now ?? before), 300)}`
        : `different: fails now, before it was ${before.outcome}`,
      passes: isRed(before) ? 'gone: passes now' : `${now?.outcome} now, ${before.outcome} before`,
      untold: `inconclusive: ${visible(now?.note ?? 'this run has no such requirement', 200)}`,
    }
    return `${before.id} ${words[again]}\n`
  })
  const count = (again: Again) => replayed.filter((one) => one.again === again).length
  const total = `REPLAY same=${count('the same')} different=${count('otherwise')} passes=${count('passes')} inconclusive=${count('untold')}\n`
  return [...lines, total].join('')
}

/** The exit code of a replay: 1 if something still fails, 3 if it is inconclusive, 5 if something was left behind. */
export function replayExitCode(replayed: readonly Replayed[], left: number): 0 | 1 | 3 | 5 {
  if (replayed.some(({ again }) => again === 'the same' || again === 'otherwise')) return 1
  if (replayed.some(({ again }) => again === 'untold')) return 3
  return left > 0 ? 5 : 0
}
