import { present } from '../../schemas/present.ts'
import type { ProfileReport, Report, Requirement } from '../../schemas/types.ts'
import { countAgain, judgeAgain } from '../judge/rejudge.ts'
import { digestOf } from './digests.ts'
import { withTraces } from './merge.ts'

/** Why later runs did not continue a run, a line each; none if they did. */
export function resumedProblems(
  first: Report,
  later: readonly Report[],
  [name = '', ...names]: readonly string[],
): string[] {
  if (first.resumable === undefined || first.resumes !== undefined)
    return [`${name} is not the report of a run that left page tokens for a later one`]
  return later.flatMap((one, at) => [
    ...(one.resumes === first.resumable ? [] : [`${names[at]} continues a different run, not that of ${name}`]),
    ...alike
      .filter(([, of]) => digestOf(of(one) ?? null) !== digestOf(of(first) ?? null))
      .map(([what]) => `${names[at]} has a different ${what} from ${name}`),
    ...one.problems.map((problem) => `${names[at]} is not whole: ${problem}`),
  ])
}

/** What a run and one that continues it share. */
const alike: [what: string, of: (report: Report) => unknown][] = [
  ['target', ({ target }) => target],
  ['suite', ({ suite }) => suite],
  ['build', ({ digests }) => [digests?.suite, digests?.contract]],
  ['configuration', ({ configuration: { seed: _, concurrency: __, rateLimit: ___, ...rest } = {} }) => rest],
]

/** The worse outcome comes first. */
const weight: Requirement['outcome'][] = ['fail', 'error', 'warning', 'pass', 'observed', 'not offered', 'inconclusive']

/** A run with the outcomes of later runs that continued it: only of the time part, and never milder than before. */
export function mergeResumed(first: Report, later: readonly Report[]): Report {
  const { baseline: _, traces: __, ...base } = first
  const rows = new Map(base.requirements.map((one) => [one.id, one]))
  const resumed = later.map((part) => {
    const decided = part.requirements.filter((one) => {
      const before = rows.get(one.id)
      return before?.profile === 'time' && weight.indexOf(one.outcome) < weight.indexOf(before.outcome)
    })
    for (const one of decided) rows.set(one.id, one)
    const { startedAt, durationMs, seed, exchangesSent } = part
    const digests = withoutFiles(part.digests)
    const ids = decided.map(({ id }) => id)
    return { startedAt, durationMs, seed, exchangesSent, told: ids, ...present({ digests }) }
  })
  const whole: Report = {
    ...base,
    requirements: [...rows.values()],
    exchangesSent: [base, ...later].reduce((sum, { exchangesSent }) => sum + exchangesSent, 0),
    left: [base, ...later].flatMap(({ left }) => left),
    ...present({ traces: withTraces([first, ...later]) }),
    resumed: [...(base.resumed ?? []), ...resumed.filter(({ told }) => told.length > 0)],
  }
  const profiles = base.profiles.map(({ profile }): ProfileReport => {
    const requirements = whole.requirements.filter((one) => one.profile === profile)
    const own = { ...whole, requirements, selection: { ...whole.selection, profiles: [profile] } }
    return { profile, verdict: judgeAgain(own), ...countAgain(own) }
  })
  return { ...whole, verdict: judgeAgain(whole), totals: countAgain(whole), profiles }
}

function withoutFiles(digests: Report['digests']) {
  if (digests === undefined) return undefined
  const { files: _, ...rest } = digests
  return rest
}

/** The requirements that only a later run decided. */
export function decidedLater({ resumed = [] }: Report): ReadonlySet<string> {
  return new Set(resumed.flatMap(({ told }) => told))
}
