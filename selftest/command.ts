import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { collectHeaders } from '../cli/input/collect.ts'
import { suite } from '../cli/input/package.ts'
import { Refused } from '../cli/input/refused.ts'
import { matchesGlob } from '../helpers/requirement/selection.ts'
import { figures, matrixToMarkdown } from './markdown.ts'
import { type Matrix, merged, readMatrix, timeless, unwrittenIn } from './matrix.ts'

interface SelftestFlags {
  out: string
  whole?: boolean
  update?: boolean
  times: boolean
  json?: boolean
  processes?: string
  seed: string
}

/** Adds the verb `selftest`. */
export function addSelftest(program: Command): void {
  program
    .command('selftest')
    .description(
      'examine servers with known faults and lawful variants: does the suite find all of those and accuse none of these?',
    )
    .argument('[names...]', 'only these faults and variants, by name or glob')
    .option('--out <folder>', 'where kill-matrix.md and kill-matrix.json go', 'reports/out')
    .option('--whole', 'try each fault with every requirement, and each variant on a server of its own (an hour)')
    .option(
      '--update',
      'keep the rows of the matrix in that folder, and examine only what it has no clean row of, or what is named',
    )
    .option(
      '--processes <number>',
      'how many servers are examined side by side (default: one more than there are cores)',
    )
    .option('--seed <number>', 'draws which variants share a server', '1')
    .option('--no-times', 'leave out how long each took, so that two matrices can be compared')
    .option('--json', 'print the matrix as JSON')
    .addHelpText('after', `\nExamples:\n  ${suite.name} selftest\n  ${suite.name} selftest 'skip*' --whole`)
    .action(selftestCommand)
}

/** `selftest`: examines servers with known faults and lawful variants, and writes the kill matrix. */
async function selftestCommand(globs: string[], flags: SelftestFlags): Promise<void> {
  const { out, whole = false, times } = flags
  const processes = numberIn(flags.processes ?? String(availableParallelism() + 1), '--processes')
  const seed = numberIn(flags.seed, '--seed')
  const started = performance.now()
  const isAsked = ({ name }: { name: string }) => globs.length === 0 || globs.some((glob) => matchesGlob(name, glob))
  const [{ faults }, { variants }, { examineAll }] = await Promise.all([
    import('../reference/faults.ts'),
    import('../reference/variants.ts'),
    import('./rounds.ts'),
  ])
  const known = { faults, variants }
  const before = flags.update ? matrixIn(out) : undefined
  const named = { faults: faults.filter(isAsked), variants: variants.filter(isAsked) }
  const asked = before && globs.length === 0 ? unwrittenIn(before, known) : named
  if (named.faults.length + named.variants.length === 0)
    throw new Refused(`No fault or variant is called ${globs.join(' or ')}: see 'serve --names'.`)
  const headers = await collectHeaders()
  const matrixOf = (rows: Matrix): Matrix => {
    const all = before ? merged(before, rows, known, headers) : rows
    // some faults cannot prove every must
    const matrix = before || globs.length === 0 ? all : { ...all, unproven: [] }
    return times ? matrix : timeless(matrix)
  }
  const keep = (rows: Matrix) => written(matrixOf(rows), out)
  const matrix = matrixOf(await examineAll({ ...asked, whole, processes, seed, keep }))
  const folder = written(matrix, out)
  const minutes = ((performance.now() - started) / 60_000).toFixed(1)
  process.exitCode = isClean(matrix) ? 0 : 1
  if (flags.json) {
    process.stdout.write(`${JSON.stringify(matrix, null, 2)}\n`)
    return
  }
  for (const { name, complaints } of [...matrix.faults, ...matrix.variants]) {
    for (const complaint of complaints) process.stdout.write(`${name}\n  ${complaint}\n`)
  }
  for (const id of matrix.unproven) process.stdout.write(`no fault turns it red: ${id}\n`)
  process.stdout.write(`${figures(matrix)}, in ${minutes} minutes\nMatrix: ${folder}\n`)
}

const isClean = ({ faults, variants, unproven }: Matrix) =>
  unproven.length === 0 && [...faults, ...variants].every(({ complaints }) => complaints.length === 0)

function matrixIn(folder: string): Matrix {
  try {
    return readMatrix(folder)
  } catch (error) {
    throw new Refused(`There is no matrix in ${folder} that --update could keep: ${(error as Error).message}`)
  }
}

function written(matrix: Matrix, out: string): string {
  try {
    mkdirSync(out, { recursive: true })
    writeFileSync(join(out, 'kill-matrix.json'), `${JSON.stringify(matrix, null, 2)}\n`)
    writeFileSync(join(out, 'kill-matrix.md'), matrixToMarkdown(matrix))
    return `${join(out, 'kill-matrix.md')}, ${join(out, 'kill-matrix.json')}`
  } catch (error) {
    throw new Refused(`The matrix cannot be written to ${out}: ${(error as Error).message}`)
  }
}

function numberIn(text: string, flag: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0) return number
  throw new Refused(`${flag} is '${text}', not a whole number above 0`)
}
