import type { Outcome, Report, Requirement } from '../../../schemas/types.ts'
import { claimsOf } from '../../model/claims.ts'
import { groupBy } from '../../model/report.ts'
import { withOutcome } from '../../model/select.ts'
import { Part, Tag } from './pieces.tsx'

/** Every outcome, the worst first. */
export const outcomes: Outcome[] = ['fail', 'error', 'warning', 'inconclusive', 'not offered', 'observed', 'pass']

/** The parts of the service with their verdicts, and the sections of the contract with their counts. */
export function Counts({ report }: { report: Report }) {
  return (
    <Part id="summary" title="Summary">
      <div class="pair">
        <Profiles report={report} />
        <Sections report={report} />
      </div>
    </Part>
  )
}

function Profiles({ report: { profiles } }: { report: Report }) {
  return (
    <table>
      <caption>Parts of the service</caption>
      <thead>
        <tr>
          <th scope="col">profile</th>
          <th scope="col">verdict</th>
          <th scope="col" class="number">
            must
          </th>
          <th scope="col" class="number">
            should
          </th>
        </tr>
      </thead>
      <tbody>
        {[...profiles]
          .sort((a, b) => b.must.total - a.must.total)
          .map(({ profile, verdict, must, should, notOffered = 0 }) => (
            <tr key={profile}>
              <th scope="row">
                <a href="#requirements" data-profile-query={profile}>
                  {profile}
                </a>
              </th>
              <td>
                {must.total + should.total > 0 ? (
                  <Tag outcome={verdict} />
                ) : (
                  <span class="hint">{notOffered > 0 ? 'not offered' : 'recorded only'}</span>
                )}
              </td>
              <td class="number">{ratio(must)}</td>
              <td class="number">{ratio(should)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}

const ratio = ({ passed, total }: { passed: number; total: number }) => (total === 0 ? '–' : `${passed}/${total}`)

function Sections({ report: { requirements } }: { report: Report }) {
  return (
    <table>
      <caption>Sections of the contract</caption>
      <thead>
        <tr>
          <th scope="col">section</th>
          <th scope="col" class="bar-column">
            outcomes
          </th>
          <th scope="col" class="number">
            claims
          </th>
          <th scope="col" class="number">
            findings
          </th>
        </tr>
      </thead>
      <tbody>
        {[...groupBy(requirements, ({ section }) => section)].map(([name, own]) => (
          <tr key={name}>
            <th scope="row">
              <a href={`#${sectionId(name)}`}>{name}</a>
            </th>
            <td>
              <Bar own={own} />
            </td>
            <td class="number">{claimsOf(own).length}</td>
            <td class="number">{claimsOf(own).filter(({ cells }) => cells.some(isFinding)).length}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const isFinding = ({ outcome }: Requirement) => ['fail', 'error', 'warning'].includes(outcome)

/** The anchor of a section in the list. */
export function sectionId(section: string): string {
  return `section-${section.replace(/\W+/g, '-').toLowerCase()}`
}

/** The outcomes of some requirements as one bar. */
export function Bar({ own }: { own: readonly Requirement[] }) {
  let at = 0
  const words = outcomes.flatMap((outcome) => {
    const count = withOutcome(own, outcome).length
    return count > 0 ? [`${count} ${outcome}`] : []
  })
  return (
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={words.join(', ')}>
      {outcomes.map((outcome) => {
        const width = (withOutcome(own, outcome).length / own.length) * 100
        const x = at
        at += width
        return width > 0 ? (
          <rect key={outcome} class={outcome} x={x.toFixed(2)} width={Math.max(width, 1).toFixed(2)} height="8" />
        ) : null
      })}
    </svg>
  )
}
