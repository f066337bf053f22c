import { counted } from '../../../schemas/counted.ts'
import type { Outcome, Report, Verdict } from '../../../schemas/types.ts'
import { claimCount } from '../../model/claims.ts'
import { askedFor, blockedBy, withOutcome, worstFirst } from '../../model/select.ts'
import { visible } from '../../text/visible-text.ts'
import { duration, Go, Tag } from './pieces.tsx'

/** What a page says besides its report, by name. */
export type Further = readonly (readonly [name: string, text: string])[]

/** What was examined, with which result: all that a reader in a hurry needs. */
export function Masthead({ report, further }: { report: Report; further: Further }) {
  const { verdict, target } = report
  return (
    <header class={`masthead ${verdict}`}>
      <p class="kicker">Contract conformance of the resource-management API</p>
      <h1>
        <Sign verdict={verdict} />
        {verdict}
      </h1>
      <p class="who">
        <bdi>{visible(target.name, 120)}</bdi> <span class="version">version {visible(target.version, 60)}</span>
      </p>
      <p class="lead">{sentence(report)}</p>
      <Cause report={report} />
      <Figures report={report} />
      <Facts report={report} further={further} />
      <Legend />
    </header>
  )
}

const strokes: Record<Report['verdict'], string> = {
  conformant: 'M7 12.5l3.5 3.5L17 8.5',
  nonconformant: 'M8 8l8 8M16 8l-8 8',
  partial: 'M7 12h10',
  undetermined: 'M9.5 9.5a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.4v.3M12 16.8v.1',
}

function Sign({ verdict }: { verdict: Report['verdict'] }) {
  return (
    <svg class="sign" viewBox="0 0 24 24" width="44" height="44" aria-hidden="true">
      <circle cx="12" cy="12" r="11" />
      <path d={strokes[verdict]} />
    </svg>
  )
}

/** The verdict in one sentence for a reader who stops there. */
function sentence({ verdict, totals: { must, should }, requirements, problems, selection }: Report): string {
  const part = selection.profiles.length > 0 ? ` in ${selection.profiles.join(', ')}` : ''
  const all = `${must.total} requirements that the contract promises${part}`
  const warnings = withOutcome(requirements, 'warning').length
  const also = warnings > 0 ? ` ${warnings} of ${should.total} recommendations ${are(warnings)} not followed.` : ''
  if (verdict === 'conformant') return `Each of the ${all} was examined and holds.${also}`
  if (verdict === 'nonconformant') {
    const broken = withOutcome(requirements, 'fail').length
    return `${broken} of the ${all} ${are(broken)} broken.${also}`
  }
  if (verdict === 'partial') {
    const left = must.total - must.passed
    const picked = selection.only.length + selection.skip.length > 0
    return left > 0
      ? `Nothing was found broken, but ${left} of the ${all} could not be decided.${also}`
      : `Nothing was found broken${picked ? ', but only some requirements were asked for' : ''}.${also}`
  }
  const why = problems.length > 0 ? 'the run is not whole' : 'too little could be decided'
  return `There is no verdict on this server: ${why}.`
}

const are = (count: number) => (count === 1 ? 'is' : 'are')

/** The one failure that blocks most others. */
function Cause({ report: { requirements } }: { report: Report }) {
  const [first] = worstFirst(withOutcome(requirements, 'fail'), requirements)
  const count = first ? blockedBy([first], requirements).length : 0
  if (first === undefined || count === 0) return null
  return (
    <p class="cause">
      Begin with <Go id={first.id} />: it blocks {counted(count, 'other')}.
    </p>
  )
}

function Figures({ report: { totals, requirements } }: { report: Report }) {
  const { must, should, observed, inconclusive, error } = totals
  const warnings = withOutcome(requirements, 'warning').length
  const all: [name: string, value: string, of: string, tone: string][] = [
    ['must', String(must.passed), `of ${must.total} hold`, tone(withOutcome(requirements, 'fail').length, 'fail')],
    ['should', String(should.passed), `of ${should.total} hold`, tone(warnings, 'warning')],
    ['observed', String(observed), 'left open, recorded', ''],
    ['inconclusive', String(inconclusive), 'could not be decided', tone(inconclusive, 'inconclusive')],
    ['errors', String(error), 'of suite or network', tone(error, 'error')],
  ]
  return (
    <dl class="figures">
      {all.map(([name, value, of, colour]) => (
        <div key={name} class={colour}>
          <dt>{name}</dt>
          <dd>
            <strong>{value}</strong> <span>{of}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** What the verdicts and outcomes mean. */
function Legend() {
  return (
    <details class="legend">
      <summary>What these words mean</summary>
      <dl>
        {meanings.map(([name, meaning]) => (
          <div key={name}>
            <dt>
              <Tag outcome={name} />
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

const meanings: [Outcome | Verdict, string][] = [
  ['conformant', 'every requirement that the contract promises was examined and holds'],
  ['partial', 'nothing is broken, but not everything was asked for or could be decided'],
  ['nonconformant', 'at least one must is broken'],
  ['undetermined', 'the run is not whole, or too little could be decided: there is no verdict'],
  ['fail', 'a must that the server breaks'],
  ['warning', 'a recommendation that the server does not follow: it does not change the verdict'],
  ['inconclusive', 'neither held nor broken: blocked, refused or not configured'],
  ['not offered', 'the contract prints no path of the operation, and the server does without it: in no total'],
  ['observed', 'the contract leaves it open: what the server does is recorded'],
  ['error', 'the suite or the network failed, not the server'],
]

const tone = (count: number, name: string) => (count > 0 ? name : '')

function Facts({ report, further }: { report: Report; further: Further }) {
  const { target, suite, node, startedAt, durationMs, exchangesSent, seed } = report
  const { traces = [] } = report
  const facts: Further = [
    ['address', visible(target.baseUrl)],
    ['API version', visible(target.apiVersion)],
    ['examined', `${startedAt.slice(0, 16).replace('T', ' ')} UTC`],
    ['took', `${duration(durationMs)}, ${exchangesSent} calls`],
    ['by', `${suite.name} ${suite.version}, Node ${node}`],
    ['extent', claimCount(report.requirements.map(({ id }) => id))],
    ['seed', String(seed)],
    ...later(report),
    ...asked(report),
    ...traces.map(({ file, exchanges }): [string, string] => ['every call', `${exchanges} in ${visible(file, 80)}`]),
    ...further.map(([name, text]): [string, string] => [name, visible(text, 200)]),
  ]
  return (
    <dl class="facts">
      {facts.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function later({ resumed = [] }: Report): [string, string][] {
  return resumed.map(({ startedAt, told }) => [
    'decided later',
    `${told.length} requirements, ${startedAt.slice(0, 16).replace('T', ' ')} UTC`,
  ])
}

function asked(report: Report): [string, string][] {
  const words = askedFor(report)
  return words === '' ? [] : [['asked for', visible(words)]]
}
