import { runSuite } from '../cli/run/run-suite.ts'
import { usualPatience } from '../helpers/arrange/eventually.ts'
import { faultNamed } from '../reference/faults.ts'
import { variantNamed } from '../reference/variants.ts'
import { examinedAs } from './judge.ts'
import { losing } from './loss.ts'
import type { Job, Result } from './message.ts'
import { combined, faultPatience } from './servers.ts'

// A process that examines one server after another, as its parent asks.

process.on('message', async (job: Job) => {
  const result = await examine(job).catch((error: Error): Result => ({ crash: String(error.stack) }))
  process.send?.(result)
})
process.on('disconnect', () => process.exit())

async function examine({
  server,
  selection,
  seed = 1,
  shuffle = false,
  losing: percent = 0,
  environment = {},
}: Job): Promise<Result> {
  const lost = percent > 0 ? [{ name: 'answers are lost', rules: losing(percent, seed) }] : []
  const [decisions, patience] =
    'faults' in server
      ? [server.faults.map(faultNamed), faultPatience]
      : [server.variants.map(variantNamed), usualPatience]
  Object.assign(process.env, environment)
  const { report } = await runSuite({
    values: { RMAPI_SEED: String(seed) },
    selection,
    shuffle,
    embedded: { rules: combined([...decisions, ...lost]) },
    patience,
  })
  return { examined: examinedAs(report) }
}
