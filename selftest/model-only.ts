import { runSuite } from '../cli/run/run-suite.ts'
import { matchesGlob, type Selection } from '../helpers/requirement/selection.ts'
import { faultNamed, faults } from '../reference/faults.ts'
import { variantNamed, variants } from '../reference/variants.ts'
import { type Job, nameOf } from './message.ts'
import { combined, drawServers } from './servers.ts'

// Measures the model and its generators alone: which faults they find, and which lawful variants they accuse.
// node dist/selftest/model-only.js [--with-cases] [--alone] [--faults|--variants] [names or globs…]

const flags = process.argv.slice(2).filter((word) => word.startsWith('--'))
const globs = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isAsked = ({ name }: { name: string }) => globs.length === 0 || globs.some((glob) => matchesGlob(name, glob))
const own = ['model.*']
const selection: Selection = { only: flags.includes('--with-cases') ? [] : own, skip: [], profiles: [] }
// a fault that answers at once needs no waiting
process.env.MODEL_PATIENCE_MS ??= '700'

const asked = {
  variants: flags.includes('--faults') ? [] : variants.filter(isAsked),
  faults: flags.includes('--variants')
    ? []
    : faults
        .filter(isAsked)
        .filter((_, index) => index % Number(process.env.MODEL_EVERY ?? 1) === Number(process.env.MODEL_FROM ?? 0)),
}
const groups = flags.includes('--alone')
  ? asked.variants.map((one) => [one])
  : drawServers(asked.variants, { atOnce: Number(process.env.MODEL_AT_ONCE ?? 8) })
const jobs: Job[] = [
  ...(asked.variants.length > 0 && globs.length === 0 ? [{ server: { variants: [] }, selection }] : []),
  ...groups.map((some) => ({ server: { variants: some.map(({ name }) => name) }, selection })),
  ...asked.faults.map(({ name }) => ({ server: { faults: [name] }, selection })),
]
let found = 0
let accused = 0

for (const { server } of jobs) {
  const name = nameOf(server)
  const rules = combined('faults' in server ? server.faults.map(faultNamed) : server.variants.map(variantNamed))
  const { report } = await runSuite({ values: { RMAPI_SEED: '1' }, selection, embedded: { rules } })
  const own = report.requirements.filter(({ id }) => id.startsWith('model.'))
  const red = own.filter(({ outcome }) => outcome === 'fail' || outcome === 'warning')
  const broken = own.filter(({ outcome }) => outcome === 'error')
  for (const { id, note } of broken) process.stdout.write(`ERROR ${id}: ${note}\n  by ${name}\n`)
  for (const problem of report.problems) process.stdout.write(`PROBLEM ${problem}\n  by ${name}\n`)
  if ('faults' in server) {
    if (red.length > 0) found++
    process.stdout.write(
      `${red.length > 0 ? 'found ' : 'MISSED'} ${Math.round(report.durationMs / 1000)}s ${name} ← ${red.map(({ id }) => id).join(', ')}\n`,
    )
    continue
  }
  if (red.length > 0) accused++
  process.stdout.write(`${red.length > 0 ? 'ACCUSED' : 'cleared'} ${name}\n`)
  for (const { id, note, expected, got, exchanges = [] } of red) {
    process.stdout.write(`  ${id}: ${note}\n    expected ${expected}\n    got ${got}\n`)
    for (const { number, request, response } of exchanges)
      process.stdout.write(
        `    ${number} ${request.method} ${request.url} ${request.body ?? ''} → ${response?.status} ${response?.body.slice(0, 300)}\n`,
      )
  }
}
const servers = jobs.length - asked.faults.length
process.stdout.write(`faults found ${found}/${asked.faults.length}, servers accused ${accused}/${servers}\n`)
