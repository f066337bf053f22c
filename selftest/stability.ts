import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { everything } from '../cli/input/selections.ts'
import { matchesGlob } from '../helpers/requirement/selection.ts'
import { variantNamed, variants } from '../reference/variants.ts'
import { showProgress } from '../reports/formats/progress.ts'
import { complaintsOnVariants } from './judge.ts'
import { type Job, nameOf, type Result, type Server } from './message.ts'
import { doAll } from './pool.ts'
import { drawServers } from './servers.ts'

// Examines the reference and lawful variants, drawn or named by globs, again and again, each time with another seed and
// in another order. Exit code 1 if a verdict or a fail, warning or error row, lag aside, is not always the same. With
// `--losing 3`, three answers in a hundred are reset or cut: what is undecided may then vary, and exit code 1 is for any
// accusation.

const { values, positionals: globs } = parseArgs({
  allowPositionals: true,
  options: {
    losing: { type: 'string', default: '0' },
    runs: { type: 'string', default: '20' },
    servers: { type: 'string', default: '10' },
    processes: { type: 'string', default: String(availableParallelism()) },
  },
})
const [runs, servers, processes, losing] = [values.runs, values.servers, values.processes, values.losing].map(
  Number,
) as [number, number, number, number]

const asked = variants.filter(({ name }) => globs.length === 0 || globs.some((glob) => matchesGlob(name, glob)))
const drawn: Server[] = drawServers(asked, { atOnce: globs.length === 0 ? 8 : 3 })
  .slice(0, servers)
  .map((some) => ({ variants: some.map(({ name }) => name) }))
const examined: Server[] = [{ variants: [] }, ...drawn]
const seeds = Array.from({ length: runs }, (_, index) => index + 1)
const jobs = seeds.flatMap((seed) =>
  examined.map((server): Job => ({ server, selection: everything, seed, shuffle: true, losing })),
)

const first = new Map<string, { seed: number | undefined; result: string }>()
let changes = 0
const progress = showProgress(process.stderr)
progress.collected?.(jobs.length)
await doAll(jobs, processes, ({ server, seed }, result) => {
  const name = nameOf(server)
  const shown = losing > 0 ? accusedIn(result, server) : inShort(result)
  const before = first.get(name) ?? { seed, result: losing > 0 ? '' : shown }
  first.set(name, before)
  const changed = shown !== before.result
  progress.ended?.(name, changed)
  if (!changed) return
  changes++
  progress.clear()
  process.stdout.write(`${name}\n  seed ${seed}: ${shown}\n`)
  if (losing === 0) process.stdout.write(`  seed ${before.seed}: ${before.result}\n`)
})
progress.clear()
process.stdout.write(
  `${jobs.length} runs of ${examined.length} servers, ${runs} seeds and orders: ${changes} ${losing > 0 ? 'accused' : 'changes'}\n`,
)
process.exitCode = changes === 0 ? 0 : 1

/** The verdict, every error of the suite, and every row against the server, except how late it was: that varies. */
function inShort(result: Result): string {
  if ('crash' in result) return result.crash
  const { verdict, rows, problems } = result.examined
  const against = rows.filter(
    ({ id, outcome }) => ['fail', 'warning', 'error'].includes(outcome) && !/\.lag\b/.test(id),
  )
  return [verdict, ...against.map(({ id, outcome }) => `${outcome} ${id}`), ...problems].join(', ')
}

/** What a server is accused of, and errors of the suite; empty where there is none. An undecided run accuses nobody. */
function accusedIn(result: Result, server: Server): string {
  if ('crash' in result) return result.crash
  const some = 'variants' in server ? server.variants.map(variantNamed) : []
  const complaints = complaintsOnVariants(some, result.examined)
  return complaints.filter((complaint) => /^(accused|error):/.test(complaint)).join('; ')
}
