import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { comparisonToConsole } from '../../reports/formats/compare-console.ts'
import { comparisonToMarkdown } from '../../reports/formats/compare-markdown.ts'
import { comparisonToHtml } from '../../reports/formats/html/comparison.tsx'
import { compareReports, regressions } from '../../reports/model/compare.ts'
import { suite } from '../input/package.ts'
import { readReport } from '../input/read-report.ts'
import { Refused } from '../input/refused.ts'
import { wasAskedFor } from '../input/selections.ts'

interface CompareFlags {
  matrix?: boolean
  out?: string
  json?: boolean
}

/** Adds the verb `compare`. */
export function addCompare(program: Command): void {
  program
    .command('compare')
    .description('show what differs between the reports of several runs')
    .argument('<reports...>', 'two or more report.json, oldest first')
    .option('--matrix', 'show them side by side, even if they are of one target')
    .option('--out <folder>', 'write compare.md, compare.html and compare.json to this folder')
    .option('--json', 'print the comparison as JSON')
    .addHelpText(
      'after',
      `
Reports whose targets have the same name (RMAPI_TARGET_NAME) are of one target over time. They show what is broken,
fixed, lost (no longer decided), told (decided now), added, removed and lowered (no longer a must), and which
observations changed. Reports of different targets are shown side by side, with the musts that a later suite lacks.
Exit codes: 0 no regression, 1 something fails or warns in the last report that did not before, 2 no such report

Examples:
  ${suite.name} compare last-week/report.json reports/out/report.json
  ${suite.name} compare ours/report.json theirs/report.json --out reports/compare`,
    )
    .action(compareCommand)
}

/** `compare`: prints what differs; exit code 1 if the last report breaks what an earlier one kept. */
function compareCommand(paths: string[], { matrix = false, out, json = false }: CompareFlags): void {
  if (paths.length < 2)
    throw new Refused('Two reports are needed to compare, for example compare a/report.json b/report.json')
  const comparison = compareReports(paths.map(readReport), matrix, wasAskedFor)
  const asJson = `${JSON.stringify(comparison, null, 2)}\n`
  if (out !== undefined) {
    writeAll(out, {
      'compare.md': comparisonToMarkdown(comparison),
      'compare.html': comparisonToHtml(comparison),
      'compare.json': asJson,
    })
  }
  process.stdout.write(json ? asJson : comparisonToConsole(comparison))
  process.exitCode = regressions(comparison).length > 0 ? 1 : 0
}

function writeAll(out: string, files: Record<string, string>): void {
  try {
    mkdirSync(out, { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(out, name), text)
  } catch (error) {
    throw new Refused(`The comparison cannot be written to ${out}: ${(error as Error).message}`)
  }
}
