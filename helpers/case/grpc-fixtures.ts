import type { TestAPI, TestContext } from 'vitest'
import { type Api, apiOver } from '../api/api.ts'
import { type KindName, kinds } from '../api/kinds.ts'
import type { Run } from '../arrange/run.ts'
import { childrenOf } from '../arrange/scratch.ts'
import type { Answer, Call, Log } from '../http/call.ts'
import { Inconclusive } from '../http/case-errors.ts'
import { test as withoutGrpc } from './fixtures.ts'

/** A call over gRPC in any form: what the call does not say is that of a list of groups in the run's own. */
export type Rpc = (call: Pick<Call, 'operation'> & Partial<Call>) => Promise<Answer>

/** Ends the case where the service of a kind is not known under its name, of which the contract says nothing (R60). */
const orUnnamed = (run: Run) => async (kind: KindName, answer: Answer) => {
  if (answer.headers['grpc-status'] !== '12' || kinds[kind].printed.length === 0) return
  if (await run.grpcDoor.serves(kind)) return
  throw new Inconclusive(
    `this target serves gRPC, and no service for ${kinds[kind].label.many} under its published name`,
  )
}

/** The API over HTTP and over gRPC, whatever the run's own calls go over. */
export interface Both {
  http: Api
  grpc: Api
  rpc: Rpc
}

/** The chain of fixtures with those of gRPC: where a target does not serve it, they end the case as not offered. */
export const test = withoutGrpc.extend('both', async ({ run, runGroup, evidence }): Promise<Both> => {
  await run.grpcDoor.mustBeOpen()
  const log: Log = { phase: 'act', exchanges: evidence }
  const query = childrenOf(runGroup.uid)
  const plain = { method: 'GET', path: run.paths.of(kinds.groups), query: { ...query, page_size: 1 } } as const
  return {
    http: apiOver({ ...run, over: 'http' }, log),
    grpc: apiOver({ ...run, over: 'grpc', onAnswer: orUnnamed(run) }, log),
    rpc: (call) => run.client.send({ ...plain, ...call, over: 'grpc' }, log),
  }
})

/** What a case may destructure. */
export type Context = (typeof test extends TestAPI<infer Extra> ? Extra : never) & TestContext
