import { counted } from '../../../schemas/counted.ts'
import type { Report, Requirement } from '../../../schemas/types.ts'
import { kindIn } from '../../model/claims.ts'
import { placeOf, saidOf } from '../../model/finding.ts'
import { aboutCalls, blockedBy, excuseOf, type Finding, findingsOf, headline, rerunOf } from '../../model/select.ts'
import { statementsCited } from '../../text/contract.ts'
import { explanation } from '../../text/curl.ts'
import { visible } from '../../text/visible-text.ts'
import { Exchanges } from './exchanges.tsx'
import { Cites, Command, Go, Ids, Part, Said, Seen, Tag } from './pieces.tsx'

/** How many findings are open at first. */
const opened = 8

/** Everything that did not hold, with its proof; a claim once, with the kinds on which it does not hold. */
export function Findings({ report }: { report: Report }) {
  const found = findingsOf(report)
  const words = new Map(report.cited.map(({ id, text }) => [id, text]))
  if (found.length === 0) return null
  return (
    <Part id="findings" title="Findings" count={found.length}>
      <p class="hint">{['A cause comes before the claims that it blocks.', ...aboutCalls(report)].join(' ')}</p>
      {found.map((finding, index) => (
        <One key={finding.cells[0].id} finding={finding} report={report} words={words} open={index < opened} />
      ))}
    </Part>
  )
}

interface OneProps {
  finding: Finding
  report: Report
  words: ReadonlyMap<string, string>
  open: boolean
}

function One({ finding: { cells }, report, words, open }: OneProps) {
  const [one, ...others] = cells
  const { id, level, statement, says, quote, outcome, profile, requests, ms } = one
  const excuse = excuseOf(report, id)
  return (
    <details class={`finding ${outcome}`} id={id} open={open}>
      <summary>
        <Tag outcome={outcome} />
        <h3>
          {id}
          {excuse === undefined ? null : <span class="count">known</span>}
        </h3>
        <span class="says">{says}</span>
      </summary>
      <div class="more">
        {excuse === undefined ? null : <p>Known: {visible(excuse)}</p>}
        {quote === undefined ? null : (
          <blockquote>
            <Said text={quote} />
          </blockquote>
        )}
        <Facts one={one} />
        <Others one={one} others={others} />
        <Blocked cells={cells} report={report} />
        <Steps one={one} />
        <Exchanges one={one} />
        <h4>Examine it again</h4>
        <Command text={rerunOf(cells, report)} label={`examine ${id} again`} />
        <h4>What it means, and how it is judged</h4>
        <Command text={explanation(id)} label={`explain ${id}`} />
        <Words ids={statementsCited(statement)} words={words} />
        <p class="meta">
          {level}, {profile}, {counted(requests, 'call')}, {ms} ms · <Cites ids={statementsCited(statement)} /> ·{' '}
          <Go id={id} />
        </p>
      </div>
    </details>
  )
}

/** What was expected and what came, as a list of facts: only the members that differ. */
export function Facts({ one }: { one: Requirement }) {
  const { about, expected, got, note } = saidOf(one)
  const facts = { about, expected, got, ...placeOf(one), note, seen: one.observed, exercised: one.met }
  const rows = Object.entries(facts).filter((row): row is [string, string] => row[1] !== undefined)
  if (rows.length === 0) return null
  return (
    <dl class="said">
      {rows.map(([name, text]) => (
        <div key={name} class={name}>
          <dt>{name}</dt>
          <dd>
            <Seen text={text} limit={2000} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The other kinds on which the claim does not hold. */
function Others({ one, others }: { one: Requirement; others: readonly Requirement[] }) {
  if (others.length === 0) return null
  return (
    <>
      <h4>It does not hold on {counted(others.length, 'other kind')} either</h4>
      {others.map((other) => (
        <details class="cell" id={other.id} key={other.id}>
          <summary>
            <Tag outcome={other.outcome} />
            <span class="kind">{kindIn(other.id)}</span>
            <span class="hint">
              {headline(other) === headline(one) ? 'fails alike' : visible(headline(other), 160)}
            </span>
          </summary>
          <Facts one={other} />
          <Exchanges one={other} />
        </details>
      ))}
    </>
  )
}

function Blocked({ cells, report: { requirements } }: { cells: Finding['cells']; report: Report }) {
  const rows = blockedBy(cells, requirements)
  if (rows.length === 0) return null
  return (
    <details class="blocked">
      <summary>Blocks {counted(rows.length, 'other')}</summary>
      <Ids of={rows} />
    </details>
  )
}

function Steps({ one: { steps = [] } }: { one: Requirement }) {
  if (steps.length === 0) return null
  return (
    <>
      <h4>The shortest way there</h4>
      <ol class="steps">
        {steps.map((step, index) => (
          <li key={index}>{visible(step, 2000)}</li>
        ))}
      </ol>
    </>
  )
}

function Words({ ids, words }: { ids: readonly string[]; words: ReadonlyMap<string, string> }) {
  return (
    <dl class="words">
      {ids.flatMap((id) => {
        const text = words.get(id)
        return text === undefined
          ? []
          : [
              <div key={id}>
                <dt>
                  <a href={`#${id}`}>{id}</a>
                </dt>
                <dd>
                  <Said text={text} />
                </dd>
              </div>,
            ]
      })}
    </dl>
  )
}
