import type { Api } from '../api/api.ts'
import { type Kind, type KindName, kinds, type Operation } from '../api/kinds.ts'
import { isReceived, type Received } from '../api/received.ts'
import { isMissing } from '../assertions/refused.ts'
import { type Answer, succeeded } from '../http/call.ts'
import { Inconclusive, NoSuchOperation, Stopped } from '../http/case-errors.ts'

/** Get of a kind whose Get the contract does not print: where it is missing, the case is inconclusive (R49). */
export async function got(api: Api, kind: KindName, uid: string): Promise<Received> {
  return held(kind, 'get', uid, await api.attempt[kind].get(uid))
}

/** Update of such a kind; a refusal tells nothing where the contract shows no members to update (R49). */
export async function updated(
  api: Api,
  kind: KindName,
  uid: string,
  body: Record<string, unknown>,
  updateMask?: string,
): Promise<Received> {
  const answer = await api.attempt[kind].update(uid, body, { query: { updateMask } })
  const { shown } = kinds[kind]
  if (!succeeded(answer) && !shown) tellsNothing(kind, 'update', answer)
  const after = held(kind, 'update', uid, answer)
  const silent = Object.keys(body).filter((member) => typeof after[member] !== 'string')
  if (shown || silent.length === 0) return after
  throw new Inconclusive(`this target shows no ${silent.join(' and ')} of ${kind}, so a change of it tells nothing`)
}

/** Ends the case where this target lacks an operation whose path the contract does not print (R49). */
export function mustBePresent(kind: KindName, operation: Operation, answer: Answer): void {
  const printed = (kinds[kind] as Kind).printed.includes(operation)
  const follows = kind === 'identities'
  if (isMissing(answer) && (follows || !printed)) tellsNothing(kind, operation, answer)
}

function held(kind: KindName, operation: Operation, uid: string, answer: Answer): Received {
  mustBePresent(kind, operation, answer)
  if (succeeded(answer) && isReceived(answer.json) && answer.json.uid === uid) return answer.json
  throw new Stopped({
    operation: `${kinds[kind].name}.${operation}`,
    phase: 'act',
    why: `was answered ${answer.status} without the resource ${uid}: ${answer.text.slice(0, 200)}`,
    status: answer.status,
  })
}

function tellsNothing(kind: KindName, operation: Operation, { status }: Answer): never {
  throw new NoSuchOperation(`${kinds[kind].name}.${operation} was answered ${status}: this target need not have it`)
}
