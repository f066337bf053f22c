import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { collectHeaders } from '../cli/collect.ts'
import { suite } from '../cli/package.ts'
import { Refused } from '../cli/refused.ts'
import { everything } from '../cli/selections.ts'
import { matchesGlob } from '../helpers/selection.ts'
import { faultNamed, faults } from '../reference/faults.ts'
import { variantNamed, variants } from '../reference/variants.ts'
import { showProgress } from '../reports/progress.ts'
import { figures, matrixToMarkdown } from './markdown.ts'
import {
  type FaultRow,
  faultRow,
  type Matrix,
  selectionFor,
  timeless,
  unprovenBy,
  type VariantRow,
  variantRow,
} from './matrix.ts'
import { type Job, nameOf, type Result } from './message.ts'
import { doAll } from './pool.ts'
import { drawServers } from './servers.ts'

interface SelftestFlags {
  out: string
  whole?: boolean
  times: boolean
  processes?: string
  seed: string
}

/** Adds the verb `selftest`. */
export function addSelftest(program: Command): void {
  program
    .command('selftest')
    .description(
      'examine servers with known faults and lawful odd ones, and say how well the suite tells them apart',
    )
    .argument('[names...]', 'only these faults and variants, by name or glob')
    .option('--out <folder>', 'where kill-matrix.md and kill-matrix.json go', 'reports/out')
    .option('--whole', 'each fault meets every requirement, each variant has a server of its own (an hour)')
    .option('--processes <number>', 'how many servers are examined side by side (default: one a core)')
    .option('--seed <number>', 'draws which variants share a server', '1')
    .option('--no-times', 'leave out how long each took, so that two files can be compared')
    .addHelpText('after', `\nExamples:\n  ${suite.name} selftest\n  ${suite.name} selftest 'skip*' --whole`)
    .action(selftestCommand)
}

/** `selftest`: examines servers with known faults and lawful odd ones, and says how well the suite tells them apart. */
async function selftestCommand(globs: string[], flags: SelftestFlags): Promise<void> {
  const { out, whole = false, times } = flags
  const processes = numberIn(flags.processes ?? String(availableParallelism()), '--processes')
  const seed = numberIn(flags.seed, '--seed')
  const started = performance.now()
  const matrix = await examineAll({ globs, whole, processes, seed })
  const folder = written(times ? matrix : timeless(matrix), out)
  const minutes = ((performance.now() - started) / 60_000).toFixed(1)
  for (const { name, complaints } of [...matrix.faults, ...matrix.variants]) {
    for (const complaint of complaints) process.stdout.write(`${name}\n  ${complaint}\n`)
  }
  for (const id of matrix.unproven) process.stdout.write(`no fault turns it red: ${id}\n`)
  process.stdout.write(`${figures(matrix)}, in ${minutes} minutes\nMatrix: ${folder}\n`)
  process.exitCode = isClean(matrix) ? 0 : 1
}

/** What is examined, and how. */
interface Asked {
  globs: string[]
  whole: boolean
  processes: number
  seed: number
}

async function examineAll({ globs, whole, processes, seed }: Asked): Promise<Matrix> {
  const headers = await collectHeaders()
  const isAsked = ({ name }: { name: string }) =>
    globs.length === 0 || globs.some((glob) => matchesGlob(name, glob))
  const asked = { faults: faults.filter(isAsked), variants: variants.filter(isAsked) }
  if (asked.faults.length + asked.variants.length === 0)
    throw new Refused(`No fault or variant is called ${globs.join(' or ')}: see 'serve --names'.`)
  const servers = whole ? asked.variants.map((variant) => [variant]) : drawServers(asked.variants, { seed })
  const faultRows = new Map<string, FaultRow>()
  const variantRows = new Map<string, VariantRow>()
  const note = ({ server: examined }: Job, result: Result) => {
    if ('fault' in examined) faultRows.set(examined.fault, faultRow(faultNamed(examined.fault), result))
    else {
      const server = examined.variants.map((name) => variantNamed(name))
      for (const variant of server) variantRows.set(variant.name, variantRow(variant, server, result))
    }
  }
  // what takes longest comes first, so that at the end no process waits for another
  await examine([
    ...servers.map((some) => ({ server: { variants: some.map(({ name }) => name) }, selection: everything })),
    ...asked.faults.map((fault) => ({
      server: { fault: fault.name },
      selection: whole ? everything : selectionFor(fault, headers),
    })),
  ])
  const accused = servers.filter(
    (some) => some.length > 1 && some.some(({ name }) => variantRows.get(name)!.complaints.length > 0),
  )
  const together = new Map(accused.flat().map(({ name }) => [name, variantRows.get(name)!]))
  await examine(accused.flat().map(({ name }) => ({ server: { variants: [name] }, selection: everything })))
  for (const some of accused) {
    const alone = some.some(({ name }) => variantRows.get(name)!.complaints.length > 0)
    if (!alone) for (const { name } of some) variantRows.set(name, together.get(name)!)
  }
  const rows = {
    faults: asked.faults.map(({ name }) => faultRows.get(name)!),
    variants: asked.variants.map(({ name }) => variantRows.get(name)!),
  }
  return { ...rows, unproven: globs.length > 0 ? [] : unprovenBy(rows.faults, headers) }

  async function examine(jobs: Job[]): Promise<void> {
    const progress = showProgress(process.stderr)
    if (jobs.length > 0) progress.collected?.(jobs.length)
    await doAll(jobs, processes, (job, result) => {
      note(job, result)
      progress.ended?.(nameOf(job.server), isBad(job))
    })
    progress.clear()
  }

  function isBad({ server }: Job): boolean {
    const rows =
      'fault' in server ? [faultRows.get(server.fault)] : server.variants.map((name) => variantRows.get(name))
    return rows.some((row) => row!.complaints.length > 0)
  }
}

const isClean = ({ faults, variants, unproven }: Matrix) =>
  unproven.length === 0 && [...faults, ...variants].every(({ complaints }) => complaints.length === 0)

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
