import type { Command } from 'commander'
import type { JudgedTrace } from '../../reports/certificate/traced.ts'
import { visible } from '../../reports/text/visible-text.ts'
import { suite } from '../input/package.ts'
import { Refused } from '../input/refused.ts'
import { judgeTrace } from '../trace/judge-trace.ts'

/** Adds the verb `judge`. */
export function addJudge(program: Command): void {
  program
    .command('judge')
    .description('judge the trace of a run again, without a network')
    .argument('<trace>', 'the trace.ndjson.gz of the run')
    .option('--all', 'print the rows that hold as well')
    .option('--json', 'print what was found as JSON')
    .addHelpText(
      'after',
      `
The model that judges every answer of a run judges the recorded answers, and arrives at the same rows. What single cases
asserted while they ran is not repeated.

Exit codes: 0 no must is broken, 1 a must is broken or the trace contradicts itself, 2 not a trace, or nothing to judge

Examples:
  ${suite.name} judge reports/out/trace.ndjson.gz
  ${suite.name} judge submission/evidence/trace.ndjson.gz --all`,
    )
    .action(judgeCommand)
}

/** `judge`: prints the outcomes of the rows of the model. */
async function judgeCommand(path: string, { all = false, json }: { all?: boolean; json?: boolean }): Promise<void> {
  const judged = await judgeTrace(path).catch((error: Error) => {
    if (!(error instanceof Refused)) throw error
    throw new Refused(`${error.message}. Give the trace.ndjson.gz that a run wrote beside its report.`)
  })
  if (judged.decided.size + judged.problems.length === 0)
    throw new Refused(
      `${path} has no row of the model: the run was not asked for one (model.*), or was cut short. Nothing can be judged.`,
    )
  const verdict = verdictOf(judged)
  process.stdout.write(json ? asJson(judged, verdict) : asText(judged, verdict, all))
  process.exitCode = verdict === 'fits' ? 0 : 1
}

/** The verdict on a trace in one word. */
type TraceVerdict = 'fits' | 'nonconformant' | 'contradictory'

function verdictOf({ problems, decided }: JudgedTrace): TraceVerdict {
  if (problems.length > 0) return 'contradictory'
  const broken = [...decided.values()].some(({ outcome, level }) => outcome === 'broken' && level === 'must')
  return broken ? 'nonconformant' : 'fits'
}

function asJson({ header, exchanges, problems, decided }: JudgedTrace, verdict: TraceVerdict): string {
  const rows = [...decided].map(([id, row]) => ({ id, ...row }))
  return `${JSON.stringify({ verdict, header, exchanges, problems, rows }, null, 2)}\n`
}

function asText({ header, exchanges, problems, decided, footer }: JudgedTrace, verdict: TraceVerdict, all: boolean) {
  const { run, baseUrl, wall, seed } = header
  const lines = [`Run ${run} of ${wall} at ${baseUrl}, seed ${seed}: ${exchanges} exchanges`]
  if (header.suite.version !== suite.version)
    lines.push(
      `The run was by version ${header.suite.version} of the suite, and this is ${suite.version}: it may judge otherwise.`,
    )
  for (const problem of problems) lines.push(`PROBLEM ${problem}`)
  if (footer.cut !== undefined) lines.push(`The trace ends before the run did: ${footer.cut}.`)
  for (const [id, { outcome, level, met, quote, expected, got, shown }] of decided) {
    if (outcome === 'broken')
      lines.push(
        `${level === 'must' ? 'FAIL' : 'WARN'} ${id} (${level}), ${shown}`,
        ...(quote === undefined ? [] : [`  contract  ${quote}`]),
        `  expected  ${expected}`,
        `  got       ${got}`,
      )
    else if (all) lines.push(`${outcome === 'holds' ? 'PASS' : 'OPEN'} ${id} (${level}), judged ${met} times`)
  }
  const rows = [...decided.values()]
  const of = (wanted: string) => {
    const own = rows.filter(({ level }) => level === wanted)
    return `${own.filter(({ outcome }) => outcome === 'holds').length}/${own.length}`
  }
  const open = rows.filter(({ outcome }) => outcome === 'open').length
  lines.push(`JUDGED ${verdict} must=${of('must')} should=${of('should')} inconclusive=${open}`)
  return `${lines.map((line) => visible(line)).join('\n')}\n`
}
