import { apiOver } from '../api/api.ts'
import { type KindName, listedKinds } from '../api/kinds.ts'
import type { Run } from '../arrange/run.ts'
import type { Scratch } from '../arrange/scratch.ts'
import { type Shared, share } from '../arrange/shared.ts'
import { type OperationCalls, overGrpc } from '../auth/operation-calls.ts'
import { callUnauthorized } from '../auth/unauthorized-calls.ts'
import { exchangedToken, type Log } from '../http/call.ts'
import { openTried } from '../v1/open-operations.ts'

/** How many calls the run's own token could make that an ended one could not; throws if the ended one could. */
export type EndedCalls = () => number

/** Sends the operations of every kind, of v1, and of groups over gRPC, with a token that has ended (R40). */
export async function callWithEnded(
  run: Run,
  scratch: Scratch,
  token: string,
): Promise<Record<KindName | 'v1' | 'grpc', Shared<EndedCalls>>> {
  const ofGrpc = async (log: Log) => {
    await run.grpcSupport.mustBeServed()
    return overGrpc(await openTried('groups', run, scratch, log))
  }
  const callEnded = async (open: (log: Log) => Promise<OperationCalls>): Promise<Shared<EndedCalls>> => {
    const exchanges: Log['exchanges'] = []
    const log: Log = { phase: 'act', exchanges }
    const reopen = () => open({ phase: 'arrange', exchanges })
    const shared = await share(async () => {
      const sending = { run, api: apiOver(run, log), log, reopen, bad: { credential: exchangedToken(token) } }
      const controlCalls = await callUnauthorized({ ...sending, operationCalls: await reopen() }, 'expired-token')
      return () => controlCalls
    })
    return { ...shared, exchanges }
  }
  const tried = [...listedKinds, 'v1'] as const
  const each = tried.map(async (one) => [one, await callEnded((log) => openTried(one, run, scratch, log))])
  return { ...Object.fromEntries(await Promise.all(each)), grpc: await callEnded(ofGrpc) }
}
