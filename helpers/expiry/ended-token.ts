import { apiOver } from '../api/api.ts'
import { type KindName, listedKinds } from '../api/kinds.ts'
import type { Run } from '../arrange/run.ts'
import type { Scratch } from '../arrange/scratch.ts'
import { type Shared, share } from '../arrange/shared.ts'
import { endedToken } from '../auth/invalid-credentials.ts'
import { type OperationCalls, openOperationCalls, overGrpc } from '../auth/operation-calls.ts'
import { callUnauthorized } from '../auth/unauthorized-calls.ts'
import type { Log } from '../http/call.ts'
import { openV1OperationCalls, v1Over } from '../v1/v1-api.ts'

/** How many calls the run's own token could make that an ended one could not; throws where the ended one could. */
export type EndedCalls = () => number

/** Sends the operations of every kind, of v1, and of groups over gRPC, with a token that has ended (R40). */
export async function callWithEnded(
  run: Run,
  scratch: Scratch,
  token: string,
): Promise<Record<KindName | 'v1' | 'grpc', Shared<EndedCalls>>> {
  const registryGroup = run.config.target.registryGroupUid
  const ofKind = (kind: KindName, log: Log) =>
    openOperationCalls(kind, { ...run, scratch, api: apiOver(run, log), registryGroup })
  const ofV1 = (log: Log) => openV1OperationCalls({ ...run, scratch, v1: v1Over(run, log), registryGroup })
  const ofGrpc = async (log: Log) => {
    await run.grpcDoor.mustBeOpen()
    return overGrpc(await ofKind('groups', log))
  }
  const tried = async (open: (log: Log) => Promise<OperationCalls>): Promise<Shared<EndedCalls>> => {
    const exchanges: Log['exchanges'] = []
    const log: Log = { phase: 'act', exchanges }
    const reopen = () => open({ phase: 'arrange', exchanges })
    const shared = await share(async () => {
      const sending = { run, api: apiOver(run, log), log, reopen, bad: endedToken(token) }
      const controlCalls = await callUnauthorized({ ...sending, operationCalls: await reopen() }, 'expired-token')
      return () => controlCalls
    })
    return { ...shared, exchanges }
  }
  const kinds = await Promise.all(listedKinds.map(async (kind) => [kind, await tried((log) => ofKind(kind, log))]))
  return { ...Object.fromEntries(kinds), v1: await tried(ofV1), grpc: await tried(ofGrpc) }
}
