import { present } from '../../schemas/present.ts'
import type { Case, Ending, Report } from '../../schemas/types.ts'
import { keepEvidence, mostOfStory } from '../judge/evidence.ts'
import type { Facts } from './report.ts'

/** What a report of one shard holds. */
type ShardReport = Report & { cases: Case[]; selection: { shard: { index: number; of: number } } }

/** The cases of a whole run, and the other facts of its report. */
export interface Merged {
  cases: Case[]
  facts: Omit<Facts, 'contract' | 'untestable'>
}

/** Why reports are not the shards of one run, a line each; none if they are. */
export function mergeProblems(reports: readonly Report[], names: readonly string[]): string[] {
  const whole = reports.flatMap((report, at) => (isShard(report) ? [] : [`${names[at]} is not the report of a shard`]))
  if (whole.length > 0) return whole
  const shards = reports as readonly ShardReport[]
  const first = shards[0]!
  const differ = shards.flatMap((one, at) =>
    alike
      .filter(([, of]) => JSON.stringify(of(one)) !== JSON.stringify(of(first)))
      .map(([what]) => `${names[at]} has a different ${what} from ${names[0]}`),
  )
  if (differ.length > 0) return differ
  const { of } = first.selection.shard
  const indices = shards.map(({ selection }) => selection.shard.index)
  return Array.from({ length: of }, (_, at) => at + 1).flatMap((index) => {
    const count = indices.filter((other) => other === index).length
    return count === 1 ? [] : [count === 0 ? `shard ${index}/${of} is missing` : `shard ${index}/${of} is given twice`]
  })
}

/** The facts that the shards of one run share. */
const alike: [what: string, of: (report: ShardReport) => unknown][] = [
  [
    'target',
    ({ target: { name, version, baseUrl, apiVersion, embedded } }) =>
      // each embedded reference has a port of its own
      [name, version, embedded ? '' : baseUrl, apiVersion, embedded],
  ],
  ['suite', ({ suite: { name, version } }) => [name, version]],
  ['configuration', ({ digests }) => digests?.configuration],
  ['build', ({ digests }) => [digests?.suite, digests?.contract]],
  ['seed', ({ seed }) => seed],
  ['selection', ({ selection: { only, skip, profiles } }) => [only, skip, profiles]],
  ['number of shards', ({ selection: { shard } }) => shard.of],
  ['way of writing', ({ readOnly = false }) => readOnly],
]

const isShard = (report: Report): report is ShardReport =>
  Array.isArray(report.cases) && report.selection.shard !== undefined

/** The cases as a shard's report keeps them: no more of their evidence than a report shows. */
export function casesToMerge(cases: readonly Case[]): Case[] {
  return cases.map((each) => ({
    ...each,
    exchanges: keepEvidence(each.exchanges, each.steps && mostOfStory, each.ending),
  }))
}

/** Joins the shards of one run; the cases come in the order of the ids given. */
export function mergeShards(reports: readonly Report[], order: readonly string[]): Merged {
  const shards = [...(reports as readonly ShardReport[])].sort(
    (a, b) => a.selection.shard.index - b.selection.shard.index,
  )
  const first = shards[0]!
  const cases = new Map<string, Case>()
  for (const one of shards.flatMap((shard) => shard.cases)) {
    const other = cases.get(one.header.id)
    cases.set(one.header.id, other ? joined(other, one) : one)
  }
  const place = new Map(order.map((id, at) => [id, at]))
  const began = Math.min(...shards.map(({ startedAt }) => Date.parse(startedAt)))
  const ended = Math.max(...shards.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs))
  const { shard: _, ...selection } = first.selection
  const resumable = shards.find((shard) => shard.resumable !== undefined)?.resumable
  const kept = shards.flatMap((shard) => shard.kept ?? [])
  const problems = shards.flatMap((one) =>
    one.problems.map((problem) => `shard ${one.selection.shard.index}/${one.selection.shard.of}: ${problem}`),
  )
  return {
    cases: [...cases.values()].sort((a, b) => (place.get(a.header.id) ?? 0) - (place.get(b.header.id) ?? 0)),
    facts: present({
      target: first.target,
      suite: first.suite,
      node: first.node,
      startedAt: new Date(began).toISOString(),
      durationMs: ended - began,
      seed: first.seed,
      selection,
      exchangesSent: shards.reduce((sum, { exchangesSent }) => sum + exchangesSent, 0),
      problems,
      configuration: first.configuration,
      digests: first.digests,
      left: shards.flatMap(({ left }) => left),
      readOnly: first.readOnly,
      traces: withTraces(shards),
      resumable,
      kept: kept.length > 0 ? kept : undefined,
    }),
  }
}

/** The traces of all parts; none if a part has none, because the others would not show its calls. */
export function withTraces(parts: readonly Report[]): Report['traces'] {
  return parts.every(({ traces }) => traces !== undefined) ? parts.flatMap(({ traces = [] }) => traces) : undefined
}

/** The worse ending comes first. */
const weight: Ending['how'][] = ['violated', 'broken', 'stopped', 'passed', 'untold']

/** One claim about all calls of the run, judged by two shards over theirs: the worse ending, and all observations. */
function joined(one: Case, other: Case): Case {
  const [graver, lighter] =
    weight.indexOf(other.ending.how) < weight.indexOf(one.ending.how) ? [other, one] : [one, other]
  const seen = [...new Set([one, other].flatMap(({ observed }) => observed ?? []))].join('; ')
  return {
    ...graver,
    requests: graver.requests + lighter.requests,
    ms: graver.ms + lighter.ms,
    ...(seen === '' ? {} : { observed: seen }),
  }
}
