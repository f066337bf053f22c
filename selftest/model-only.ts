import { matchesGlob, type Selection } from '../helpers/requirement/selection.ts'
import { faults } from '../reference/faults.ts'
import { variants } from '../reference/variants.ts'
import type { Job } from './message.ts'
import { doAll } from './pool.ts'
import { drawServers } from './servers.ts'

// Measures the model and its generators alone: which faults they find, and which lawful variants they accuse.
// node dist/selftest/model-only.js [--with-cases] [--alone] [--faults|--variants] [names or globs…]

const flags = process.argv.slice(2).filter((word) => word.startsWith('--'))
const globs = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isAsked = ({ name }: { name: string }) => globs.length === 0 || globs.some((glob) => matchesGlob(name, glob))
const own = ['model.*', 'time.expiry.*']
const selection: Selection = { only: flags.includes('--with-cases') ? [] : own, skip: [], profiles: [] }
// a fault that answers at once need not be waited for
const environment = { MODEL_PATIENCE_MS: process.env.MODEL_PATIENCE_MS ?? '700' }

const asked = {
  variants: flags.includes('--faults') ? [] : variants.filter(isAsked),
  faults: flags.includes('--variants') ? [] : faults.filter(isAsked),
}
const together = flags.includes('--alone') ? asked.variants.map((one) => [one]) : drawServers(asked.variants)
const jobs: Job[] = [
  ...(asked.variants.length > 0 && globs.length === 0 ? [{ server: { variants: [] }, selection, environment }] : []),
  ...together.map((some) => ({ server: { variants: some.map(({ name }) => name) }, selection, environment })),
  ...asked.faults.map(({ name }) => ({ server: { fault: name }, selection, environment })),
]
const missed: string[] = []
let found = 0
let accused = 0

await doAll(jobs, 1, ({ server }, result) => {
  const name = 'fault' in server ? server.fault : server.variants.join('; ')
  const told = 'crash' in result ? [] : result.examined.told
  const red = told.filter(({ id, outcome }) => id.startsWith('model.') && (outcome === 'fail' || outcome === 'warning'))
  if ('crash' in result) process.stdout.write(`CRASH ${name}: ${result.crash.slice(0, 500)}\n`)
  if ('fault' in server) {
    if (red.length > 0) found++
    else missed.push(name)
    process.stdout.write(`${red.length > 0 ? 'found ' : 'MISSED'} ${name} ← ${red.map(({ id }) => id).join(', ')}\n`)
    return
  }
  if (red.length > 0) accused++
  for (const { id, note } of red) process.stdout.write(`ACCUSED ${id}: ${note}\n  by ${name}\n`)
})
process.stdout.write(`faults found ${found}/${asked.faults.length}, servers accused ${accused}/${jobs.length - asked.faults.length}\n`)
