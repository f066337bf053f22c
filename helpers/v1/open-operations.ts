import { apiOver } from '../api/api.ts'
import type { KindName } from '../api/kinds.ts'
import type { Run } from '../arrange/run.ts'
import type { Scratch } from '../arrange/scratch.ts'
import { type OperationCalls, openOperationCalls } from '../auth/operation-calls.ts'
import type { Log } from '../http/call.ts'
import { openV1OperationCalls, v1Over } from './v1-api.ts'

/** What bad credentials are tried on: the operations of a kind, or those of v1. */
export type Tried = KindName | 'v1'

/** Makes what they are tried on in a throw-away group. */
export function openTried(tried: Tried, run: Run, scratch: Scratch, log: Log): Promise<OperationCalls> {
  const context = { ...run, scratch, registryGroup: run.config.target.registryGroupUid }
  return tried === 'v1'
    ? openV1OperationCalls({ ...context, v1: v1Over(run, log) })
    : openOperationCalls(tried, { ...context, api: apiOver(run, log) })
}
