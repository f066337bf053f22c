import type { Command } from 'commander'
import type { Header } from '../../helpers/requirement/header.ts'
import { selected } from '../../helpers/requirement/selection.ts'
import { coverageLine, coverageOf } from '../../reports/judge/coverage.ts'
import { claimCount, kindIn } from '../../reports/model/claims.ts'
import { groupBy } from '../../reports/model/report.ts'
import { counted } from '../../schemas/counted.ts'
import { present } from '../../schemas/present.ts'
import { untestable } from '../../specs/untestable.ts'
import { checkSelection, collectHeaders } from '../input/collect.ts'
import { contractOfSuite, suite } from '../input/package.ts'
import { Refused } from '../input/refused.ts'
import { selectionOf } from '../input/selections.ts'

interface ListFlags {
  only?: string[]
  skip?: string[]
  profile?: string[]
  json?: boolean
  statements?: boolean
}

/** Adds the verb `list`. */
export function addList(program: Command): void {
  program
    .command('list')
    .description('list every claim with its kinds, or every statement of the contract with what tests it')
    .option(
      '--statements',
      'the statements of the contract, a line each: what tests it, what observes it, or why nothing does',
    )
    .option('--only <ids...>', 'only these requirements, by id or glob; @file lists one per line')
    .option('--skip <ids...>', 'all except these requirements, by id or glob; @file lists one per line')
    .option('--profile <names...>', 'only these parts of the service')
    .option('--json', 'as a JSON array')
    .addHelpText(
      'after',
      `\nExamples:\n  ${suite.name} list --json\n  ${suite.name} list --only 'list.skip.*' --profile core\n  ${suite.name} list --statements`,
    )
    .action(listCommand)
}

/** `list`: prints every requirement as the specs state it, or every statement of the contract with what tests it. */
async function listCommand(flags: ListFlags): Promise<void> {
  const selection = selectionOf(flags)
  if (flags.statements && (flags.only ?? flags.skip ?? flags.profile))
    throw new Refused('--statements lists what tests each statement: it takes no --only, --skip or --profile.')
  for (const remark of await checkSelection(selection)) process.stderr.write(`${remark}\n`)
  const headers = (await collectHeaders()).filter((header) => selected(header, selection))
  if (flags.statements) {
    const rows = coverageOf(headers, contractOfSuite(), untestable)
    print(flags, rows, (row) => coverageLine(row))
  } else {
    const rows = headers.map(rowOf)
    if (flags.json) print(flags, rows, String)
    else {
      process.stdout.write(claimLines(rows))
      process.stderr.write(`${claimCount(rows.map(({ id }) => id))}: ${counted(rows.length, 'requirement')}\n`)
    }
  }
}

function rowOf({ id, level, profile = 'core', statement, says, formerly }: Header) {
  return present({ id, level, profile, statement, says, formerly })
}

/** A line for each claim, with its kinds where it is asked of several. */
function claimLines(rows: readonly ReturnType<typeof rowOf>[]): string {
  const claims = [...groupBy(rows, ({ id }) => id.replace(/@.*$/, ''))]
  const named = claims.map(([claim, cells]) => ({ name: cells.length > 1 ? claim : cells[0]!.id, cells }))
  const width = Math.max(...named.map(({ name }) => name.length))
  return named
    .map(({ name, cells }) => {
      const { level, profile, statement, says } = cells.find(({ id }) => !id.includes('@')) ?? cells[0]!
      const kinds = cells.length > 1 ? ` [${cells.map(({ id }) => kindIn(id)).join(' ')}]` : ''
      return `${name.padEnd(width)}  ${level.padEnd(7)}  ${profile.padEnd(10)}  ${says} (${statement})${kinds}\n`
    })
    .join('')
}

function print<Row>({ json = false }: { json?: boolean }, rows: Row[], lineOf: (row: Row) => string): void {
  process.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : rows.map((row) => `${lineOf(row)}\n`).join(''))
}
