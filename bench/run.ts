import '../cli/memory.ts'
import { everything } from '../cli/input/selections.ts'
import { runSuite } from '../cli/run/run-suite.ts'
import type { Ran, ToRun, Traffic } from './message.ts'
import { watched } from './traffic.ts'

// one run as `rmapi-conformance run` makes it, in a process of its own

const { running, concurrency, skip = [], out } = JSON.parse(process.argv[2] ?? '{}') as ToRun
const traffic: Traffic = { requests: 0, firstAt: 0, lastAt: 0 }

const { report } = await runSuite({
  values: { RMAPI_SEED: '1', ...(concurrency ? { RMAPI_CONCURRENCY: String(concurrency) } : {}) },
  selection: { ...everything, skip },
  ...(out === undefined ? {} : { out, traced: true }),
  embedded: running ? { running } : { rules: watched(traffic) },
})

const { user, system } = process.cpuUsage()
const ran: Ran = {
  verdict: report.verdict,
  requirements: report.requirements.length,
  ...(running ? {} : { ...traffic, boot: traffic.firstAt - performance.timeOrigin }),
  peak: process.resourceUsage().maxRSS / 1024,
  cpu: (user + system) / 1000,
  took: report.requirements.map(({ id, ms, requests }) => ({ id, ms, requests })),
}
process.send?.(ran)
