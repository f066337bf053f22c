import type { Api } from '../api/api.ts'
import { type KindName, kinds, type Operation } from '../api/kinds.ts'
import { isReceived, type Page, type Received } from '../api/received.ts'
import { isForbidden, isOptional, isUnimplemented } from '../api/soft-refusal.ts'
import { accepted, isMissing } from '../assertions/refused.ts'
import { type Answer, answerInWords, beginningOf, succeeded } from '../http/call.ts'
import { Inconclusive, NotOffered, Stopped } from '../http/case-errors.ts'

/** Get of a kind whose Get the contract does not print: where it is missing, it is not offered (R49). */
export async function got(api: Api, kind: KindName, uid: string): Promise<Received> {
  return held(kind, 'get', uid, await api.attempt[kind].get(uid))
}

/** Updates such a kind; where the contract shows no members to update, a refusal shows nothing (R49). */
export async function updated(
  api: Api,
  kind: KindName,
  uid: string,
  body: Record<string, unknown>,
  updateMask?: string,
): Promise<Received> {
  const answer = await api.attempt[kind].update(uid, body, { query: { updateMask } })
  const { shown } = kinds[kind]
  const after =
    shown || succeeded(answer) || isMissing(answer) ? held(kind, 'update', uid, answer) : refusedUpdate(kind, answer)
  const silent = Object.keys(body).filter((member) => typeof after[member] !== 'string')
  if (shown || silent.length === 0) return after
  throw new Inconclusive(
    `this target shows no ${silent.join(' and ')} of ${kind}, so an update of it cannot be checked`,
  )
}

/** Ends the case where this target lacks an operation whose path the contract does not print, or forbids it (R49, R56). */
export function mustBePresent(kind: KindName, operation: Operation, answer: Answer): void {
  const name = `${kinds[kind].name}.${operation}`
  if (isMissing(answer) && isOptional(name)) throw new NotOffered(name, answer)
  if (isForbidden(answer)) throw stoppedBy(name, answer)
}

/** Ends the case where a needed operation is missing: not offered where the contract does not print it (R49). */
export function mustBeOffered(answer: Answer): void {
  const { operation } = answer.exchange
  if (!isMissing(answer)) return
  if (isOptional(operation)) throw new NotOffered(operation, answer)
  throw stoppedBy(operation, answer)
}

const stoppedBy = (operation: string, answer: Answer) =>
  new Stopped({ operation, phase: 'act', why: `was answered ${answerInWords(answer)}`, status: answer.status })

/** Ends the case where a message is compressed or typed in a way that servers need not understand. */
export function mustBeUnderstood(answer: Answer, what: string): void {
  if (isUnimplemented(answer) || answer.status === 415) throw new NotOffered(what, answer)
}

/** The token of a page that was reached by skip, which a target may leave out (R11). */
export function tokenAfterSkip({ nextPageToken }: Pick<Page, 'nextPageToken'>): string {
  if (nextPageToken !== undefined) return nextPageToken
  throw new NotOffered('page tokens after a skip', 'a page that was reached by skip has none')
}

/** Fails unless an operation answered; only the target knows what the body of an unshown kind must hold (R49). */
export function mustAnswer(kind: KindName, operation: Operation, answer: Answer): void {
  mustBeOffered(answer)
  const writes = operation === 'create' || operation === 'update'
  const open = !kinds[kind].shown || (operation === 'update' && !kinds[kind].described)
  if (writes && open && !succeeded(answer)) refusedUpdate(kind, answer, operation)
  accepted(answer, `${operation} of ${kinds[kind].label.many}`)
}

function held(kind: KindName, operation: Operation, uid: string, answer: Answer): Received {
  mustBePresent(kind, operation, answer)
  if (succeeded(answer) && isReceived(answer.json) && answer.json.uid === uid) return answer.json
  throw new Stopped({
    operation: `${kinds[kind].name}.${operation}`,
    phase: 'act',
    why: `was answered ${answer.status} without the resource ${uid}: ${beginningOf(answer.text)}`,
    status: answer.status,
  })
}

function refusedUpdate(kind: KindName, { status }: Answer, operation: Operation = 'update'): never {
  throw new Inconclusive(
    `${kinds[kind].name}.${operation} was answered ${status}: what its body must hold is not shown`,
  )
}
