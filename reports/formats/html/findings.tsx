import type { Report, Requirement } from '../../../schemas/types.ts'
import { blockedCount, excuseOf, told, worstFirst } from '../../model/select.ts'
import { statementsCited } from '../../text/contract.ts'
import { rerun } from '../../text/curl.ts'
import { visible } from '../../text/visible-text.ts'
import { Exchanges } from './exchanges.tsx'
import { Cites, Command, Go, Ids, Part, Said, Seen, Tag } from './pieces.tsx'

/** What did not hold, worst first: causes before consequences, failures before errors before warnings. */
export function findingsOf({ requirements }: Report): Requirement[] {
  return (['fail', 'error', 'warning'] as const).flatMap((outcome) =>
    worstFirst(told(requirements, outcome), requirements),
  )
}

/** So many findings stand open from the start. */
const opened = 8

/** Everything that did not hold, with its proof. */
export function Findings({ report }: { report: Report }) {
  const found = findingsOf(report)
  const words = new Map(report.cited.map(({ id, text }) => [id, text]))
  if (found.length === 0) return null
  return (
    <Part id="findings" title="Findings" count={found.length}>
      <p class="hint">Causes stand before what they keep from being told.</p>
      {found.map((one, index) => (
        <Finding key={one.id} one={one} report={report} words={words} open={index < opened} />
      ))}
    </Part>
  )
}

interface FindingProps {
  one: Requirement
  report: Report
  words: ReadonlyMap<string, string>
  open: boolean
}

function Finding({ one, report, words, open }: FindingProps) {
  const { id, level, statement, says, outcome, profile, requests, ms } = one
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
        <Told one={one} />
        <Blocked one={one} report={report} />
        <Steps one={one} />
        <Words ids={statementsCited(statement)} words={words} />
        <Exchanges one={one} />
        <h4>Examine it again</h4>
        <Command text={rerun(id, report.seed)} label={`examine ${id} again`} />
        <p class="meta">
          {level}, {profile}, {requests} calls, {ms} ms · <Cites ids={statementsCited(statement)} /> · <Go id={id} />
        </p>
      </div>
    </details>
  )
}

/** What was expected and what came, as a list of facts. */
export function Told({ one }: { one: Requirement }) {
  const { expected, got, where, note, observed } = one
  const facts = { expected, got, where, note, seen: observed }
  const rows = Object.entries(facts).filter((row): row is [string, string] => row[1] !== undefined)
  if (rows.length === 0) return null
  return (
    <dl class="told-facts">
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

function Blocked({ one, report: { requirements } }: { one: Requirement; report: Report }) {
  const count = blockedCount(one.id, requirements)
  if (count === 0) return null
  const rows = requirements.filter(({ blockedBy }) => blockedBy === one.id)
  return (
    <details class="blocked">
      <summary>
        Keeps {count} {count === 1 ? 'other' : 'others'} from being told
      </summary>
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
