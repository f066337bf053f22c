import { type ComparedRow, type Comparison, remarksOn } from './compare.ts'
import { cell, code, prose } from './markdown.ts'
import { visible } from './text.ts'

const sign: Record<string, string> = {
  pass: '✓ pass',
  fail: '✗ fail',
  warning: '! warning',
  observed: 'seen',
  inconclusive: '? inconclusive',
  error: 'E error',
}

/** What a cell says: the outcome, or what was seen. */
function words({ outcomes, observed }: ComparedRow, at: number): string {
  return observed[at] ?? sign[outcomes[at] ?? ''] ?? 'not examined'
}

/** What differs comes first, in the contract's order otherwise. */
function ordered(rows: readonly ComparedRow[]): [title: string, rows: ComparedRow[]][] {
  const differing = rows.filter(({ differs }) => differs)
  const alike = rows.filter(({ differs }) => !differs)
  return (
    [
      ['Not the same everywhere', differing],
      ['The same everywhere', alike],
    ] as [string, ComparedRow[]][]
  ).filter(([, own]) => own.length > 0)
}

/** A comparison in GitHub's Markdown: a column for each report. */
export function comparisonToMarkdown(comparison: Comparison): string {
  const { of, columns, rows, changes } = comparison
  const heads = columns.map(
    ({ name, version, startedAt, suite, line }, at) =>
      `${at + 1}. ${prose(name)}, version ${prose(version)}, ${startedAt}, by ${prose(suite)}: ${code(line)}`,
  )
  const changed = changes.map(
    ({ kind, id, at, before = '', now = '' }) =>
      `| ${kind} | ${cell(id)} | ${at + 1} | ${before ? cell(before) : ''} | ${now ? cell(now) : ''} |`,
  )
  const tables = ordered(rows).map(([title, own]) => {
    const lines = own.map(
      (row) =>
        `| ${cell(row.id)} | ${row.level} | ${columns.map((_, at) => prose(words(row, at))).join(' | ')} |`,
    )
    return `## ${title}\n\n| Requirement | Level |${columns.map((_, at) => ` ${at + 1} |`).join('')}\n|---|---|${'---|'.repeat(columns.length)}\n${lines.join('\n')}`
  })
  return `${[
    `# ${of === 'time' ? 'One target over time' : 'Several implementations'}`,
    heads.join('\n'),
    ...remarksOn(comparison).map(prose),
    ...(changed.length > 0
      ? [
          `## Changes\n\n| What | Requirement | In | Before | Now |\n|---|---|---|---|---|\n${changed.join('\n')}`,
        ]
      : []),
    ...tables,
  ].join('\n\n')}\n`
}

/** A comparison as one page that loads nothing; whatever a report holds is text in it. */
export function comparisonToHtml(comparison: Comparison): string {
  const { of, columns, rows, changes } = comparison
  const title = of === 'time' ? 'One target over time' : 'Several implementations'
  const heads = columns.map(
    ({ name, version }) => `<th scope="col">${text(name)}<br><small>${text(version)}</small></th>`,
  )
  const tables = ordered(rows).map(([caption, own]) => {
    const lines = own.map((row) => {
      const cells = columns.map(
        (_, at) => `<td class="${row.outcomes[at] ?? 'none'}">${text(words(row, at))}</td>`,
      )
      return `<tr id="${text(row.id)}"><th scope="row"><a href="#${text(row.id)}">${text(row.id)}</a><br><small>${text(row.says)} (${text(row.statement)})</small></th><td>${row.level}</td>${cells.join('')}</tr>`
    })
    return `<table><caption>${caption}: ${own.length}</caption><thead><tr><th scope="col">Requirement</th><th scope="col">Level</th>${heads.join('')}</tr></thead><tbody>\n${lines.join('\n')}\n</tbody></table>`
  })
  const changed = changes.map(
    ({ kind, id, at, before = '', now = '' }) =>
      `<tr><td class="${kind}">${kind}</td><th scope="row"><a href="#${text(id)}">${text(id)}</a></th><td>${at + 1}</td><td>${text(before)}</td><td>${text(now)}</td></tr>`,
  )
  const listed = columns.map(
    ({ name, version, startedAt, suite, line }) =>
      `<li>${text(name)}, version ${text(version)}, ${text(startedAt)}, by ${text(suite)}: <code>${text(line)}</code></li>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title><style>${style}</style></head><body><main>
<h1>${title}</h1><ol>${listed.join('\n')}</ol>
${remarksOn(comparison)
  .map((remark) => `<p>${text(remark)}</p>`)
  .join('')}
${changed.length > 0 ? `<table><caption>Changes: ${changed.length}</caption><thead><tr><th scope="col">What</th><th scope="col">Requirement</th><th scope="col">In</th><th scope="col">Before</th><th scope="col">Now</th></tr></thead><tbody>\n${changed.join('\n')}\n</tbody></table>` : ''}
${tables.join('\n')}
</main></body></html>
`
}

const style = `:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:90rem;padding:0 1rem}
table{border-collapse:collapse;width:100%;margin:2rem 0;display:block;overflow-x:auto}caption{text-align:left;font-weight:600;padding:.5rem 0}
th,td{border:1px solid #8886;padding:.25rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}thead th{position:sticky;top:0;background:Canvas}
small{font-weight:400}.fail,.error,.broken{background:#d322}.warning,.different,.lost{background:#e902}.pass,.fixed,.told{background:#2a42}`

/** Text that does nothing in a page. */
function text(value: string): string {
  return visible(value).replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}
