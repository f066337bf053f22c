import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { everything } from '../cli/input/selections.ts'
import type { Variant } from '../reference/fault.ts'
import { variants } from '../reference/variants.ts'
import { showProgress } from '../reports/formats/progress.ts'
import { complaintsOnVariants } from './judge.ts'
import { type Job, nameOf } from './message.ts'
import { doAll } from './pool.ts'
import { drawServers } from './servers.ts'

// Examines servers that have some lawful variants at once, drawn at random. Exit code 1 if one is accused: then
// variants are removed from it as long as it still is, so that only those that matter are printed.

const { values } = parseArgs({
  options: {
    draws: { type: 'string', default: '100' },
    variants: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    processes: { type: 'string', default: String(availableParallelism()) },
  },
})
const [count, size, firstSeed, processes] = [values.draws, values.variants, values.seed, values.processes].map(
  Number,
) as [number, number, number, number]

/** Some variants on one server, and the seed of its run. */
interface Draw {
  server: readonly Variant[]
  seed: number
}

// all variants are dealt out to so many servers: successive seeds repeat none before each was drawn
const inDeck = Math.ceil(variants.length / size)
const decks = new Map<number, Variant[][]>()

const drawn = Array.from({ length: count }, (_, index): Draw => {
  const seed = firstSeed + index
  return { server: deck(Math.floor(seed / inDeck))[seed % inDeck]!, seed }
})
const accused = await accusedAmong(drawn)
const smallest = new Map<string, string[]>()
for (const draw of accused.keys()) {
  const { server, complaints } = await reduced(draw, accused.get(draw)!)
  smallest.set(`${server.map(({ name }) => name).join('; ')} (seed ${draw.seed})`, complaints)
}

for (const [names, complaints] of smallest) {
  process.stdout.write(`${names}\n`)
  for (const complaint of complaints) process.stdout.write(`  ${complaint}\n`)
}
process.stdout.write(`${count} draws of ${size} variants: ${accused.size} accused\n`)
process.exitCode = accused.size === 0 ? 0 : 1

function deck(number: number): Variant[][] {
  const dealt = decks.get(number) ?? drawServers(variants, { seed: number, atOnce: size })
  decks.set(number, dealt)
  return dealt
}

/** Removes one variant after the other, as long as the rest is still accused. */
async function reduced(
  draw: Draw,
  complaints: string[],
): Promise<{ server: readonly Variant[]; complaints: string[] }> {
  const { server, seed } = draw
  if (server.length === 1) return { server, complaints }
  const smaller = server.map((variant) => ({ server: server.filter((other) => other !== variant), seed }))
  const [found] = await accusedAmong(smaller)
  return found === undefined ? { server, complaints } : reduced(...found)
}

/** The servers with complaints, and these complaints. */
async function accusedAmong(draws: readonly Draw[]): Promise<Map<Draw, string[]>> {
  const jobs = new Map(
    draws.map((draw): [Job, Draw] => {
      const { server, seed } = draw
      return [{ server: { variants: server.map(({ name }) => name) }, selection: everything, seed }, draw]
    }),
  )
  const found = new Map<Draw, string[]>()
  const progress = showProgress(process.stderr)
  progress.collected?.(jobs.size)
  await doAll([...jobs.keys()], processes, (job, result) => {
    const draw = jobs.get(job)!
    const complaints = 'crash' in result ? [result.crash] : complaintsOnVariants(draw.server, result.examined)
    if (complaints.length > 0) {
      found.set(draw, complaints)
      process.stderr.write(`${nameOf(job.server)} (seed ${draw.seed}): ${complaints.join(' | ')}\n`)
    }
    progress.ended?.(nameOf(job.server), complaints.length > 0)
  })
  progress.clear()
  return found
}
