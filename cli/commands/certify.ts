import type { KeyObject } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { isOptional } from '../../helpers/api/soft-refusal.ts'
import { strangeAbsences } from '../../reports/certificate/absences.ts'
import { misfits } from '../../reports/certificate/against-trace.ts'
import {
  envelopeText,
  keyId,
  publicPem,
  type Subject,
  signed,
  signingKey,
  statementOf,
} from '../../reports/certificate/attestation.ts'
import { certificateProblems, contradictions, strangeness } from '../../reports/certificate/certificate.ts'
import { evidenceOf, type Product, productOf, submissionReadme } from '../../reports/certificate/submission.ts'
import { certificatePage, formats } from '../../reports/formats/formats.ts'
import { sha256 } from '../../reports/model/digests.ts'
import type { Profile } from '../../schemas/types.ts'
import { suite } from '../input/package.ts'
import { readReport } from '../input/read-report.ts'
import { Refused } from '../input/refused.ts'
import { schemaProblems } from '../input/schema-problems.ts'
import { thisSuite } from '../run/suite-digest.ts'
import { traceName } from '../trace/trace-file.ts'
import { tracesOf } from '../trace/traces-of.ts'

interface CertifyFlags {
  out: string
  key?: string
  vendor?: string
  website?: string
  profile?: string[]
  trace?: string[]
}

/** Adds the verb `certify`. */
export function addCertify(program: Command): void {
  program
    .command('certify')
    .description('make a submission from a report in which parts of the service are conformant')
    .argument('<report>', 'the report.json of the run')
    .option('--out <folder>', 'where the submission goes; it must not exist yet', 'submission')
    .option(
      '--profile <names...>',
      'the parts of the service to certify (default: those that the run was asked for, or that are conformant)',
    )
    .option('--key <file>', 'a private key as PEM, Ed25519 or ECDSA: signs an in-toto attestation')
    .option('--trace <files...>', 'the traces of the run (default: trace.ndjson.gz beside the report)')
    .option('--vendor <name>', 'who makes the product')
    .option('--website <address>', 'where it is described')
    .addHelpText(
      'after',
      `
Each part of the service is conformant or not by itself; the certificate names those that it covers, those that it does
not, and what the target need not offer and does not. A report that was filtered by --only or --skip, read-only, cut
short or one shard cannot be certified.
RMAPI_TARGET_NAME and RMAPI_TARGET_VERSION of the run name the product.

Examples:
  openssl genpkey -algorithm ed25519 -out key.pem
  ${suite.name} certify reports/out/report.json --key key.pem --vendor 'Example Ltd'
  ${suite.name} verify submission --key public-key.pem`,
    )
    .action(certifyCommand)
}

/** `certify`: writes the submission folder, or says why the report cannot become one. */
async function certifyCommand(path: string, flags: CertifyFlags): Promise<void> {
  const report = readReport(path)
  const bytes = readFileSync(path)
  const departs = schemaProblems(report, 'report', path)
  if (departs.length > 0) throw new Refused(departs.join('\n'))
  const asked = (flags.profile ?? []) as Profile[]
  const strange =
    report.suite.version === suite.version
      ? []
      : [`it was made by version ${report.suite.version} of the suite, and this is ${suite.version}`]
  const beside = join(dirname(path), traceName)
  const found = await tracesOf(report, flags.trace ?? (existsSync(beside) ? [beside] : []))
  const problems = [
    ...certificateProblems(report, asked),
    ...contradictions(report),
    ...strange,
    ...strangeness(report, await thisSuite()),
    ...(report.traces ? [] : ['it has no trace: run again without --no-trace']),
    ...found.problems,
    ...misfits(report, found.traces),
    ...strangeAbsences(report, found.traces, isOptional),
  ]
  if (problems.length > 0)
    throw new Refused(problems.map((problem) => `${path} cannot be certified: ${problem}`).join('\n'))
  const { vendor, website, out } = flags
  const key = flags.key === undefined ? undefined : readKey(flags.key)
  const product = productOf(report, { ...(vendor && { vendor }), ...(website && { website }) }, asked)
  const files: Record<string, string | Uint8Array> = {
    'README.md': submissionReadme(report, product, key !== undefined),
    'product.json': `${JSON.stringify(product, null, 2)}\n`,
    'report.json': bytes,
    'report.md': formats.md.write(report),
    'report.html': certificatePage(report, signerOf(product, key)),
    ...Object.fromEntries(found.paths.map((from, at) => [traceIn(at), readFileSync(from)])),
    'evidence/exchanges.json': `${JSON.stringify(evidenceOf(report), null, 2)}\n`,
    ...(key ? { 'public-key.pem': publicPem(key) } : {}),
  }
  const subjects = Object.entries(files)
    .map(([name, content]): Subject => ({ name, digest: { sha256: sha256(content) } }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  files.SHA256SUMS = sums(subjects)
  const all = [...subjects, { name: 'SHA256SUMS', digest: { sha256: sha256(files.SHA256SUMS) } }]
  if (key) files['attestation.dsse.json'] = envelopeText(signed(statementOf(report, all, asked), key))
  writeAll(out, files)
  if (product.version === 'not stated')
    process.stderr.write('The version of the product is not stated: set RMAPI_TARGET_VERSION for the run.\n')
  process.stdout.write(
    `Submission: ${join(out, 'README.md')}, ${Object.keys(files).length} files${key ? ', signed' : ', not signed: no --key'}\nCERTIFIED ${product.name} ${product.version}: ${product.profiles.join(', ')}\n`,
  )
}

/** What a trace is called in a submission, the first one with 0. */
const traceIn = (at: number) => `evidence/trace${at === 0 ? '' : `-${at + 1}`}.ndjson.gz`

/** The digests as `sha256sum -c` reads them. */
export function sums(subjects: readonly Subject[]): string {
  return subjects.map(({ name, digest }) => `${digest.sha256}  ${name}\n`).join('')
}

/** Who signs, as far as is known: anyone may give any name; only the key counts. */
function signerOf({ vendor }: Product, key: KeyObject | undefined): string {
  if (key === undefined) return 'nobody'
  return `${vendor ?? 'a vendor who gave no name'}, with the key ${keyId(key)}`
}

function readKey(path: string) {
  try {
    return signingKey(readFileSync(path, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Refused(
      code === 'ENOENT'
        ? `${path} is not there: give a private key as PEM, such as 'openssl genpkey -algorithm ed25519' makes`
        : `${path} ${/^is a key/.test(message) ? message : 'is not a private key in PEM form'}`,
    )
  }
}

function writeAll(out: string, files: Record<string, string | Uint8Array>): void {
  if (existsSync(out) && readdirSync(out).length > 0)
    throw new Refused(`${out} already exists and is not empty: remove it, or name another folder with --out`)
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(out, name)), { recursive: true })
      writeFileSync(join(out, name), content)
    }
  } catch (error) {
    throw new Refused(`The submission cannot be written to ${out}: ${(error as Error).message}`)
  }
}
