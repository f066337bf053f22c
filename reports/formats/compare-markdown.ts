import type { ComparedRequirement, Comparison } from '../../schemas/types.ts'
import { remarksOn } from '../model/compare.ts'
import { cell, code, prose } from './markdown.ts'

const sign: Record<string, string> = {
  pass: '✓ pass',
  fail: '✗ fail',
  warning: '! warning',
  observed: 'seen',
  inconclusive: '? inconclusive',
  error: 'E error',
}

/** What a cell says: the outcome, or what was seen. */
function words({ outcomes, observed }: ComparedRequirement, at: number): string {
  return observed[at] ?? sign[outcomes[at] ?? ''] ?? 'not examined'
}

/** Differences first, otherwise in the contract's order. */
function ordered(rows: readonly ComparedRequirement[]): [title: string, rows: ComparedRequirement[]][] {
  const differing = rows.filter(({ differs }) => differs)
  const alike = rows.filter(({ differs }) => !differs)
  return (
    [
      ['Not the same everywhere', differing],
      ['The same everywhere', alike],
    ] as [string, ComparedRequirement[]][]
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
      (row) => `| ${cell(row.id)} | ${row.level} | ${columns.map((_, at) => prose(words(row, at))).join(' | ')} |`,
    )
    return `## ${title}\n\n| Requirement | Level |${columns.map((_, at) => ` ${at + 1} |`).join('')}\n|---|---|${'---|'.repeat(columns.length)}\n${lines.join('\n')}`
  })
  return `${[
    `# ${of === 'time' ? 'One target over time' : 'Several implementations'}`,
    heads.join('\n'),
    ...remarksOn(comparison).map(prose),
    ...(changed.length > 0
      ? [`## Changes\n\n| What | Requirement | In | Before | Now |\n|---|---|---|---|---|\n${changed.join('\n')}`]
      : []),
    ...tables,
  ].join('\n\n')}\n`
}
