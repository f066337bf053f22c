import { apiOver } from '../api/api.ts'
import { listedKinds, type Operation } from '../api/kinds.ts'
import type { Run } from '../arrange/run.ts'
import type { Scratch } from '../arrange/scratch.ts'
import { type OperationCalls, overGrpc } from '../auth/operation-calls.ts'
import type { Answer, Credential, Log } from '../http/call.ts'
import { openTried, type Tried } from './open-operations.ts'

/** Writes come last, a Delete after all others: one that gets through leaves nothing to ask for. */
const inTurn: readonly Operation[] = ['list', 'get', 'create', 'update', 'delete']

/** The kinds of which each operation is tried, over HTTP; of the others, a list. */
const whole: readonly Tried[] = ['groups', 'roleBindings', 'v1']

/** Where a credential is tried. */
interface Place {
  run: Run
  scratch: Scratch
  arranged: Log
  log: Log
}

/** Calls each operation of these kinds, and each list of the others, with a credential; returns the answers. */
export async function callOperations(place: Place, credential: Credential): Promise<Answer[]> {
  const { run, scratch, arranged, log } = place
  const { attempt } = apiOver(run, log)
  const opened = await Promise.all(whole.map((tried) => openTried(tried, run, scratch, arranged)))
  const { registryGroupUid } = run.config.target
  const scope = { 'uidp.descendants_of': registryGroupUid ?? scratch.uid }
  const lists = listedKinds.filter((kind) => !whole.includes(kind))
  const answers = await Promise.all([
    ...opened.map((calls) => callEach(place, calls, credential)),
    ...lists.map(async (kind) => [await attempt[kind].list(kind === 'roles' ? {} : scope, credential)]),
  ])
  return answers.flat()
}

/** The same over gRPC, of groups. */
export async function callOperationsOverGrpc(place: Place, credential: Credential): Promise<Answer[]> {
  const { run, scratch, arranged } = place
  return callEach(place, overGrpc(await openTried('groups', run, scratch, arranged)), credential)
}

async function callEach({ run, log }: Place, { calls }: OperationCalls, credential: Credential): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const operation of inTurn) {
    const [call] = calls[operation] ?? []
    if (call) answers.push(await run.client.send({ ...call, credential }, log))
  }
  return answers
}
