import type { TestAPI, TestContext } from 'vitest'
import { type Api, apiOver } from '../api/api.ts'
import { type KindName, kinds } from '../api/kinds.ts'
import type { Eventually } from '../arrange/eventually.ts'
import { listedUids } from '../arrange/listings.ts'
import type { Population } from '../arrange/population.ts'
import type { Run } from '../arrange/run.ts'
import { childrenOf } from '../arrange/scratch.ts'
import { statusOf } from '../assertions/both-protocols.ts'
import { isViolation, violated } from '../assertions/violation.ts'
import { isUnknownMethod } from '../grpc/support.ts'
import { type Answer, type Call, type Log, succeeded } from '../http/call.ts'
import { Inconclusive } from '../http/case-errors.ts'
import { test as withoutGrpc } from './fixtures.ts'

/** A call over gRPC in any form: by default it is a list of groups in the run's own. */
export type Rpc = (call: Pick<Call, 'operation'> & Partial<Call>) => Promise<Answer>

/** Ends the case where the service of a kind is not known by its name, which the contract leaves open (R60). */
const orUnnamed = (run: Run) => async (kind: KindName, answer: Answer) => {
  if (!isUnknownMethod(String(statusOf(answer))) || kinds[kind].printed.length === 0) return
  if (await run.grpcSupport.serves(kind)) return
  throw new Inconclusive(
    `this target serves gRPC, and neither List nor Get of ${kinds[kind].label.many} under the published names`,
  )
}

/** The API over HTTP and over gRPC, whichever the run itself uses. */
export interface Both {
  http: Api
  grpc: Api
  rpc: Rpc
  /** Waits until gRPC lists what HTTP has listed, because it may lag on its own (R52). */
  caughtUp(population: Population): Promise<void>
}

/** The chain of fixtures with those of gRPC: where a target does not serve it, they end the case as *not offered*. */
const withBoth = withoutGrpc.extend('both', async ({ run, runGroup, evidence, eventually }): Promise<Both> => {
  await run.grpcSupport.mustBeServed()
  const log: Log = { phase: 'act', exchanges: evidence }
  const query = childrenOf(runGroup.uid)
  const plain = { method: 'GET', path: run.paths.of(kinds.groups), query: { ...query, page_size: 1 } } as const
  const grpc = apiOver({ ...run, over: 'grpc', onAnswer: orUnnamed(run) }, log)
  return {
    http: apiOver({ ...run, over: 'http' }, log),
    grpc,
    rpc: (call) => run.client.send({ ...plain, ...call, over: 'grpc' }, log),
    caughtUp: (population) => caughtUp(grpc, population, { run, eventually }),
  }
})

/** The chain with the shared groups as gRPC also lists them. */
export const test = withBoth
  .extend('grpcCrowd', async ({ both, crowd }) => {
    await both.caughtUp({ kind: 'groups', scope: crowd.scope, items: crowd.siblings })
    return crowd
  })
  .extend('grpcForest', async ({ both, forest }) => {
    await both.caughtUp({ kind: 'groups', scope: forest.scope, items: forest.all })
    return forest
  })

const waits = new WeakMap<Run, Map<string, Promise<void>>>()

/** Waits once a run, and no longer than a lag may take; after that gRPC lists are judged strictly. */
function caughtUp(
  grpc: Api,
  { kind, scope, items }: Population,
  { run, eventually }: { run: Run; eventually: Eventually },
): Promise<void> {
  const known = waits.get(run) ?? new Map<string, Promise<void>>()
  waits.set(run, known)
  const shown = async () => {
    const answer = await grpc.attempt[kind].list({ ...scope, page_size: 200 })
    const listed = new Set(listedUids(kind, answer))
    if (!succeeded(answer) || listed.size >= 200 || items.every(({ uid }) => listed.has(uid))) return
    violated({ message: `gRPC lags behind the ${kind} of HTTP`, expected: items.length, got: listed.size })
  }
  const asked = JSON.stringify([kind, scope])
  const wait = known.get(asked) ?? eventually(shown).catch(leaveToTheCase)
  known.set(asked, wait)
  return wait
}

function leaveToTheCase(error: unknown): void {
  if (!isViolation(error)) throw error
}

/** What a case may destructure. */
export type Context = (typeof test extends TestAPI<infer Extra> ? Extra : never) & TestContext
