import type { Report, Requirement } from '../../../schemas/types.ts'
import { groupBy } from '../../model/report.ts'
import { told } from '../../model/select.ts'
import { statementsCited } from '../../text/contract.ts'
import { rerun } from '../../text/curl.ts'
import { Bar, outcomes, sectionId } from './counts.tsx'
import { Exchanges } from './exchanges.tsx'
import { findingsOf, Told } from './findings.tsx'
import { Cites, Go, Part, Tag } from './pieces.tsx'

/** Every requirement in the contract's order, to be searched; a finding stands above and is only named here. */
export function Listing({ report }: { report: Report }) {
  const { requirements, seed } = report
  const found = new Set(findingsOf(report).map(({ id }) => id))
  return (
    <Part id="requirements" title="Requirements" count={requirements.length}>
      <Filters report={report} />
      {[...groupBy(requirements, ({ section }) => section)].map(([name, own]) => (
        <section class="group" key={name} aria-labelledby={sectionId(name)}>
          <h3 id={sectionId(name)}>
            {name} <span class="count">{own.length}</span>
            <Bar own={own} />
          </h3>
          {own.map((one) =>
            found.has(one.id) ? <Named key={one.id} one={one} /> : <Row key={one.id} one={one} seed={seed} />,
          )}
        </section>
      ))}
    </Part>
  )
}

function Filters({ report: { requirements, profiles } }: { report: Report }) {
  const there = outcomes.filter((outcome) => told(requirements, outcome).length > 0)
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
              {outcome} {told(requirements, outcome).length}
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
        {requirements.length} shown
      </p>
    </search>
  )
}

function attributes({ outcome, level, profile }: Requirement) {
  return { 'data-outcome': outcome, 'data-level': level, 'data-profile': profile }
}

/** A finding: its proof stands further up. */
function Named({ one }: { one: Requirement }) {
  return (
    <div class="row named" {...attributes(one)} data-cites={one.statement}>
      <Tag outcome={one.outcome} />
      <span class="what">
        <Go id={one.id} />
        <span class="says">{one.says}</span>
      </span>
      <span class="level">{one.level}</span>
    </div>
  )
}

function Row({ one, seed }: { one: Requirement; seed: number }) {
  const { id, outcome, says, level, statement, profile, requests, ms, blockedBy } = one
  return (
    <details class="row" id={id} {...attributes(one)}>
      <summary>
        <Tag outcome={outcome} />
        <span class="what">
          <span class="id">{id}</span>
          <span class="says">{says}</span>
        </span>
        <span class="level">{level}</span>
      </summary>
      <div class="more">
        <Told one={one} />
        {blockedBy === undefined ? null : (
          <p>
            Blocked by <Go id={blockedBy} />.
          </p>
        )}
        <p class="meta">
          <Cites ids={statementsCited(statement)} /> · {profile}, {requests} calls, {ms} ms ·{' '}
          <code>{rerun(id, seed)}</code>
        </p>
        <Exchanges one={one} />
      </div>
    </details>
  )
}
