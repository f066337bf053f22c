import type { Exchange, Report, Requirement, TraceEnded } from '../../schemas/types.ts'
import { type JudgedTrace, keyOf } from './traced.ts'

/** How far apart the times of a report and of its trace may be, in milliseconds: both are by the suite's clock. */
const tolerance = 2_000
/** The most problems of one sort that are listed. */
const mostListed = 10

/** Where a report does not fit the traces that belong to it, a line each. */
export function misfits(report: Report, traces: readonly JudgedTrace[]): string[] {
  const sent = traces.reduce((sum, { exchanges }) => sum + exchanges, 0)
  return [
    ...traces.flatMap((trace) => [
      ...cutShort(trace.problems).map((problem) => `${trace.file} contradicts itself: ${problem}`),
      ...ofAnotherRun(report, trace),
      ...atAnotherTime(report, trace),
    ]),
    ...(sent > report.exchangesSent
      ? [`the report counts ${report.exchangesSent} calls, and its trace holds ${sent}`]
      : []),
    ...cutShort(report.requirements.flatMap((row) => rowMisfits(row, traces, isRedIn(report)))),
    ...cutShort(report.requirements.flatMap((row) => strangeEvidence(row, traces))),
  ]
}

function cutShort(problems: readonly string[]): string[] {
  const more = problems.length - mostListed
  return [...problems.slice(0, mostListed), ...(more > 0 ? [`and ${more} more of that sort`] : [])]
}

/** The facts that a report and the first line of its trace share. */
function ofAnotherRun(
  { target, suite, seed, configuration, digests, resumed = [], traces = [] }: Report,
  trace: JudgedTrace,
) {
  const { header, file } = trace
  const differs = (what: string, stated: unknown, found: readonly unknown[]) =>
    found.includes(stated) ? [] : [`${file} is of another ${what}: ${String(stated)}, not ${String(found[0])}`]
  // each shard has an embedded reference of its own
  const isAlone = !target.embedded || traces.length === 1
  return [
    ...(isAlone ? differs('target', header.baseUrl, [target.baseUrl]) : []),
    ...differs('version of the API', header.apiVersion, [target.apiVersion]),
    ...(typeof configuration?.groupUid === 'string' ? differs('group', header.groupUid, [configuration.groupUid]) : []),
    ...differs('seed', header.seed, [seed, ...resumed.map((part) => part.seed)]),
    ...differs(
      'run',
      header.run,
      traces.filter((each) => each.sha256 === trace.sha256).map(({ run }) => run),
    ),
    ...differs('version of the suite', header.suite.version, [suite.version]),
    ...(digests ? differs('build of the suite', header.suite.digest, [digests.suite]) : []),
    ...(digests
      ? differs('configuration', header.configuration, [
          digests.configuration,
          ...resumed.map((part) => part.digests?.configuration),
        ])
      : []),
  ]
}

/** Every call of a trace was sent during its run. */
function atAnotherTime({ startedAt, durationMs, resumed = [] }: Report, { header, first, last, file }: JudgedTrace) {
  const runs = [{ startedAt, durationMs }, ...resumed]
  const isWithin = (time: string) =>
    runs.some((run) => {
      const from = Date.parse(run.startedAt)
      return Date.parse(time) >= from - tolerance && Date.parse(time) <= from + run.durationMs + tolerance
    })
  return [...new Set([header.wall, first, last])].flatMap((time) =>
    time === undefined || isWithin(time)
      ? []
      : [
          `${file} holds a call of ${time}, and the run was from ${startedAt} on for ${Math.round(durationMs / 1000)} seconds`,
        ],
  )
}

/** Says whether a requirement is red. */
function isRedIn({ requirements }: Report): (id: string) => boolean {
  const red = new Set(requirements.filter(isRed).map(({ id }) => id))
  return (id) => red.has(id)
}

const isRed = ({ outcome }: Pick<Requirement, 'outcome'>) => outcome === 'fail' || outcome === 'warning'

/** Where a row differs from its case in the trace, or from what its answers lead to when they are judged again. */
function rowMisfits(row: Requirement, traces: readonly JudgedTrace[], isRedRow: (id: string) => boolean): string[] {
  const { id, outcome, startedAt, requests, level } = row
  const cases = traces.flatMap(({ ended }) => ended.get(id) ?? [])
  const isDone = ['pass', 'fail', 'warning', 'observed'].includes(outcome)
  if (cases.length === 0) return isDone ? [`${id} is ${outcome}, and no case of it is in the trace`] : []
  const one = cases.find((each) => each.startedAt === startedAt)
  const counts = [one?.requests, cases.reduce((sum, each) => sum + each.requests, 0)]
  return [
    ...(one === undefined
      ? [
          `${id} began at ${startedAt ?? 'no time'}, and its case in the trace at ${cases[0]!.startedAt}: it is of another run`,
        ]
      : []),
    ...(one !== undefined && !counts.includes(requests)
      ? [`${id} counts ${requests} requests, and its case in the trace sent ${one.requests}`]
      : []),
    ...(cases.some((each) => each.level === level)
      ? []
      : [`${id} is a ${level}, and a ${cases[0]!.level} in the trace`]),
    ...unlikeItsCase(row, cases),
    ...judgedOtherwise(row, traces, isRedRow),
  ]
}

/** What passed in the report passed in the trace, and what passed in the trace is decided in the report. */
function unlikeItsCase({ id, outcome, note = '' }: Requirement, cases: readonly TraceEnded[]): string[] {
  const states = cases.map(({ state }) => state)
  const state = states.includes('fail') ? 'fail' : states.includes('pass') ? 'pass' : 'skip'
  const says = { pass: 'passed', fail: 'did not pass', skip: 'could not be decided' }[state]
  const wanted = outcome === 'pass' || outcome === 'observed' ? ['pass'] : outcome === 'error' ? [] : ['fail', 'skip']
  // a call that failed while another case was arranged is blamed on its own requirement
  if (wanted.length === 0 || wanted.includes(state) || note.startsWith('answered wrongly while')) return []
  return [`${id} is ${outcome}, and its case in the trace ${says}`]
}

/** What the judge of the trace finds about a row that it decides. */
function judgedOtherwise(
  row: Requirement,
  traces: readonly JudgedTrace[],
  isRedRow: (id: string) => boolean,
): string[] {
  const { id, outcome, note = '', blockedBy } = row
  const found = traces.flatMap(({ decided }) => decided.get(id) ?? [])
  const broken = found.find((each) => each.outcome === 'broken')
  if (found.length === 0 || outcome === 'error' || note.startsWith('answered wrongly while')) return []
  if (broken) {
    const isBlocked = outcome === 'inconclusive' && blockedBy !== undefined && isRedRow(blockedBy)
    const { expected, got, shown } = broken
    return isRed(row) || isBlocked
      ? []
      : [`${id} is ${outcome}, and the trace judged again shows otherwise: expected ${expected}, got ${got} (${shown})`]
  }
  if (isRed(row)) return [`${id} is ${outcome}, and the trace judged again shows nothing wrong`]
  const holds = found.some((each) => each.outcome === 'holds')
  if (outcome === 'pass' && !holds) return [`${id} is pass, and the trace shows too little of it`]
  return outcome === 'inconclusive' && holds ? [`${id} is inconclusive, and the trace judged again decides it`] : []
}

/** What a row shows as evidence is in the trace. */
function strangeEvidence({ id, exchanges = [] }: Requirement, traces: readonly JudgedTrace[]): string[] {
  return exchanges.flatMap(({ number, sentAt, operation, request, response }: Exchange) => {
    const known = traces.flatMap((trace) => trace.known.get(keyOf(number, sentAt)) ?? [])
    if (known.length === 0) return [`${id} shows exchange ${number} of ${sentAt}, which is not in the trace`]
    const same = known.some(
      (each) =>
        each.operation === operation &&
        each.method === request.method &&
        (each.status === undefined || each.status === response?.status),
    )
    return same ? [] : [`${id} shows exchange ${number} differently from the trace`]
  })
}

/** What was computed again from traces and what is taken on trust, in sentences. */
export function trusted(report: Report, traces: readonly JudgedTrace[]): string[] {
  const rows = report.requirements.length
  if (traces.length === 0)
    return [
      `No trace belongs to this report: all ${rows} outcomes, the counts of requests and the exchanges are taken on trust.`,
    ]
  const decided = report.requirements.filter(({ id }) => traces.some((trace) => trace.decided.has(id))).length
  const exchanges = traces.reduce((sum, trace) => sum + trace.exchanges, 0)
  return [
    `Computed again: ${decided} of ${rows} outcomes, by judging ${exchanges} recorded answers; digests, counts and verdicts.`,
    `Compared with the trace: level, time, number of requests and end of each of the ${rows} cases, and every exchange that the report shows.`,
    `Taken on trust: what ${rows - decided} cases asserted while they ran, whether identity tokens were signed by their issuer, what the hook said of the target's clock, and that the recorded answers are those of the target.`,
  ]
}
