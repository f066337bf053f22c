import type { Exchange } from '../../helpers/http/exchange.ts'
import type { Row } from '../../reports/judge/outcome.ts'
import type { Outcome, Report } from '../../schemas/types.ts'
import { exchange, nastier, reportWith, row } from './sample-report.ts'

/** A row under an id of its own. */
export const named = ({ header, ...rest }: Row, id: string, statement = 'S4.23, R12'): Row => ({
  ...rest,
  header: { ...header, id, statement },
  startedAt: '2026-01-01T00:00:00.100Z',
})
const every: Outcome[] = ['pass', 'fail', 'warning', 'observed', 'inconclusive', 'error']

/** Calls at different times, answered well, with a refusal, and not at all. */
function calls(text: string): Exchange[] {
  const [one, two, three] = [1, 2, 3].map((number) => exchange(text, number)) as [Exchange, Exchange, Exchange]
  const silent = { ...three, silence: 'the connection was closed' }
  delete silent.response
  return [
    { ...one, phase: 'arrange', response: { ...one.response!, status: 200 } },
    { ...two, sentAt: '2026-01-01T00:00:00.040Z', response: { ...two.response!, status: 404 } },
    { ...silent, sentAt: '2026-01-01T00:00:00.090Z' },
  ]
}

/** A row of each outcome about a text. */
export const about = (text: string, suffix = '') => {
  const rows = every.map((outcome) => named(row(text, outcome), `list.skip.${outcome}${suffix}`))
  const blocked = named(row(text, 'inconclusive'), `list.skip.blocked${suffix}`)
  const story = { ...named(row(text), `group.story.lists${suffix}`, 'S4.2'), steps: [text, text] }
  return [...rows, { ...blocked, blockedBy: `group.story.lists${suffix}` }, { ...story, exchanges: calls(text) }]
}

const good = reportWith([named(row('x', 'pass'), 'list.skip.echo'), named(row('x', 'pass'), 'group.list.a', 'S4.2')])
/** Reports that pages are made of. */
export const conformant: Report = { ...good, problems: [], left: [], verdict: 'conformant' }
export const failing = reportWith(about('{"name":"a"}'), 'staging')
const partial: Report = { ...failing, verdict: 'partial' }
export const harmful = reportWith(
  nastier.flatMap((text, index) => about(text, `-${index}`)),
  nastier.join(' '),
)

export const reports = { conformant, failing, partial, harmful }
