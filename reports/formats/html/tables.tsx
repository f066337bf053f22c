import type { Report } from '../../../schemas/types.ts'
import { remedyFor } from '../../judge/remedies.ts'
import { baselineLines } from '../../model/baseline.ts'
import { missingIn } from '../../model/claims.ts'
import { undecidedIn, withOutcome } from '../../model/select.ts'
import { statementsCited } from '../../text/contract.ts'
import { visible } from '../../text/visible-text.ts'
import { Go, Ids, Part, Said, Seen } from './pieces.tsx'

/** Why the run is not whole, and what it left behind. */
export function Problems({ report }: { report: Report }) {
  const { problems, left, kept = [] } = report
  return (
    <>
      <Lines id="problems" title="Why the run is not whole" lines={problems} />
      <Lines id="baseline" title="Known deviations" lines={baselineLines(report)} />
      <Lines id="left" title="Left behind in the target" lines={left} />
      <Lines id="kept" title="Kept for inspection" lines={kept.map(({ id, uid }) => `${uid} of ${id}`)} />
    </>
  )
}

/** The most lines that are shown of one sort. */
const mostLines = 200

function Lines({ id, title, lines }: { id: string; title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <Part id={id} title={title} count={lines.length}>
      <ul class="lines">
        {lines.slice(0, mostLines).map((line) => (
          <li key={line}>
            <Seen text={line} />
          </li>
        ))}
        {lines.length > mostLines ? <li>and {lines.length - mostLines} more, which report.json has</li> : null}
      </ul>
    </Part>
  )
}

/** What could not be decided, by its reason. */
export function Inconclusive({ report }: { report: Report }) {
  const { requirements, verdict } = report
  const own = withOutcome(requirements, 'inconclusive')
  if (own.length === 0) return null
  return (
    <Part id="inconclusive" title="Inconclusive" count={own.length}>
      <p class="hint">These could not be decided: they count neither as held nor as broken.</p>
      {undecidedIn(own, report).map(({ reason, rows }) => (
        <details class="reason" key={reason}>
          <summary>
            <span class="count">{rows.length}</span>
            <span>
              {visible(reason)} <span class="hint">→ {remedyFor(rows[0]!, verdict)}</span>
            </span>
          </summary>
          <Ids of={rows} />
        </details>
      ))}
    </Part>
  )
}

/** The operations that this target does not have and need not have (R49), with the requirements about them. */
export function NotOffered({ report: { requirements } }: { report: Report }) {
  const own = withOutcome(requirements, 'not offered')
  if (own.length === 0) return null
  return (
    <Part id="not-offered" title="Not offered" count={own.length}>
      <p class="hint">The contract prints no path of these operations, so a server may do without them.</p>
      {missingIn(own).map(({ seen, operations, rows }) => (
        <details class="reason" key={seen}>
          <summary>
            <span class="count">{rows.length}</span>
            <span>{visible(`${operations.join(', ')}: ${seen}`)}</span>
          </summary>
          <Ids of={rows} />
        </details>
      ))}
    </Part>
  )
}

/** What the contract leaves open, and how this target does it. */
export function Observed({ report: { requirements } }: { report: Report }) {
  const own = withOutcome(requirements, 'observed')
  if (own.length === 0) return null
  return (
    <Part id="observed" title="Observed" count={own.length}>
      <p class="hint">The contract leaves these open: this is what the server does, and none of it is judged.</p>
      <table class="observed">
        <thead>
          <tr>
            <th scope="col">question</th>
            <th scope="col">answer</th>
          </tr>
        </thead>
        <tbody>
          {own.map(({ id, says, observed = '' }) => (
            <tr key={id}>
              <th scope="row">
                {says} <Go id={id} />
              </th>
              <td>
                <Seen text={observed} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  )
}

/** What the verdict does not cover. */
export function Outside({ report: { notExamined } }: { report: Report }) {
  const outside = notExamined.filter((one) => one.outside !== undefined)
  const rest = notExamined.filter((one) => one.outside === undefined)
  return (
    <>
      {rest.length > 0 ? (
        <Part id="not-examined" title="Not examined" count={rest.length}>
          <p class="hint">No requirement of this run cites these statements of the contract.</p>
          <Statements all={rest} />
        </Part>
      ) : null}
      {outside.length > 0 ? (
        <Part id="outside" title="Outside the certificate" count={outside.length}>
          <p class="hint">No black box can check these statements of the contract.</p>
          <Statements all={outside} />
        </Part>
      ) : null}
    </>
  )
}

/** The words of the contract that were checked. */
export function Words({ report: { cited, requirements } }: { report: Report }) {
  const counts = new Map<string, number>()
  for (const { statement } of requirements) {
    for (const id of statementsCited(statement)) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return (
    <Part id="contract" title="The contract, as far as it was examined" count={cited.length}>
      <p class="hint">Statements (S) are promised by the contract; rulings (R) say how the unclear ones are read.</p>
      <Statements all={cited} counts={counts} />
    </Part>
  )
}

interface StatementsProps {
  all: readonly { id: string; text: string; outside?: string }[]
  /** How many requirements cite each. */
  counts?: ReadonlyMap<string, number>
}

function Statements({ all, counts }: StatementsProps) {
  return (
    <dl class="words">
      {all.map(({ id, text, outside }) => (
        <div key={id} id={id}>
          <dt>{id}</dt>
          <dd>
            <Said text={text} />
            {outside === undefined ? null : <em> {outside}</em>}
            {counts ? (
              <a class="citing" href="#requirements" data-query={id}>
                {counts.get(id)} {counts.get(id) === 1 ? 'requirement' : 'requirements'}
              </a>
            ) : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}
