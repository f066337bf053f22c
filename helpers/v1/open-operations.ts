import { apiOver } from '../api/api.ts'
import type { KindName } from '../api/kinds.ts'
import type { Run } from '../arrange/run.ts'
import type { Scratch } from '../arrange/scratch.ts'
import { type OperationCalls, openOperationCalls } from '../auth/operation-calls.ts'
import { type Log, succeeded } from '../http/call.ts'
import { NotOffered, TargetGone } from '../http/case-errors.ts'
import { openV1OperationCalls, v1Over } from './v1-api.ts'

/** What bad credentials are tried on: the operations of a kind, or those of v1. */
export type Tried = KindName | 'v1'

/** Makes what they are tried on in a throw-away group, and waits until Get shows it to the good token (R52). */
export async function openTried(tried: Tried, run: Run, scratch: Scratch, log: Log): Promise<OperationCalls> {
  const context = { ...run, scratch, registryGroup: run.config.target.registryGroupUid }
  const opened = await (tried === 'v1'
    ? openV1OperationCalls({ ...context, v1: v1Over(run, log) })
    : openOperationCalls(tried, { ...context, api: apiOver(run, log) }))
  await untilShown(opened, run, log)
  return opened
}

async function untilShown({ calls, thing }: OperationCalls, run: Run, log: Log): Promise<void> {
  const [get] = calls.get ?? []
  if (get === undefined || !run.journal.made(thing.uid)) return
  const shown = async () => {
    const answer = await run.client.send(get, log)
    if (!succeeded(answer)) throw new NotOffered(get.operation, answer)
  }
  await run.eventually(shown).catch((error: unknown) => {
    if (error instanceof TargetGone) throw error
  })
}
