import type { Judging } from './judging.ts'
import { type Asked, isObject, isPrinted, succeeded } from './observation.ts'

/** Judges the answer to a call that had to be refused, whatever it asks for (S5.1, R39, R40). */
export function judgeCredential(judging: Judging, asked: Asked): void {
  const { seen, state } = judging
  const { kind, uid, does, version } = asked
  const { caller } = seen
  const how = caller.is === 'bad' ? caller.how : 'a token of an exchange that is not valid'
  const unless = isPrinted(asked) ? [] : [`not offered ${kind}.${does} ${version}`]
  const about = uid === undefined ? Object.values(seen.query).filter((value) => state.things.has(value)) : [uid]
  judging.check(kind, 'credential', !succeeded(seen), `a refusal of ${how}`, `${seen.status} ${seen.text}`, { about, unless })
  const thing = uid === undefined ? undefined : state.thing(uid, kind)
  const name = thing?.name.writes.at(-1)?.value
  const told = does !== 'create' && typeof name === 'string' && name.length >= 8 && seen.text.includes(name)
  const shows = !succeeded(seen) && (told || holds(seen.json, uid ?? ''))
  judging.check(kind, 'credential', !shows, 'nothing of what was asked for', seen.text, { about, unless })
}

/** True where a resource with that uid and more than it stands somewhere in a body. */
function holds(json: unknown, uid: string): boolean {
  if (Array.isArray(json)) return json.some((inner) => holds(inner, uid))
  if (!isObject(json)) return false
  const isIt = uid !== '' && (json.uid ?? json.id) === uid && ('name' in json || 'createTime' in json || 'createdAt' in json)
  return isIt || Object.values(json).some((inner) => typeof inner === 'object' && holds(inner, uid))
}
