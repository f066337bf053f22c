import type { Report, Requirement } from '../../../schemas/types.ts'
import { decidedLater } from '../../model/merge-resumed.ts'
import { outcomes } from './counts.tsx'
import { duration, Go, Part } from './pieces.tsx'

const slowest = 12

/** When the cases ran, and which took longest. */
export function Timing({ report }: { report: Report }) {
  const { requirements, durationMs } = report
  const later = decidedLater(report)
  const own = requirements.filter(({ id }) => !later.has(id))
  const slow = own.sort((a, b) => b.ms - a.ms).slice(0, slowest)
  const most = Math.max(durationMs, ...slow.map(({ ms }) => ms), 1)
  if (slow.length === 0) return null
  return (
    <Part id="timing" title="Timing">
      <Timeline report={report} />
      <table>
        <caption>The slowest of {own.length}, arrangement included</caption>
        <thead>
          <tr>
            <th scope="col">requirement</th>
            <th scope="col" class="bar-column">
              of {duration(most)}
            </th>
            <th scope="col" class="number">
              took
            </th>
            <th scope="col" class="number">
              calls
            </th>
          </tr>
        </thead>
        <tbody>
          {slow.map(({ id, ms, requests }) => (
            <tr key={id}>
              <th scope="row">
                <Go id={id} />
              </th>
              <td>
                <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                  <rect class="plain" width={((ms / most) * 100).toFixed(1)} height="8" />
                </svg>
              </td>
              <td class="number">{duration(ms)}</td>
              <td class="number">{requests}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  )
}

/** Every case as a line from its beginning to its end, in the order of beginning. */
function Timeline({ report }: { report: Report }) {
  const { requirements, startedAt } = report
  const later = decidedLater(report)
  const start = Date.parse(startedAt)
  const cases = requirements
    .filter(({ id }) => !later.has(id))
    .flatMap((one) => (one.startedAt === undefined ? [] : [{ one, at: Date.parse(one.startedAt) - start }]))
    .sort((a, b) => a.at - b.at)
  if (cases.length < 2) return null
  const end = Math.max(...cases.map(({ one, at }) => at + one.ms), 1)
  const lineOf = ({ one, at }: { one: Requirement; at: number }, y: number) => {
    const x = (at / end) * 1000
    return `M${x.toFixed(1)} ${y + 0.5}h${Math.max((one.ms / end) * 1000, 1.5).toFixed(1)}`
  }
  return (
    <figure class="timeline">
      <svg
        viewBox={`0 0 1000 ${cases.length}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${cases.length} cases over ${duration(end)}, each from its beginning to its end`}
      >
        {[...outcomes].reverse().map((outcome) => {
          const lines = cases.map((each, y) => (each.one.outcome === outcome ? lineOf(each, y) : '')).join('')
          return lines === '' ? null : <path key={outcome} class={outcome} d={lines} />
        })}
      </svg>
      <figcaption>
        <span>0</span>
        <span>each line is a case, from its beginning to its end</span>
        <span>{duration(end)}</span>
      </figcaption>
    </figure>
  )
}
