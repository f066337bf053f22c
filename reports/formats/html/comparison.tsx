import { createHash } from 'node:crypto'
import type { ComponentChildren } from 'preact'
import { render } from 'preact-render-to-string'
import type { Change, ChangeKind, ComparedRequirement, Comparison } from '../../../schemas/types.ts'
import { changeKinds, regressions, remarksOn } from '../../model/compare.ts'
import { visible } from '../../text/visible-text.ts'
import { style } from './comparison-style.ts'
import { Part, Seen, Tag } from './pieces.tsx'

/** A comparison as one page that loads nothing and runs nothing; everything in a report is text there. */
export function comparisonToHtml(comparison: Comparison): string {
  return `<!doctype html>\n${render(<Page comparison={comparison} />)}\n`
}

const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'`

function Page({ comparison }: { comparison: Comparison }) {
  const { of, rows } = comparison
  const title = of === 'time' ? 'One target over time' : 'Several implementations'
  const differing = rows.filter(({ differs }) => differs)
  const alike = rows.filter(({ differs }) => !differs)
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${title}: ${headlineOf(comparison)}`}</title>
        <link rel="icon" href="data:," />
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the comparison
        </a>
        <header class={`masthead ${toneOf(comparison)}`.trim()}>
          <p class="kicker">{title}</p>
          <h1>{headlineOf(comparison)}</h1>
          {remarksOn(comparison).map((remark) => (
            <p key={remark} class="lead">
              {visible(remark, 2000)}
            </p>
          ))}
        </header>
        <main id="main" tabIndex={-1}>
          <Reports comparison={comparison} />
          {changeKinds.map((kind) => (
            <Changes key={kind} kind={kind} comparison={comparison} />
          ))}
          <Matrix id="differing" title="Not the same everywhere" rows={differing} comparison={comparison} />
          {alike.length > 0 ? (
            <section>
              <details class="rest">
                <summary>{alike.length} requirements come out the same everywhere</summary>
                <Matrix id="alike" title="The same everywhere" rows={alike} comparison={comparison} />
              </details>
            </section>
          ) : null}
        </main>
      </body>
    </html>
  )
}

function headlineOf(comparison: Comparison): string {
  const { of, columns, rows } = comparison
  if (of === 'matrix') return `${rows.filter(({ differs }) => differs).length} of ${rows.length} differ`
  const count = regressions(comparison).length
  const changed = comparison.changes.length === 0 ? 'nothing changed' : 'no regression'
  return `${count === 0 ? changed : `${count} ${count === 1 ? 'regression' : 'regressions'}`} in ${columns.length} reports`
}

function toneOf(comparison: Comparison): string {
  if (comparison.of === 'matrix') return ''
  return regressions(comparison).length > 0 ? 'nonconformant' : 'conformant'
}

/** The reports, in the order in which they were given. */
function Reports({ comparison: { columns } }: { comparison: Comparison }) {
  return (
    <Part id="reports" title="Reports" count={columns.length}>
      <Scroll labelledby="reports-title">
        <table>
          <thead>
            <tr>
              <th scope="col" class="number">
                #
              </th>
              <th scope="col">target</th>
              <th scope="col">verdict</th>
              <th scope="col">must</th>
              <th scope="col">should</th>
              <th scope="col">examined</th>
              <th scope="col">by</th>
            </tr>
          </thead>
          <tbody>
            {columns.map(({ name, version, suite, startedAt, verdict, line }, at) => (
              <tr key={at}>
                <td class="number">{at + 1}</td>
                <th scope="row">
                  <bdi>{visible(name, 120)}</bdi> <small>version {visible(version, 60)}</small>
                </th>
                <td>
                  <Tag outcome={verdict} />
                </td>
                <td>{/\bmust=(\S+)/.exec(line)?.[1]}</td>
                <td>{/\bshould=(\S+)/.exec(line)?.[1]}</td>
                <td>{visible(startedAt, 40).slice(0, 16).replace('T', ' ')} UTC</td>
                <td>{visible(suite, 80)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Part>
  )
}

const titles: Record<ChangeKind, string> = {
  broken: 'Broken',
  fixed: 'Fixed',
  different: 'Fails differently',
  lost: 'No longer decided',
  told: 'Decided now',
  observation: 'Left open, and different now',
  added: 'New requirements',
  removed: 'Requirements that are gone',
  lowered: 'No longer a must',
}

function Changes({ kind, comparison: { changes, columns } }: { kind: ChangeKind; comparison: Comparison }) {
  const own = changes.filter((change) => change.kind === kind)
  if (own.length === 0) return null
  return (
    <Part id={kind} title={titles[kind]} count={own.length}>
      <table class="changes">
        <thead>
          <tr>
            <th scope="col">requirement</th>
            <th scope="col">before</th>
            <th scope="col">now</th>
          </tr>
        </thead>
        <tbody>
          {own.map((change) => (
            <One key={`${change.id} ${change.at}`} change={change} several={columns.length > 2} />
          ))}
        </tbody>
      </table>
    </Part>
  )
}

function One({ change: { id, at, before, now }, several }: { change: Change; several: boolean }) {
  return (
    <tr>
      <th scope="row">
        <To id={id} /> {several ? <small>in report {at + 1}</small> : null}
      </th>
      {[before, now].map((text) => (
        <td>{text === undefined ? null : <Seen text={text} limit={600} />}</td>
      ))}
    </tr>
  )
}

/** A part that may be wider than the page: the keyboard reaches it, to scroll. */
function Scroll({ labelledby, children }: { labelledby: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus
    <section class="matrix" aria-labelledby={labelledby} tabIndex={0}>
      {children}
    </section>
  )
}

function To({ id }: { id: string }) {
  return (
    <a class="id" href={`#${encodeURIComponent(visible(id))}`}>
      {visible(id)}
    </a>
  )
}

interface MatrixProps {
  id: string
  title: string
  rows: readonly ComparedRequirement[]
  comparison: Comparison
}

/** One line per requirement, one column per report. */
function Matrix({ id, title, rows, comparison: { columns } }: MatrixProps) {
  if (rows.length === 0) return null
  return (
    <Part id={id} title={title} count={rows.length}>
      <Scroll labelledby={`${id}-title`}>
        <table>
          <thead>
            <tr>
              <th scope="col">requirement</th>
              <th scope="col">level</th>
              {columns.map(({ name, version }, at) => (
                <th key={at} scope="col">
                  {at + 1} {visible(name, 60)} <small>version {visible(version, 40)}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id} id={visible(row.id)}>
                <th scope="row">
                  <To id={row.id} />
                  <small>
                    {visible(row.says)} ({visible(row.statement)})
                  </small>
                </th>
                <td>{row.level}</td>
                {columns.map((_, at) => (
                  <td key={at}>
                    <Cell row={row} at={at} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Part>
  )
}

function Cell({ row: { outcomes, observed }, at }: { row: ComparedRequirement; at: number }) {
  const [outcome, seen] = [outcomes[at], observed[at]]
  if (!outcome) return <span class="none">not examined</span>
  return typeof seen !== 'string' ? <Tag outcome={outcome} /> : <Seen text={seen} limit={300} />
}
