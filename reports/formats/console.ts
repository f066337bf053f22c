import { styleText } from 'node:util'
import { counted } from '../../schemas/counted.ts'
import type { Exchange, Outcome, Report, Requirement } from '../../schemas/types.ts'
import { latestOf, wrongWrite } from '../judge/evidence.ts'
import { remedyFor } from '../judge/remedies.ts'
import { verdictLine } from '../judge/verdict.ts'
import { baselineLines } from '../model/baseline.ts'
import { claimCount, claimNames, claimsOf, kindOf, missingIn } from '../model/claims.ts'
import { callsOf, citedIn, placeOf, saidOf } from '../model/finding.ts'
import { fingerprintOf } from '../model/fingerprint.ts'
import { groupBy } from '../model/report.ts'
import {
  aboutCalls,
  blockedBy,
  excuseOf,
  type Finding,
  findingsOf,
  headline,
  rerunOf,
  undecidedIn,
  withOutcome,
} from '../model/select.ts'
import { namesIn, partWith } from '../text/answer-part.ts'
import { curl, explanation } from '../text/curl.ts'
import { withShortUids } from '../text/short-uids.ts'
import { visible } from '../text/visible-text.ts'

type Paint = (colour: 'red' | 'yellow' | 'green' | 'bold' | 'dim', text: string) => string

/** The report for a terminal; the last line is the verdict, never coloured. */
export function toConsole(report: Report, coloured: boolean): string {
  const paint: Paint = (colour, text) => (coloured ? styleText(colour, text, { validateStream: false }) : text)
  const { requirements, problems, left, verdict, totals } = report
  return [
    claimCount(requirements.map(({ id }) => id)),
    ...sections(requirements, paint),
    ...findingsOf(report).flatMap((finding) => ['', ...full(finding, report, paint)]),
    ...paragraph(aboutCalls(report)),
    ...inconclusive(report, paint),
    ...notOffered(requirements, paint),
    ...problems.flatMap((problem) => ['', `${paint('red', 'PROBLEM')} ${visible(problem)}`]),
    ...left.flatMap((uid) => ['', `${paint('red', 'LEFT BEHIND')} ${visible(uid)}`]),
    ...paragraph(baselineLines(report).map((line) => visible(line))),
    ...(report.kept ?? []).flatMap(({ id, uid }) => ['', `${paint('bold', 'KEPT')} ${visible(uid)} of ${id}`]),
    '',
    verdictLine(verdict, totals),
    '',
  ].join('\n')
}

/** The claims of each section by their worst outcome. */
function sections(requirements: readonly Requirement[], paint: Paint): string[] {
  return [...groupBy(requirements, ({ section }) => section)].map(([name, own]) => {
    const worst = claimsOf(own).map(({ cells }) => worstOf(cells))
    const parts = worstOutcomes.flatMap((outcome) => {
      const count = worst.filter((other) => other === outcome).length
      return count > 0 ? [paint(colours[outcome], `${count} ${outcome}`)] : []
    })
    return `${name.padEnd(24)} ${parts.reverse().join(', ')}`
  })
}

const worstOutcomes: Outcome[] = ['fail', 'error', 'warning', 'inconclusive', 'not offered', 'observed', 'pass']
const colours = {
  fail: 'red',
  error: 'red',
  warning: 'yellow',
  inconclusive: 'dim',
  'not offered': 'dim',
  observed: 'dim',
  pass: 'green',
} as const

const worstOf = (cells: readonly Requirement[]) =>
  worstOutcomes.find((outcome) => cells.some((cell) => cell.outcome === outcome))!

function full({ cells }: Finding, report: Report, paint: Paint): string[] {
  const [one, ...others] = cells
  const { about, expected, got, note } = saidOf(one)
  const { deciding, before, arranged } = callsOf(one)
  const count = blockedBy(cells, report.requirements).length
  const line = (name: string, text: string | undefined) =>
    text === undefined ? [] : [`  ${paint('dim', name.padEnd(9))} ${text}`]
  const seen = (text: string | undefined) => (text === undefined ? undefined : visible(text))
  const word = one.outcome === 'warning' ? paint('yellow', 'WARNING') : paint('red', one.outcome.toUpperCase())
  const named = namedIn(one, [...arranged, ...before])
  const causes = one.steps ? before : named.length > 0 ? named : ledTo(one, before, deciding)
  const all = [...arranged, ...before]
  const led = [...new Set([...givingToken(all, deciding), ...filling(all, deciding), ...causes])]
  return [
    `${word} ${paint('bold', one.id)} (${one.level}, ${citedIn(one)})`,
    `  ${one.says}`,
    ...line('known', seen(excuseOf(report, one.id))),
    ...line('contract', one.quote),
    ...line('about', seen(about)),
    ...line('expected', seen(expected)),
    ...line('got', seen(got)),
    ...Object.entries(placeOf(one)).flatMap(([name, place]) => line(name, seen(place))),
    ...line('note', seen(note)),
    ...alsoOn(one, others).flatMap((text, index) => line(index === 0 ? 'also on' : '', text)),
    ...line('blocks', count > 0 ? counted(count, 'other') : undefined),
    ...(one.steps ?? []).flatMap((step, index) => line(index === 0 ? 'steps' : '', `${index + 1}. ${visible(step)}`)),
    ...line('curl', deciding && curl(deciding)),
    ...line('answer', deciding && !shows(one.got, deciding) ? answerOf(deciding, one.got) : undefined),
    // a repeated reading is one line
    ...[...new Map(led.map((each) => [curl(each), each]))]
      .filter(([text]) => text !== (deciding && curl(deciding)))
      .flatMap(([text, each], index) => [
        ...line(index === 0 ? 'before' : '', text),
        ...line('answer', answerOf(each)),
      ]),
    ...line('rerun', rerunOf(cells, report)),
    ...line(
      '',
      cells.some(({ judges }) => judges === 'whole run') ? 'the whole run, as it judges every call' : undefined,
    ),
    ...line('explain', explanation(one.id)),
  ]
}

/** What an exchange was answered, in few words: those around what came, if that is in it. */
function answerOf({ response, silence = '' }: Exchange, got?: string): string {
  if (!response) return `none: ${visible(silence)}`
  const [body, ...names] = withShortUids(response.body, ...namesIn(got))
  return visible(`${response.status} ${partWith(body!, names, 160)}`).trimEnd()
}

/** True where what came is already the whole answer. */
const shows = (got = '', { response }: Exchange) => !!response?.body && got.includes(response.body.slice(0, 20))

/** The exchanges that a failure names, besides the one that decides it. */
const namedIn = ({ expected, got, note }: Requirement, calls: readonly Exchange[]) =>
  calls.filter(({ number }) => new RegExp(`\\bexchange ${number}\\b`).test(`${expected} ${got} ${note}`))

/**
 * What a reader needs where a failure names no call: what HTTP answered to what is asked over gRPC; the write that sent
 * what came, or else the last write to what a reading names or reads, and the last that succeeded.
 */
function ledTo(one: Requirement, before: readonly Exchange[], deciding?: Exchange): Exchange[] {
  const { id, expected, got, judges } = one
  if (deciding === undefined) return []
  // two answers of a whole run that do not agree
  if (judges === 'whole run' && !id.startsWith('model.') && before.length === 1) return [...before]
  if (id.startsWith('grpc.')) {
    const others = before.filter(({ operation }) => isOverGrpc(operation) !== isOverGrpc(deciding.operation))
    const alike = ({ request }: Exchange) => sharedBy(request.url, deciding.request.body)
    return others.toSorted((a, b) => alike(a) - alike(b)).slice(-1)
  }
  // a finding of the model names what it contradicts, if anything
  if (deciding.request.method !== 'GET' || id.startsWith('model.')) return []
  const writes = before.filter(({ number, request }) => number < deciding.number && request.method !== 'GET')
  const uids = `${expected} ${got}`.match(/[0-9a-f]{8,}(\/[0-9a-f]+)+/g) ?? []
  const onNamed = writes.filter(({ request: { url } }) => uids.some((uid) => decodeURIComponent(url).endsWith(uid)))
  const onSame = writes.filter(({ request: { url } }) => url.split('?')[0] === deciding.request.url)
  const some = [onNamed, onSame, writes].find(({ length }) => length > 0) ?? []
  const wrong = wrongWrite(one, some)
  if (wrong) return [wrong]
  const last = [
    some.findLast(({ response }) => response && response.status < 300),
    ...(some === onSame ? latestOf(some) : some.slice(-1)),
  ]
  return last.filter((one) => one !== undefined)
}

/** The call that gave the page token which another one sends. */
function givingToken(calls: readonly Exchange[], deciding?: Exchange): Exchange[] {
  const token = deciding && new URL(deciding.request.url).searchParams.get('page_token')
  if (!token) return []
  return calls.filter(({ response }) => response?.body.includes(JSON.stringify(token))).slice(-1)
}

/** The call that put something into what another one deletes. */
function filling(calls: readonly Exchange[], deciding?: Exchange): Exchange[] {
  if (deciding?.request.method !== 'DELETE') return []
  const [uid = ''] = /[^/]+$/.exec(deciding.request.url) ?? []
  return calls.filter(({ request: { method, url } }) => method === 'POST' && url.endsWith(`/${uid}`)).slice(-1)
}

const isOverGrpc = (operation: string) => operation.startsWith('grpc.')

/** How many parameters of a call over HTTP a message has as well, less those that it has not. */
const sharedBy = (url: string, message = '') =>
  [...new URL(url).searchParams.values()].reduce((sum, value) => sum + (message.includes(value) ? 1 : -1), 0)

/** The other kinds on which a claim does not hold: those that fail in the same way on one line. */
function alsoOn(one: Requirement, others: readonly Requirement[]): string[] {
  const { outcome } = one
  return [...groupBy(others, (other) => fingerprintOf({ ...other, outcome }))].map(([why, cells]) => {
    const kinds = cells.map((cell) => kindOf(cell, one)).join(', ')
    return why === fingerprintOf(one) ? kinds : `${kinds}: ${visible(headline(cells[0]!), 200)}`
  })
}

function paragraph(lines: string[]): string[] {
  return lines.length > 0 ? ['', ...lines] : []
}

/** What the target does not have and need not have (R49). */
function notOffered(requirements: readonly Requirement[], paint: Paint): string[] {
  const lines = missingIn(withOutcome(requirements, 'not offered')).map(
    ({ seen, operations, rows }) =>
      `  ${String(rows.length).padStart(4)}  ${visible(`${operations.join(', ')}: ${seen}`, 400)}`,
  )
  return lines.length > 0 ? ['', paint('bold', 'Not offered, which the contract allows'), ...lines] : []
}

function inconclusive(report: Report, paint: Paint): string[] {
  const { requirements, verdict } = report
  const own = withOutcome(requirements, 'inconclusive')
  if (own.length === 0) return []
  const lines = undecidedIn(own, report).map(({ reason, rows }) => {
    const names = claimNames(rows)
    const more = names.length > 3 ? `, and ${names.length - 3} more` : ''
    const line = `  ${String(rows.length).padStart(4)}  ${visible(reason, 400)} ${paint('dim', `(${names.slice(0, 3).join(', ')}${more})`)}`
    return `${line}\n        ${paint('dim', `→ ${remedyFor(rows[0]!, verdict)}`)}`
  })
  return ['', 'Inconclusive', ...lines]
}
