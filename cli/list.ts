import type { Command } from 'commander'
import type { Header } from '../helpers/requirement.ts'
import { coverageLine, coverageOf } from '../reports/coverage.ts'
import { untestable } from '../specs/untestable.ts'
import { collectHeaders } from './collect.ts'
import { contractOfSuite, suite } from './package.ts'

/** Adds the verb `list`. */
export function addList(program: Command): void {
  program
    .command('list')
    .description('print every requirement, or every statement of the contract with what tests it')
    .option(
      '--statements',
      'the statements of the contract, a line each: what tests it, what observes it, or why not',
    )
    .option('--json', 'as a JSON array')
    .addHelpText('after', `\nExamples:\n  ${suite.name} list --json\n  ${suite.name} list --statements`)
    .action(listCommand)
}

/** `list`: prints every requirement as the specs state it, or every statement of the contract with what tests it. */
async function listCommand(flags: { json?: boolean; statements?: boolean }): Promise<void> {
  const headers = await collectHeaders()
  if (flags.statements) {
    const rows = coverageOf(headers, contractOfSuite(), untestable)
    print(flags, rows, (row) => coverageLine(row))
  } else {
    const width = Math.max(...headers.map(({ id }) => id.length))
    print(
      flags,
      headers.map(rowOf),
      ({ id, level, profile, statement, says }) =>
        `${id.padEnd(width)}  ${level.padEnd(7)}  ${profile.padEnd(10)}  ${says} (${statement})`,
    )
  }
}

function rowOf({ id, level, profile = 'core', statement, says, formerly }: Header) {
  return { id, level, profile, statement, says, ...(formerly ? { formerly } : {}) }
}

function print<Row>({ json = false }: { json?: boolean }, rows: Row[], lineOf: (row: Row) => string): void {
  process.stdout.write(
    json ? `${JSON.stringify(rows, null, 2)}\n` : rows.map((row) => `${lineOf(row)}\n`).join(''),
  )
}
