import type { Profile, Report } from '../../schemas/types.ts'
import { code, prose } from '../formats/markdown.ts'
import { verdictLine } from '../judge/verdict.ts'
import { usualVersion } from '../model/select.ts'
import { command } from '../text/curl.ts'
import { type Covered, coveredBy } from './covered.ts'

/** Who was examined, as `product.json` of a submission states it. */
export interface Product {
  name: string
  version: string
  vendor?: string
  website?: string
  baseUrl: string
  apiVersion: string
  /** The parts of the service that the certificate covers, and those that the run examined besides. */
  profiles: Covered['profiles']
  notCovered: Covered['notCovered']
  /** What the target need not have and does not. */
  notOffered: string[]
}

/** What the operator says about the product, and what the report knows about it. */
export function productOf(
  report: Report,
  operator: Pick<Product, 'vendor' | 'website'>,
  asked: readonly Profile[] = [],
): Product {
  const { name, version, baseUrl, apiVersion } = report.target
  return { name, version, ...operator, baseUrl, apiVersion, ...coveredBy(report, asked) }
}

/** The exchanges that a report keeps, by requirement. */
export function evidenceOf({ requirements }: Report): { id: string; exchanges: unknown[] }[] {
  return requirements.flatMap(({ id, exchanges = [] }) => (exchanges.length > 0 ? [{ id, exchanges }] : []))
}

/** The README of a submission: what was examined by what, and how anyone can repeat it. */
export function submissionReadme(report: Report, product: Product, isSigned: boolean): string {
  const { suite, seed, totals, verdict, startedAt, configuration = {}, digests } = report
  const of = (name: string) => (typeof configuration[name] === 'string' ? String(configuration[name]) : '…')
  const runs = report.resumed
    ? [
        `${command} run --seed ${seed}${partsOf(report)} --for-resume --out first`,
        `${command} run --resume first/resume-….json --wait --out later   # three days later, when the first says`,
        `${command} report --merge first/report.json later/report.json --complete`,
      ]
    : [`${command} run --seed ${seed}${partsOf(report)}`]
  const sets = [
    `export RMAPI_BASE_URL=${product.baseUrl}`,
    `export RMAPI_GROUP_UID=${of('groupUid')}`,
    'export RMAPI_ACCESS_TOKEN=…',
    ...(product.apiVersion === usualVersion ? [] : [`export RMAPI_VERSION=${product.apiVersion}`]),
  ]
  const { profiles, notCovered, notOffered } = product
  return [
    `# ${prose(product.name)} ${prose(product.version)}: conformant in ${profiles.join(', ')}`,
    code(verdictLine(verdict, totals)),
    `Examined by ${suite.name} ${suite.version} on ${startedAt}, ${notCovered.length === 0 && report.selection.profiles.length === 0 ? 'over the whole contract' : 'in a part of the contract'}.`,
    ...(product.vendor
      ? [`Made by ${prose(product.vendor)}${product.website ? `, ${code(product.website)}` : ''}.`]
      : []),
    '## What this covers',
    `Conformant: ${profiles.join(', ')}.`,
    ...(notCovered.length > 0
      ? [`Examined and not covered: ${notCovered.map((each) => `${each.profile} (${each.verdict})`).join(', ')}.`]
      : []),
    ...(notOffered.length > 0 ? [`Not offered, which the contract allows: ${notOffered.map(code).join(', ')}.`] : []),
    '## What is here',
    [
      '- `product.json`: who was examined',
      '- `report.json`, `report.md`, `report.html`: every requirement with its outcome',
      '- `evidence/exchanges.json`: the calls behind what did not simply pass, with secrets removed',
      ...(report.traces
        ? ['- `evidence/trace.ndjson.gz`: every call of the run, which `judge` and `verify` judge again']
        : []),
      '- `SHA256SUMS`: the digest of each file',
      ...(isSigned
        ? ['- `attestation.dsse.json`: an in-toto test result over these files, signed; `public-key.pem`: the key']
        : []),
    ].join('\n'),
    '## See it again',
    'In a folder of your own, because nothing may be added to this one:',
    `\`\`\`sh\nnpm install ${suite.name}@${suite.version}\n${sets.join('\n')}\n${runs.join('\n')}\n\`\`\``,
    `The other settings of the run are in \`report.json\` under \`configuration\`. The files of the suite had the digest ${code(digests?.suite ?? '')}.`,
    '## Check it',
    'In that folder, with the path of this one:',
    `\`\`\`sh\n${command} verify …${isSigned ? ' --key …/public-key.pem' : ''}\n\`\`\``,
    isSigned
      ? 'Get the public key from a source that you trust: the one in this folder shows only that nothing changed since it was signed.'
      : 'This is not signed: the check shows that its parts fit together, not who made them.',
    '',
  ].join('\n\n')
}

/** How the parts of the service that a run was asked for are named on a command line. */
const partsOf = ({ selection: { profiles } }: Report) => (profiles.length > 0 ? ` --profile ${profiles.join(' ')}` : '')
