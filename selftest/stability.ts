import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { everything } from '../cli/input/selections.ts'
import { variants } from '../reference/variants.ts'
import { showProgress } from '../reports/formats/progress.ts'
import { type Job, nameOf, type Result, type Server } from './message.ts'
import { doAll } from './pool.ts'
import { drawServers } from './servers.ts'

// Examines the reference and lawful variants again and again, each time with another seed and in another order; exit
// code 1 where a verdict or a fail, warning or error row is not always the same.

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20' },
    servers: { type: 'string', default: '10' },
    processes: { type: 'string', default: String(availableParallelism()) },
  },
})
const [runs, servers, processes] = [values.runs, values.servers, values.processes].map(Number) as [
  number,
  number,
  number,
]

const drawn: Server[] = drawServers(variants)
  .slice(0, servers)
  .map((some) => ({ variants: some.map(({ name }) => name) }))
const examined: Server[] = [{ variants: [] }, ...drawn]
const seeds = Array.from({ length: runs }, (_, index) => index + 1)
const jobs = seeds.flatMap((seed) =>
  examined.map((server): Job => ({ server, selection: everything, seed, shuffle: true })),
)

const told = new Map<string, { seed: number | undefined; sign: string }[]>()
const progress = showProgress(process.stderr)
progress.collected?.(jobs.length)
await doAll(jobs, processes, ({ server, seed }, result) => {
  const signs = told.get(nameOf(server)) ?? []
  const sign = signOf(result)
  progress.ended?.(nameOf(server), signs.length > 0 && signs[0]!.sign !== sign)
  told.set(nameOf(server), [...signs, { seed, sign }])
})
progress.clear()

let changes = 0
for (const [server, signs] of told) {
  const first = signs[0]!
  const others = signs.filter(({ sign }) => sign !== first.sign)
  changes += others.length
  if (others.length === 0) continue
  process.stdout.write(`${server}\n  seed ${first.seed}: ${first.sign}\n`)
  for (const { seed, sign } of others) process.stdout.write(`  seed ${seed}: ${sign}\n`)
}
process.stdout.write(
  `${jobs.length} runs of ${examined.length} servers, ${runs} seeds and orders: ${changes} changes\n`,
)
process.exitCode = changes === 0 ? 0 : 1

/** The verdict, and every row that speaks against the server, or against us. */
function signOf(result: Result): string {
  if ('crash' in result) return result.crash
  const { verdict, told, problems } = result.examined
  const against = told.filter(({ outcome }) => ['fail', 'warning', 'error'].includes(outcome))
  return [verdict, ...against.map(({ id, outcome }) => `${outcome} ${id}`), ...problems].join(', ')
}
