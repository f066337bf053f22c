import { runSuite } from '../cli/run.ts'
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

async function examine(job: Job): Promise<Result> {
  const rules =
    'fault' in job ? faultNamed(job.fault).rules : together(job.variants.map((name) => variantNamed(name)))
  const { selection } = job
  const { report } = await runSuite({ values: { RMAPI_SEED: '1' }, selection, embedded: { rules } })
  return { examined: examinedAs(report) }
}
