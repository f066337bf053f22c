import { kinds } from '../api/kinds.ts'
import { isObject, isReceived, type Received } from '../api/received.ts'
import { type Answer, type Call, succeeded } from '../http/call.ts'
import type { OperationCalls } from './operation-calls.ts'

/** True where a call was not refused, or its refusal reveals what only a caller with rights knows (R39). */
export function gotThrough(
  { kind, thing }: Pick<OperationCalls, 'kind' | 'thing'>,
  answer: Answer,
  call: Call,
): boolean {
  return succeeded(answer) || discloses({ kind, thing }, answer, call)
}

/** A shorter uid or name may occur in any text. */
export const distinctiveLength = 12

/** True where an answer holds the resource, its uid or its name, unless the call itself names them. */
export function discloses({ kind, thing }: Pick<OperationCalls, 'kind' | 'thing'>, { json, text }: Answer, call: Call) {
  const asked = decoded(`${call.path} ${JSON.stringify([call.query ?? {}, call.body ?? {}])}`)
  const isDisclosed = (value: unknown) =>
    typeof value === 'string' && value.length >= distinctiveLength && text.includes(value) && !asked.includes(value)
  const items = isObject(json) ? json[kind] : undefined
  const isListed = Array.isArray(items) && items.some(isReceived)
  return isListed || holds(json, thing) || isDisclosed(thing.uid) || (!kinds[kind].foreign && isDisclosed(thing.name))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** True where a resource is anywhere in an answer; its uid alone may only repeat the call. */
function holds(json: unknown, thing: Received): boolean {
  if (typeof json !== 'object' || json === null) return false
  const { uid, id, ...members } = json as Record<string, unknown>
  const known = ['name', 'createTime', 'createdAt'].some((member) => typeof members[member] === 'string')
  return ((uid ?? id) === thing.uid && known) || Object.values(json).some((inner) => holds(inner, thing))
}
