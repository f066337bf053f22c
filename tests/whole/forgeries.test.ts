import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everything } from '../../cli/input/selections.ts'
import { digestOf } from '../../reports/model/digests.ts'
import type { Report, Requirement } from '../../schemas/types.ts'
import {
  decidedEarly,
  type Forgery,
  forge,
  header,
  leftOut,
  linesOf,
  otherFiles,
  passing,
  rows,
  shifted,
  swapped,
  withExchange,
} from '../support/forged.ts'
import { checkSubmission, faults, runSuite } from '../support/runs/built.ts'
import { ended, start } from '../support/runs/child.ts'

let folder = ''
const at = (...path: string[]) => join(folder, ...path)
const reportIn = (path: string) => JSON.parse(readFileSync(at(path, 'report.json'), 'utf8')) as Report

/** What the model sees, whichever case asks. */
const wrong = 'a filter by name finds the letters anywhere'

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rmapi forged '))
  const run = { values: { RMAPI_SEED: '1' }, selection: everything, traced: true }
  await runSuite({ ...run, out: at('sound') })
  const { rules } =
    faults.find(({ name }) => name === wrong) ?? faults.find(({ turnsRed }) => turnsRed.includes('list.filter.exact'))!
  await runSuite({ ...run, out: at('failing'), embedded: { rules } })
  const { stderr } = await ended(start(folder, ['certify', 'sound/report.json', '--out', 'plain']))
  expect(stderr).toBe('')
  // what certify would have written of the failing run, had it not refused
  cpSync(at('plain'), at('red'), { recursive: true })
  cpSync(at('failing/report.json'), at('red/report.json'))
  cpSync(at('failing/trace.ndjson.gz'), at('red/evidence/trace.ndjson.gz'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const isRed = ({ outcome, blockedBy }: Requirement) =>
  outcome === 'fail' || outcome === 'warning' || blockedBy !== undefined

type Case = [what: string, of: 'plain' | 'red', forgery: () => Forgery, why: RegExp]

const forgeries: Case[] = [
  [
    'red rows replaced by those of another run',
    'red',
    () => {
      const sound = new Map(reportIn('sound').requirements.map((one) => [one.id, one]))
      return { report: rows((one) => (isRed(one) ? sound.get(one.id)! : one)) }
    },
    /^list\.\S+ began at \S+, and its case in the trace at \S+: it is of another run$/m,
  ],
  [
    'red rows that say that they passed',
    'red',
    () => ({ report: rows((one) => (isRed(one) ? passing(one) : one)) }),
    /^list\.\S+ is pass, and its case in the trace did not pass$/m,
  ],
  [
    'the same, and the trace says so, too',
    'red',
    () => ({
      report: rows((one) => (isRed(one) ? passing(one) : one)),
      trace: (lines) =>
        lines.map((line) => (line.line === 'ended' && line.state === 'fail' ? { ...line, state: 'pass' } : line)),
    }),
    /^model\.\S+ is pass, and the trace judged again shows otherwise: expected .* got .* \(exchange \d+, GET \S+\)$/m,
  ],
  [
    'the same, and the rows of the model are decided early',
    'red',
    () => ({
      report: rows((one) => (isRed(one) ? passing(one) : one)),
      trace: (lines) =>
        decidedEarly(
          lines.map((line) => (line.line === 'ended' && line.state === 'fail' ? { ...line, state: 'pass' } : line)),
        ),
    }),
    /contradicts itself: exchange \d+ came after model\.\S+ was decided over all of them$/m,
  ],
  [
    'musts that became shoulds',
    'red',
    () => ({ report: rows((one) => (one.outcome === 'fail' ? { ...one, level: 'should', outcome: 'warning' } : one)) }),
    /^\S+ is a should, and a must in the suite$/m,
  ],
  [
    'another id',
    'plain',
    () => ({ report: rows((one, index) => (index === 3 ? { ...one, id: 'list.skip.invented' } : one)) }),
    /^1 requirements do not belong to the suite, such as list\.skip\.invented$/m,
  ],
  [
    'rows of two runs',
    'plain',
    () => {
      const other = reportIn('failing').requirements
      return { report: rows((one, index) => (index % 50 === 0 && !isRed(other[index]!) ? other[index]! : one)) }
    },
    /it is of another run$/m,
  ],
  [
    'the trace of another target',
    'plain',
    () => ({ trace: () => linesOf(at('failing/trace.ndjson.gz')) }),
    /^trace\.ndjson\.gz is of another target: http:\S+, not http:/m,
  ],
  [
    'a trace that was replaced',
    'plain',
    () => ({ trace: () => linesOf(at('failing/trace.ndjson.gz')), keepsDigest: true }),
    /^its trace trace\.ndjson\.gz was replaced or changed: its digest is not [0-9a-f]{64}, which the report states$/m,
  ],
  [
    'a report of another hour',
    'plain',
    () => ({
      report: (report) => ({
        ...report,
        startedAt: shifted(2)(report.startedAt),
        requirements: report.requirements.map((one) =>
          one.startedAt ? { ...one, startedAt: shifted(2)(one.startedAt) } : one,
        ),
      }),
    }),
    /^trace\.ndjson\.gz holds a call of \S+, and the run was from \S+ on for \d+ seconds$/m,
  ],
  [
    'an answer from before its request',
    'plain',
    () => ({
      trace: (lines) => {
        const one = lines.find((line) => line.line === 'exchange' && line.method === 'GET' && line.seq > 500)!
        return withExchange(lines, ({ seq }) => seq === one.seq, { sent: (one as { answered: number }).answered + 5 })
      },
    }),
    /contradicts itself: exchange \d+ was answered before it was sent$/m,
  ],
  [
    'an exchange that was left out',
    'plain',
    () => ({ trace: leftOut }),
    /contradicts itself: the exchanges (\d+) to \1 are left out$/m,
  ],
  [
    'lines in another order',
    'plain',
    () => ({ trace: swapped }),
    /contradicts itself: line 41 has the number 41, not 40$/m,
  ],
  [
    'a report of a changed suite',
    'plain',
    () => ({
      report: otherFiles,
      trace: header(({ suite }) => ({
        suite: { ...suite, digest: digestOf(otherFiles(reportIn('sound')).digests!.files) },
      })),
    }),
    /^the files of the suite differ from those of this version \S+: dist\/helpers\/model\/judge\.js$/m,
  ],
  [
    'the trace of a changed suite',
    'plain',
    () => ({ trace: header(({ suite }) => ({ suite: { ...suite, digest: 'e'.repeat(64) } })) }),
    /^trace\.ndjson\.gz is of another build of the suite: e{64}, not [0-9a-f]{64}$/m,
  ],
  [
    'other counts of requests',
    'plain',
    () => ({ report: rows((one, index) => (index === 5 ? { ...one, requests: one.requests + 1 } : one)) }),
    /^\S+ counts \d+ requests, and its case in the trace sent \d+$/m,
  ],
  [
    'another verdict',
    'red',
    () => ({ report: (report) => ({ ...report, verdict: 'conformant' }) }),
    /^the verdict is conformant, but comes to nonconformant$/m,
  ],
  [
    'other totals',
    'plain',
    () => ({ report: (report) => ({ ...report, totals: { ...report.totals, must: { passed: 900, total: 900 } } }) }),
    /^the counts is? .* but comes to /m,
  ],
  [
    'a report without its trace',
    'plain',
    () => ({ report: ({ traces: _, ...report }) => report }),
    /^the report has no trace, and certify needs one$/m,
  ],
  [
    'an answer that the contract forbids, with a row that passed',
    'plain',
    () => ({
      trace: (lines) =>
        lines.map((line) =>
          line.line === 'exchange' && line.operation === 'group.list' && line.text !== undefined
            ? { ...line, text: line.text.replace(/"totalCount":"[1-9]/, '$&0') }
            : line,
        ),
    }),
    /^model\.group\.total is pass, and the trace judged again shows otherwise: /m,
  ],
]

describe('a forged submission is refused, and says why:', () => {
  test.each(forgeries)('%s', async (_what, of, forgery, why) => {
    const forged = forge(at(of), at('forged'), forgery())

    const { problems } = await checkSubmission(forged)

    expect(problems.join('\n')).toMatch(why)
  })

  test('a forged report becomes no certificate', async () => {
    const sound = new Map(reportIn('sound').requirements.map((one) => [one.id, one]))
    const forged = rows((one) => (isRed(one) ? sound.get(one.id)! : one))(reportIn('failing'))
    writeFileSync(at('failing/forged.json'), JSON.stringify(forged))

    const { code, stderr } = await ended(start(folder, ['certify', 'failing/forged.json', '--out', 'none']))

    expect(forged.verdict).toBe('conformant')
    expect(code).toBe(2)
    expect(stderr).toMatch(/failing\/forged\.json cannot be certified: list\.\S+ began at .* it is of another run/)
  })

  test('what was not forged is valid, and says what is taken on trust', async () => {
    const { problems, remarks } = await checkSubmission(forge(at('plain'), at('forged'), {}))

    expect(problems).toEqual([])
    expect(remarks.join('\n')).toMatch(/^Computed again: \d{3} of \d{4} outcomes, by judging \d{5} recorded answers/m)
    expect(remarks.join('\n')).toMatch(/^Taken on trust: /m)
  })
})
