import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runOnce, startServer } from './child.ts'
import { judgingOf } from './judging.ts'
import type { Ran, Traffic } from './message.ts'
import { recordBefore, replay } from './recording.ts'

// What the suite itself costs, each figure beside its limit; exit code 1 if a limit is exceeded.

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, chains: { type: 'boolean', default: false } },
})
const rounds = Math.max(1, Number(values.rounds))
const concurrency = 32
const widest = 512
const delay = 200
let missed = 0

print(`Each figure is the median of ${rounds} runs; an idle machine is needed for figures that mean something.`)

print('\nA run of the embedded reference, all in one process')
const embedded = await times(rounds, () => runOnce())
const [{ requirements, verdict }] = embedded as [Ran]
figure('boot to first request', median(embedded.map(({ boot = 0 }) => boot)) / 1000, 1, 's')
plain('first to last request', seconds(median(embedded.map(wallOf))))
const requests = median(embedded.map(({ requests = 0 }) => requests))
plain('requests', `${requests} for ${requirements} requirements (${verdict})`)
figure('requests per requirement', requests / requirements, 40, '')
plain('peak memory', `${median(embedded.map(({ peak }) => peak)).toFixed(0)} MB, the reference included`)

print('\nWhat the profile of gRPC adds to that run')
const without = await times(rounds, () => runOnce({ skip: ['grpc.*'] }))
const [all, less] = [embedded, without].map((runs) => median(runs.map(wallOf)))
plain('without it', seconds(less!))
figure('wall time more with it', 100 * (all! / less! - 1), 20, '%')

print('\nWhat the model takes to judge that run again from its trace')
const folder = mkdtempSync(join(tmpdir(), 'rmapi-bench-'))
try {
  await runOnce({ out: folder })
  figure('an answer', median(await times(rounds, () => judgingOf(folder))), 0.2, 'ms')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

print('\nA run against the same reference in a process of its own, beside the same requests by bare undici')
const server = startServer()
try {
  const kept = await record()
  const pairs = await times(rounds, async () => {
    const cpu = process.cpuUsage()
    await server.begin()
    const alike = await replay(kept.baseUrl, kept.recorded, concurrency)
    const { user, system } = process.cpuUsage(cpu)
    const bare = { ...(await server.traffic()), cpu: (user + system) / 1000, alike }
    const ran = await runOnce({ running: await server.begin(), concurrency })
    return { bare, ran: { ...ran, ...(await server.traffic()) } }
  })
  const own = median(pairs.map(({ ran }) => wallOf(ran)))
  const bare = median(pairs.map(({ bare }) => wallOf(bare)))
  const alike = median(pairs.map(({ bare }) => bare.alike / bare.requests))
  const sent = median(pairs.map(({ ran }) => ran.requests))
  plain('the suite', seconds(own))
  plain('bare undici', `${seconds(bare)}, ${(100 * alike).toFixed(1)} % of the answers with the same status`)
  figure('own cost of a request', (own - bare) / sent, 0.3, 'ms')
  plain('ratio', (own / bare).toFixed(2))
  figure('peak memory', median(pairs.map(({ ran }) => ran.peak)), 350, 'MB')
  const cpu = median(pairs.map(({ ran, bare }) => ran.cpu - bare.cpu)) / sent
  plain('own processor time', `${cpu.toFixed(2)} ms a request, start and report included`)

  print(`\nThe longest chain of requests, with ${widest} at once`)
  const near = await against(0)
  const far = await against(delay)
  plain('without delay', seconds(wallOf(near)))
  plain(`with ${delay} ms`, `${seconds(wallOf(far))} added to every answer`)
  figure('serial depth', (wallOf(far) - wallOf(near)) / delay, 75, '')
  if (values.chains) {
    print(`\nThe longest of all cases, in answers of ${delay} ms, what they share included`)
    for (const { id, ms, requests: own } of [...far.took].sort((a, b) => b.ms - a.ms).slice(0, 25))
      print(`  ${(ms / delay).toFixed(1).padStart(6)}  ${id} (${own} requests)`)
  }
} finally {
  server.end()
}
process.exitCode = missed > 0 ? 1 : 0

async function record() {
  const running = await server.begin()
  const recorder = await recordBefore(running.baseUrl)
  const { baseUrl } = recorder
  await runOnce({ running: { ...running, baseUrl }, concurrency })
  recorder.close()
  return { baseUrl: running.baseUrl, recorded: recorder.recorded }
}

async function against(added: number): Promise<Ran & Traffic> {
  const ran = await runOnce({ running: await server.begin(added), concurrency: widest })
  return { ...ran, ...(await server.traffic()) }
}

async function times<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let round = 0; round < count; round++) made.push(await make())
  return made
}

function wallOf({ firstAt = 0, lastAt = 0 }: Partial<Traffic>): number {
  return lastAt - firstAt
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}

function figure(name: string, value: number, bar: number, unit: string): void {
  const over = value > bar
  if (over) missed++
  const shown = `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`.trim()
  print(`  ${name.padEnd(26)} ${shown.padEnd(10)} bar ${`${bar} ${unit}`.trim().padEnd(7)} ${over ? 'OVER' : 'ok'}`)
}

function plain(name: string, text: string): void {
  print(`  ${name.padEnd(26)} ${text}`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
