import { type KindName, kinds } from '../api/kinds.ts'
import { isObject } from '../api/received.ts'
import { succeeded } from '../http/call.ts'
import { isKeptAsSent, isText } from './names.ts'
import { type Asked, isTrouble, type Observation } from './observation.ts'
import type { State, Thing } from './state.ts'
import { applyUpdate, isOther, keptClaims, nameInV1, noteVerified, written } from './written/updates.ts'

/** Applies a write to the state; its answer is judged later, when nothing is under way. */
export function applyWrite(state: State, seen: Observation, asked: Asked, refused: boolean) {
  if (refused || (!succeeded(seen) && !isTrouble(seen))) return remember(state, seen, asked, refused)
  const sure = succeeded(seen)
  keepTexts(state, seen.body, asked.kind)
  if (asked.does === 'create') applyCreate(state, seen, asked)
  const thing = state.thing(asked.uid!, asked.kind)
  if (thing === undefined || asked.does === 'create') return
  if (asked.does === 'update') applyUpdate(thing, seen, asked, sure)
  if (asked.does === 'delete') applyDelete(state, thing, seen, sure)
  thing.history.push(seen.n)
  state.clock.wrote(thing, seen)
  state.touch(thing, written(seen, sure))
}

/** Keeps the texts of a refused call: nothing may ever show them, unless another call also sent them (R29). */
function remember(state: State, seen: Observation, { kind, does, uid }: Asked, isForCredential: boolean): void {
  const target = does === 'create' ? undefined : state.thing(uid!, kind)
  if (target) {
    target.attempted = Math.max(target.attempted, seen.answered)
    if (!isForCredential) target.refusedToGood = Math.max(target.refusedToGood, seen.answered)
    target.refused.push(seen.n)
    state.clock.inVain(target, seen)
    noteVerified(target, seen.body)
  }
  const refused = succeeded(seen) ? 'wrongly accepted' : 'refused'
  const why = `the ${refused} ${kinds[kind].name}.${does} of exchange ${seen.n}`
  for (const text of isObject(seen.body) ? textsOf(seen.body, kind) : (seen.texts ?? [])) {
    if (typeof text !== 'string' || text.length < 8 || state.sentTexts.has(text)) continue
    state.refusedTexts.set(text, { why, n: seen.n })
    state.own.explain(kind, text)
  }
}

/** The texts that show a reader which call made or changed something: a binding and an invite have no name. */
export const textsOf = (
  { name, description, identityUid, roleUid, expirationTime }: Record<string, unknown>,
  kind: KindName,
): unknown[] => [
  name,
  description,
  ...(kind === 'roleBindings' && identityUid !== undefined ? [`${identityUid} has ${roleUid}`] : []),
  ...(kind === 'groupInvites' && roleUid ? [`an invite to ${roleUid}`] : []),
  ...(kind === 'groupInvites' && expirationTime ? [`ends at ${Date.parse(String(expirationTime))}`] : []),
]

function keepTexts(state: State, body: unknown, kind: KindName): void {
  if (isObject(body)) state.names.add(body.name)
  for (const text of isObject(body) ? textsOf(body, kind) : []) {
    if (typeof text !== 'string') continue
    state.sentTexts.add(text)
    state.refusedTexts.delete(text)
  }
}

function applyCreate(state: State, seen: Observation, { kind, uid: parent, version }: Asked): void {
  // the answer shows how the odd bytes were read
  const body = !seen.reads && isObject(seen.body) ? seen.body : isObject(seen.json) ? seen.json : {}
  const shown = isObject(seen.json) ? seen.json : {}
  const uid = typeof shown.uid === 'string' ? shown.uid : typeof shown.id === 'string' ? shown.id : undefined
  const known = uid === undefined ? undefined : state.thing(uid, kind)
  if (known && bindsAlike(known, parent!, body)) return
  // the uid of something deleted may come back (R28)
  const exists = known !== undefined && !known.alien && !mayBeGone(known, seen)
  // no answer, or one without a uid: nothing is exact there from now on
  if (uid === undefined || exists) {
    const home = state.group(parent!)
    if (home) state.touch(home, written(seen, false))
    return
  }
  // what may come back changed is as it was shown
  const kept = {
    ...body,
    name: version === 'v1' ? nameInV1(body, shown) : isText(body.name) ? body.name : shown.name,
    claimMatch: keptClaims(body.claimMatch, shown.claimMatch),
    description: isKeptAsSent(body.description) ? body.description : shown.description,
  }
  const thing = state.add(kind, uid, parent!, seen, kept)
  if (version === 'v1')
    for (const member of ['name', 'description'] as const)
      if (isOther(kept[member], shown[member])) {
        const { sent, answered } = seen
        thing[member].write({ value: shown[member], sent, answered, sure: false })
      }
  noteVerified(thing, seen.body)
  state.touch(thing, written(seen, true))
  // in a group that may have been deleted, or of an identity that may have been, it is open whether the new thing exists
  const rests = [state.group(parent!), state.thing(thing.identityUid ?? '', 'identities')]
  if (rests.some((one) => one && mayBeGone(one, seen)))
    thing.alive.write({ value: false, sent: seen.sent, answered: seen.answered, sure: false })
}

/** True where a thing may have been deleted by the end of a call. */
export const mayBeGone = ({ alive }: Thing, { sent, answered }: Observation) =>
  alive.may(sent, answered).some(({ value }) => !value)

/** True where the same identity already has the same role in the group: the answer is not shown (R54). */
export function bindsAlike(thing: Thing, parent: string, body: Record<string, unknown>): boolean {
  const { kind, binds } = thing
  const has = (part: 'identity' | 'role', uid: unknown) => binds[part].writes.some(({ value }) => value === uid)
  const isSame = has('identity', body.identityUid) && has('role', body.roleUid) && thing.parent === parent
  return kind === 'roleBindings' && isSame && thing.alive.writes.at(-1)!.value
}

function applyDelete(state: State, thing: Thing, seen: Observation, sure: boolean): void {
  const touch = written(seen, sure)
  const { sent, answered } = touch
  thing.alive.write({ value: false, sent, answered, sure })
  const perhaps = (other: Thing) => {
    if (other.alive.certain(sent, answered)?.value === false) return
    other.alive.write({ value: false, sent, answered, sure: false })
    // a role binding may live elsewhere than its identity
    state.touch(other, touch)
  }
  // what is deleted with it is open
  if (thing.kind === 'groups')
    for (const kind of Object.keys(kinds))
      for (const inner of state.inside(thing, kind as Thing['kind'], true)) perhaps(inner)
  if (thing.kind === 'identities')
    for (const other of state.ofKind('roleBindings'))
      if (other.binds.identity.may(sent, answered).some(({ value }) => value === thing.uid)) perhaps(other)
}
