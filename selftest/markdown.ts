import type { FaultRow, Matrix, VariantRow } from './matrix.ts'

/** The matrix as a page to read. */
export function matrixToMarkdown({ faults, variants, unproven }: Matrix): string {
  const bad = [...faults, ...variants].filter(({ complaints }) => complaints.length > 0)
  const lines = [
    '# What the suite finds, and whom it spares',
    '',
    'Written by `npm run selftest`. Each fault is a server that breaks the contract in one point, each variant a lawful server',
    'that takes an open decision another way. A fault is killed when every requirement that it must turn red does, and no other',
    'than those and where it may show besides; a variant is spared when nothing turns red. The same on several kinds is one claim.',
    '',
    figures({ faults, variants, unproven }),
    '',
    ...(bad.length === 0 ? [] : ['## What is wrong', '', ...bad.flatMap(wrongs), '']),
    ...(unproven.length === 0 ? [] : ['## Musts that no fault turns red', '', ...unproven.map(item), '']),
    '## Faults',
    '',
    `| fault | statements | must turn red | may show in | red |${timed(faults) ? ' time |' : ''}`,
    `| --- | --- | --- | --- | --- |${timed(faults) ? ' ---: |' : ''}`,
    ...faults.map(faultLine),
    '',
    '## Lawful variants',
    '',
    `| variant | may warn | accused |${timed(variants) ? ' time |' : ''}`,
    `| --- | --- | --- |${timed(variants) ? ' ---: |' : ''}`,
    ...variants.map(variantLine),
    '',
  ]
  return lines.join('\n')
}

/** How many were found and spared, in a line. */
export function figures({ faults, variants, unproven }: Matrix): string {
  const killed = faults.filter(({ complaints }) => complaints.length === 0).length
  const accused = variants.filter(({ complaints }) => complaints.length > 0).length
  return `${killed} of ${faults.length} faults killed, ${accused} of ${variants.length} variants accused, ${unproven.length} musts without a fault`
}

const item = (text: string) => `- ${text}`
const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ')
const codes = (ids: readonly string[]) => ids.map((id) => `\`${id}\``).join(', ')
const timed = (rows: readonly { ms?: number }[]) => rows.some(({ ms }) => ms !== undefined)
const time = ({ ms }: { ms?: number }) => (ms === undefined ? '' : ` ${(ms / 1000).toFixed(1)} s |`)

function wrongs({ name, complaints }: FaultRow | VariantRow): string[] {
  return [item(name), ...complaints.map((complaint) => `  - ${complaint.replace(/\s+/g, ' ')}`)]
}

function faultLine({ name, statements, expected, spreadsTo, red, ...row }: FaultRow): string {
  const cells = [cell(name), statements.join(', '), codes(expected), codes(spreadsTo), codes(claimsIn(red))]
  return `| ${cells.join(' | ')} |${time(row)}`
}

function variantLine({ name, warns, complaints, ...row }: VariantRow): string {
  return `| ${cell(name)} | ${codes(warns)} | ${complaints.length === 0 ? 'no' : '**yes**'} |${time(row)}`
}

/** Ids without their kinds, each once. */
function claimsIn(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => id.replace(/@.*/, '')))]
}
