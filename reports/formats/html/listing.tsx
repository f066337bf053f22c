import { counted } from '../../../schemas/counted.ts'
import type { Report, Requirement } from '../../../schemas/types.ts'
import { claimsOf, kindIn } from '../../model/claims.ts'
import { groupBy } from '../../model/report.ts'
import { findingsOf, rerunOf, withOutcome } from '../../model/select.ts'
import { statementsCited } from '../../text/contract.ts'
import { Bar, outcomes, sectionId } from './counts.tsx'
import { Exchanges } from './exchanges.tsx'
import { Facts } from './findings.tsx'
import { Cites, Go, Part, Said, Tag } from './pieces.tsx'

/** Every claim in the contract's order, searchable; a finding has its proof above and is only named here. */
export function Listing({ report }: { report: Report }) {
  const { requirements } = report
  const found = new Set(findingsOf(report).flatMap(({ cells }) => cells.map(({ id }) => id)))
  return (
    <Part id="requirements" title="Claims" count={claimsOf(requirements).length}>
      <Filters report={report} />
      {[...groupBy(requirements, ({ section }) => section)].map(([name, own]) => (
        <section class="group" key={name} aria-labelledby={sectionId(name)}>
          <h3 id={sectionId(name)}>
            {name} <span class="count">{claimsOf(own).length}</span>
            <Bar own={own} />
          </h3>
          {claimsOf(own).flatMap(({ id, cells }) => {
            // what has its proof above is only named here
            const above = cells.filter((cell) => found.has(cell.id))
            const rest = cells.filter((cell) => !found.has(cell.id))
            return [
              ...(above.length > 0 ? [<Named key={`${id} above`} cells={above} />] : []),
              ...(rest.length > 0 ? [<Row key={id} cells={rest} report={report} />] : []),
            ]
          })}
        </section>
      ))}
    </Part>
  )
}

function Filters({ report: { requirements, profiles } }: { report: Report }) {
  const there = outcomes.filter((outcome) => withOutcome(requirements, outcome).length > 0)
  return (
    <search class="filters" hidden>
      <label class="query">
        <span>Search</span>
        <input id="query" type="search" placeholder="id, words, statement …" autocomplete="off" />
      </label>
      <fieldset>
        <legend>Outcome</legend>
        {there.map((outcome) => (
          <label key={outcome} class={`chip ${outcome}`}>
            <input type="checkbox" name="outcome" value={outcome} />
            <span>
              {outcome} {withOutcome(requirements, outcome).length}
            </span>
          </label>
        ))}
      </fieldset>
      <label>
        <span>Level</span>
        <select id="level">
          <option value="">all</option>
          <option>must</option>
          <option>should</option>
          <option>observe</option>
        </select>
      </label>
      <label>
        <span>Profile</span>
        <select id="profile">
          <option value="">all</option>
          {profiles.map(({ profile }) => (
            <option key={profile}>{profile}</option>
          ))}
        </select>
      </label>
      <p id="shown" role="status">
        {claimsOf(requirements).length} shown
      </p>
    </search>
  )
}

/** What the filters read: the values of all kinds of a claim. */
function attributes(cells: readonly Requirement[]) {
  const all = (of: (cell: Requirement) => string) => [...new Set(cells.map(of))].join(' ')
  return {
    'data-outcome': all(({ outcome }) => outcome),
    'data-level': all(({ level }) => level),
    'data-profile': all(({ profile }) => profile),
  }
}

/** A finding: its proof is further up. */
function Named({ cells }: { cells: readonly Requirement[] }) {
  const one = worstOf(cells)
  return (
    <div class="row named" {...attributes(cells)} data-cites={cells.map(({ statement }) => statement).join(' ')}>
      <Tag outcome={one.outcome} />
      <span class="what">
        <Go id={one.id} />
        <span class="says">{one.says}</span>
        <Kinds cells={cells} />
      </span>
      <span class="level">{one.level}</span>
    </div>
  )
}

function worstOf(cells: readonly Requirement[]): Requirement {
  return outcomes.map((outcome) => cells.find((cell) => cell.outcome === outcome)).find((cell) => cell !== undefined)!
}

/** The kinds of which a claim was asked, each with its outcome; nothing if it is asked of one. */
function Kinds({ cells }: { cells: readonly Requirement[] }) {
  if (cells.length === 1) return null
  return (
    <span class="kinds">
      {cells.map(({ id, outcome }) => (
        <span key={id} class={`kind-of ${outcome}`} title={`${id}: ${outcome}`}>
          {kindIn(id)}
        </span>
      ))}
    </span>
  )
}

function Row({ cells, report }: { cells: readonly Requirement[]; report: Report }) {
  const one = cells.find((cell) => !cell.id.includes('@')) ?? cells[0]!
  const { id, says, quote, level, statement, profile } = one
  return (
    <details class="row" id={id} {...attributes(cells)}>
      <summary>
        <Tag outcome={worstOf(cells).outcome} />
        <span class="what">
          <span class="id">{id}</span>
          <span class="says">{says}</span>
          <Kinds cells={cells} />
        </span>
        <span class="level">{level}</span>
      </summary>
      <div class="more">
        {quote === undefined ? null : (
          <blockquote>
            <Said text={quote} />
          </blockquote>
        )}
        {cells.length === 1 ? <Cell one={one} report={report} /> : null}
        {cells.length > 1
          ? cells.map((cell) => (
              <details class="cell" id={cell === one ? undefined : cell.id} key={cell.id}>
                <summary>
                  <Tag outcome={cell.outcome} />
                  <span class="kind">{kindIn(cell.id)}</span>
                </summary>
                <Cell one={cell} report={report} />
              </details>
            ))
          : null}
        <p class="meta">
          <Cites ids={statementsCited(statement)} /> · {profile}
        </p>
      </div>
    </details>
  )
}

function Cell({ one, report }: { one: Requirement; report: Report }) {
  const { blockedBy, requests, ms, outcome } = one
  const exercise = requests === 0 ? 'judges calls of other cases' : `${counted(requests, 'call')}, ${ms} ms`
  return (
    <>
      <Facts one={one} />
      {blockedBy === undefined ? null : (
        <p>
          Blocked by <Go id={blockedBy} />.
        </p>
      )}
      <p class="meta">
        {outcome === 'inconclusive' && requests === 0 ? 'not examined' : exercise} ·{' '}
        <code>{rerunOf([one], report)}</code>
      </p>
      <Exchanges one={one} />
    </>
  )
}
