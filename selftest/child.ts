import { runSuite } from '../cli/run/run-suite.ts'
import { type Patience, usualPatience } from '../helpers/arrange/eventually.ts'
import { faultNamed } from '../reference/faults.ts'
import { variantNamed } from '../reference/variants.ts'
import { examinedAs } from './judge.ts'
import type { Job, Result } from './message.ts'
import { together } from './servers.ts'

// A process that examines one server after the other, as its parent asks.

process.on('message', async (job: Job) => {
  const result = await examine(job).catch((error: Error): Result => ({ crash: String(error.stack) }))
  process.send?.(result)
})
process.on('disconnect', () => process.exit())

/** The contract's patience only where a server may need it: a fault keeps a reading wrong for ever. */
function patienceWith(server: Job['server']): Patience {
  const lags = 'variants' in server && server.variants.flatMap((name) => variantNamed(name).warns).some(isAboutLag)
  return lags ? usualPatience : { readings: 400, rights: 800 }
}

const isAboutLag = (id: string) => /\blag\b/.test(id)

async function examine({ server, selection, seed = 1, shuffle = false, environment = {} }: Job): Promise<Result> {
  const rules =
    'fault' in server ? faultNamed(server.fault).rules : together(server.variants.map((name) => variantNamed(name)))
  Object.assign(process.env, environment)
  const values = { RMAPI_SEED: String(seed) }
  const { report } = await runSuite({ values, selection, shuffle, embedded: { rules }, patience: patienceWith(server) })
  return { examined: examinedAs(report) }
}
