import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isOptional } from '../../helpers/api/soft-refusal.ts'
import { strangeAbsences } from '../../reports/certificate/absences.ts'
import { misfits, trusted } from '../../reports/certificate/against-trace.ts'
import { checkingKey, openEnvelope, type Subject, statementOf } from '../../reports/certificate/attestation.ts'
import { certificateProblems, contradictions, strangeness } from '../../reports/certificate/certificate.ts'
import { coveredBy } from '../../reports/certificate/covered.ts'
import { evidenceOf } from '../../reports/certificate/submission.ts'
import { digestOf, sha256 } from '../../reports/model/digests.ts'
import type { Profile, Report } from '../../schemas/types.ts'
import { suite } from '../input/package.ts'
import { readReport } from '../input/read-report.ts'
import { schemaProblems } from '../input/schema-problems.ts'
import { thisSuite } from '../run/suite-digest.ts'
import { tracesOf } from '../trace/traces-of.ts'
import { sums } from './certify.ts'

/** What a check found. */
interface Checked {
  problems: string[]
  remarks: string[]
}

/** Checks a submission against its digests, its signature and itself; with the enclosed key unless a file is given. */
export async function checkSubmission(folder: string, keyFile?: string): Promise<Checked> {
  const { subjects, problems } = checkSums(folder)
  let report: Report
  try {
    report = readReport(join(folder, 'report.json'))
  } catch (error) {
    return { problems: [...problems, (error as Error).message], remarks: [] }
  }
  const departs = schemaProblems(report, 'report', 'report.json')
  if (departs.length > 0) return { problems: [...problems, ...departs], remarks: [] }
  const asked = coveredIn(folder)
  const seal = checkSeal(folder, report, subjects, keyFile, asked)
  const old = report.suite.version !== suite.version
  const isIntact = problems.length + seal.problems.length === 0
  const why = problems.length > 0 ? 'Files were changed' : 'The signature does not fit'
  const evidence = isIntact ? await checkTraces(folder, report, old) : unjudged(why)
  return {
    problems: [
      ...problems,
      ...seal.problems,
      ...checkCopies(folder, report, asked),
      ...certificateProblems(report, asked),
      ...contradictions(report),
      ...strangeness(report, await thisSuite()),
      ...evidence.problems,
    ],
    remarks: [
      about(report, asked),
      ...seal.remarks,
      ...evidence.remarks,
      ...(old
        ? [
            `The suite was version ${report.suite.version}, this is ${suite.version}: its files and requirements were not compared.`,
          ]
        : []),
    ],
  }
}

/** What a submission states. */
function about(report: Report, asked: readonly Profile[]): string {
  const { target, startedAt } = report
  const { profiles, notCovered } = coveredBy(report, asked)
  const others = notCovered.map(({ profile, verdict }) => `${profile} (${verdict})`).join(', ')
  const examined = `${target.name} ${target.version} at ${target.baseUrl}, examined ${startedAt}`
  return `Stated: ${examined}: conformant in ${profiles.join(', ')}${others === '' ? '' : `; not covered: ${others}`}.`
}

const unjudged = (why: string): Checked => ({
  problems: [],
  remarks: [`${why}: the recorded calls were not judged again.`],
})

/** Judges the recorded calls again, and compares the report with them; rows of another version are left alone. */
async function checkTraces(folder: string, report: Report, old: boolean): Promise<Checked> {
  const packed = filesBelow(folder).filter((name) => name.endsWith('.ndjson.gz'))
  const found = await tracesOf(
    report,
    packed.map((name) => join(folder, name)),
  )
  const traces = found.traces.map((trace) => (old ? { ...trace, decided: new Map<string, never>() } : trace))
  const lacksOne = report.traces === undefined && !old
  return {
    problems: [
      ...found.problems,
      ...misfits(report, traces),
      ...strangeAbsences(report, traces, isOptional),
      ...(lacksOne ? ['the report has no trace, and certify needs one'] : []),
    ],
    remarks: trusted(report, traces),
  }
}

/** Checks the files against their digests; none may be missing, and no other may be there. */
function checkSums(folder: string): { subjects: Subject[]; problems: string[] } {
  const text = readFileSync(join(folder, 'SHA256SUMS'), 'utf8')
  const subjects = text.split('\n').flatMap((line): Subject[] => {
    const [, sha256 = '', name = ''] = /^([0-9a-f]{64}) {2}(\S.*)$/.exec(line) ?? []
    return name === '' ? [] : [{ name, digest: { sha256 } }]
  })
  const listed = new Set(subjects.map(({ name }) => name))
  const there = filesBelow(folder)
  return {
    subjects: [...subjects, { name: 'SHA256SUMS', digest: { sha256: sha256(text) } }],
    problems: [
      ...(sums(subjects) === text ? [] : ['SHA256SUMS is not as certify wrote it']),
      ...subjects.flatMap(({ name, digest }) =>
        !there.includes(name)
          ? [`${name} is missing`]
          : sha256(readFileSync(join(folder, name))) === digest.sha256
            ? []
            : [`${name} was changed`],
      ),
      ...there
        .filter((name) => !listed.has(name) && !['SHA256SUMS', 'attestation.dsse.json'].includes(name))
        .map((name) => `${name} is not part of the submission`),
      ...['README.md', 'product.json', 'report.json']
        .filter((name) => !listed.has(name))
        .map((name) => `${name} is not listed`),
    ],
  }
}

/** The parts of the service that a submission says it covers; none if it does not say. */
function coveredIn(folder: string): Profile[] {
  try {
    const { profiles } = JSON.parse(readFileSync(join(folder, 'product.json'), 'utf8')) as { profiles?: Profile[] }
    return Array.isArray(profiles) ? profiles : []
  } catch {
    return []
  }
}

/** What other files repeat must be what the report says. */
function checkCopies(folder: string, report: Report, asked: readonly Profile[]): string[] {
  const covered = coveredBy(report, asked)
  const { name, version, baseUrl, apiVersion } = report.target
  const parts: [file: string, wanted: unknown, of: (found: Record<string, unknown>) => unknown][] = [
    [
      'product.json',
      [name, version, baseUrl, apiVersion, covered.profiles, covered.notCovered, covered.notOffered],
      (found) => [
        ...[found.name, found.version, found.baseUrl, found.apiVersion],
        ...[found.profiles, found.notCovered, found.notOffered],
      ],
    ],
    ['evidence/exchanges.json', evidenceOf(report), (found) => found],
  ]
  return parts.flatMap(([file, wanted, of]) => {
    try {
      const found = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, unknown>
      return digestOf(of(found)) === digestOf(wanted) ? [] : [`${file} does not say what the report says`]
    } catch {
      return [`${file} cannot be read`]
    }
  })
}

function checkSeal(
  folder: string,
  report: Report,
  subjects: Subject[],
  keyFile: string | undefined,
  asked: readonly Profile[],
): Checked {
  const envelope = join(folder, 'attestation.dsse.json')
  const enclosed = join(folder, 'public-key.pem')
  if (!existsSync(envelope)) {
    const wanted = keyFile !== undefined || existsSync(enclosed)
    return wanted
      ? { problems: ['attestation.dsse.json is missing: this is not signed'], remarks: [] }
      : { problems: [], remarks: ['This is not signed: its parts fit together, but it does not show who made them.'] }
  }
  const remarks =
    keyFile === undefined
      ? ['The key is the one in the submission: nothing changed since it was signed, but it does not show who signed.']
      : []
  try {
    const statement = openEnvelope(readFileSync(envelope, 'utf8'), keyIn(keyFile ?? enclosed))
    const fits = digestOf(statement) === digestOf(statementOf(report, subjects, asked))
    return {
      problems: fits ? [] : ['the attestation is about another report, or about other files'],
      remarks,
    }
  } catch (error) {
    return { problems: [`attestation.dsse.json: ${(error as Error).message}`], remarks }
  }
}

function keyIn(file: string) {
  try {
    return checkingKey(readFileSync(file, 'utf8'))
  } catch {
    throw new Error(`${file} is not an Ed25519 or ECDSA public key in PEM form`)
  }
}

function filesBelow(folder: string, path = ''): string[] {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((each) => {
    const name = path === '' ? each.name : `${path}/${each.name}`
    return each.isDirectory() ? filesBelow(folder, name) : [name]
  })
}
