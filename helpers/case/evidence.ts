import type { TestContext } from 'vitest'
import type { Run } from '../arrange/run.ts'
import { type Exchange, plain } from '../http/exchange.ts'
import { forRequirement } from '../http/request.ts'

/** These exchanges, as sent for the requirement of a case. */
export const sentFor = ({ meta }: TestContext['task'], exchanges: Exchange[]) =>
  forRequirement(exchanges, meta.rmapi!.header)

/** Begins to record a case; the returned function is called when it has ended, and hands the record to the report. */
export function takeDown(task: TestContext['task'], run: Run, exchanges: Exchange[]): () => void {
  const startedAt = new Date().toISOString()
  const started = performance.now()
  return () => {
    // a passed case needs no proof, and a run makes thousands of calls
    const needed = run.allExchanges || ['fail', 'skip'].includes(String(task.result?.state))
    const proof = needed ? exchanges.toSorted((a, b) => a.number - b.number).map(plain) : []
    for (const error of task.result?.errors ?? []) {
      Object.assign(error, run.secrets.redactAll(JSON.parse(JSON.stringify(error))))
    }
    // what a case says about itself may include what the target sent
    const { header, ...said } = task.meta.rmapi!
    task.meta.rmapi = {
      ...run.secrets.redactAll(said),
      header,
      exchanges: proof,
      requests: exchanges.length,
      startedAt,
      ms: Math.round(performance.now() - started),
      sent: run.client.wire.sent,
      ...run.answered.news(),
    }
    const { state } = task.result ?? {}
    run.trace.ended(header, state === 'fail' || state === 'skip' ? state : 'pass', startedAt, exchanges)
    // the runner keeps the fixtures of a case as long as it lives
    exchanges.length = 0
  }
}
