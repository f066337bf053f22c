import type { ProfileReport, Report, Requirement } from '../../schemas/types.ts'
import { countAgain, judgeAgain } from '../judge/rejudge.ts'
import { digestOf } from './digests.ts'

/** Why later runs did not go on with a run, a line each; none where they did. */
export function resumedProblems(
  first: Report,
  later: readonly Report[],
  [name = '', ...names]: readonly string[],
): string[] {
  if (first.resumable === undefined || first.resumes !== undefined)
    return [`${name} is no report of a run that left page tokens for a later one`]
  return later.flatMap((one, at) => [
    ...(one.resumes === first.resumable ? [] : [`${names[at]} goes on with another run than ${name}`]),
    ...alike
      .filter(([, of]) => digestOf(of(one) ?? null) !== digestOf(of(first) ?? null))
      .map(([what]) => `${names[at]} has another ${what} than ${name}`),
    ...one.problems.map((problem) => `${names[at]} is not whole: ${problem}`),
  ])
}

/** What a run and one that goes on with it share. */
const alike: [what: string, of: (report: Report) => unknown][] = [
  ['target', ({ target }) => target],
  ['suite', ({ suite }) => suite],
  ['build', ({ digests }) => [digests?.suite, digests?.contract]],
  ['configuration', ({ configuration: { seed: _, concurrency: __, rateLimit: ___, ...rest } = {} }) => rest],
]

/** What tells most comes first. */
const weight: Requirement['outcome'][] = ['fail', 'error', 'warning', 'pass', 'observed', 'inconclusive']

/** A run with what later ones told that went on with it: of the time part alone, and never a lighter outcome than before. */
export function mergeResumed(first: Report, later: readonly Report[]): Report {
  const { baseline: _, ...base } = first
  const rows = new Map(base.requirements.map((one) => [one.id, one]))
  const resumed = later.map((part) => {
    const told = part.requirements.filter((one) => {
      const before = rows.get(one.id)
      return before?.profile === 'time' && weight.indexOf(one.outcome) < weight.indexOf(before.outcome)
    })
    for (const one of told) rows.set(one.id, one)
    const { startedAt, durationMs, seed, exchangesSent } = part
    const digests = withoutFiles(part.digests)
    const ids = told.map(({ id }) => id)
    return { startedAt, durationMs, seed, exchangesSent, told: ids, ...(digests ? { digests } : {}) }
  })
  const whole: Report = {
    ...base,
    requirements: [...rows.values()],
    exchangesSent: [base, ...later].reduce((sum, { exchangesSent }) => sum + exchangesSent, 0),
    left: [base, ...later].flatMap(({ left }) => left),
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
