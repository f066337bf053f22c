import { isObject } from '../../api/received.ts'
import { bindsLate, type Judging, oneOf, rolesChange } from '../judging.ts'
import { isText } from '../names.ts'
import type { Register } from '../register.ts'
import { rowOf } from '../rows.ts'
import { type Thing, unset } from '../state.ts'
import { judgeSaid } from './said.ts'

/** A binding with what it embeds, as an answer shows it. */
interface Embedding {
  judging: Judging
  binding: Thing
  view: string
}

/** A binding embeds one resource each, as it is or was at some time since the binding was made (S2.14, R7). */
export function judgeEmbedded(
  judging: Judging,
  binding: Thing,
  { identity, group, role }: Record<string, unknown>,
  view: string,
): void {
  const { state, seen } = judging
  const embedding = { judging, binding, view }
  const home = state.group(binding.parent)
  if (home?.alive.may(seen.sent, seen.answered).some(({ value }) => !value)) return
  judgeHome(embedding, home, group)
  if (view !== 'Get') judgeOutlived(judging, binding)
  if (judgeIdentity(embedding, identity)) judgeRole(embedding, role)
}

function judgeHome(embedding: Embedding, home: Thing | undefined, group: unknown): void {
  if (!isObject(group)) return void judgeAbsent(embedding, 'group', home, group)
  const { parent } = embedding.binding
  check(embedding, group.uid === parent, `the group ${parent}`, group.uid)
  if (home === undefined || group.uid !== home.uid) return
  // one that was made before may go on to show the old name (R7)
  judgeSaid(embedding.judging, home, 'name', group.name, embedding.binding.alive.writes[0]!.sent)
  judgeText(embedding, 'group.name', home.name, group.name)
  judgeText(embedding, 'group.description', home.description, unset(group.description))
}

/** Judges the identity; false where what a write embeds may still lag, and nothing more is judged. */
function judgeIdentity(embedding: Embedding, identity: unknown): boolean {
  const { judging, binding, view } = embedding
  const { state, seen } = judging
  if (isObject(identity)) judgeBoundPart(judging, binding, 'identity', identity.uid, view)
  const held = isObject(identity) ? identity.uid : binding.binds.identity.certain(seen.sent, seen.answered)?.value
  const bound = state.thing(String(held), 'identities')
  if (bound?.alive.certain(seen.sent, seen.answered)?.value !== true) return true
  if (!isObject(identity)) {
    judgeAbsent(embedding, 'identity', bound, identity)
    return true
  }
  judgeText(embedding, 'identity.name', bound.name, identity.name)
  judgeText(embedding, 'identity.description', bound.description, unset(identity.description))
  // older names are forgiven, older claims are not (R7)
  const { issuer, subject } = identity
  const claims = { issuer, subject }
  const door = judging.through(`embedded in ${view}`)
  const fit = bound.claimMatch.observe(claims, seen.sent, seen.answered, door, judging.copy)
  const since = bound.claimMatch.lastBefore(seen.answered)
  const expected = () =>
    `identity.claimMatch ${oneOf(bound.claimMatch.may(seen.sent, seen.answered).map(({ value }) => value))}`
  if (isLagging(judging, fit === 'late' && judging.isYoung(since))) return false
  judging.reading('roleBindings', 'embedded', fit, expected, JSON.stringify(claims), since, bound.uid, 'R7')
  return true
}

function judgeRole(embedding: Embedding, role: unknown): void {
  const { judging, binding, view } = embedding
  // one that others have deleted may be gone from it (R24)
  if (!isObject(role)) return void check(embedding, false, 'an object role', role, [rolesChange])
  judgeBoundPart(judging, binding, 'role', role.uid, view)
  const texts = judging.state.roles.get(String(role.uid))
  if (texts === undefined) return
  check(embedding, texts.name.has(role.name), () => `role.name ${oneOf([...texts.name])}`, role.name, [rolesChange])
  const description = unset(role.description)
  check(
    embedding,
    texts.description.size === 0 || texts.description.has(description),
    () => `role.description ${oneOf([...texts.description])}`,
    description,
    [rolesChange],
  )
}

/** What a write embeds may also lag, and a write is not made again (R52). */
const isLagging = ({ seen }: Judging, soft: boolean) => soft && seen.method !== 'GET'

const aboutBinding = ({ uid, identityUid, parent }: Thing) => [uid, identityUid ?? '', parent]

function check(
  { judging, binding }: Embedding,
  holds: boolean,
  expected: unknown,
  got: unknown,
  unless: string[] = [],
): void {
  judging.check('roleBindings', 'embedded', holds, expected, got, { about: aboutBinding(binding), unless })
}

/** A list may know a binding before it knows what that binds (R52). */
function judgeAbsent({ judging, binding }: Embedding, part: string, thing: Thing | undefined, got: unknown): void {
  const { seen } = judging
  const since = thing?.alive.lastBefore(seen.answered) ?? 0
  const soft = seen.method === 'GET' && got === undefined && judging.isYoung(since)
  const about = aboutBinding(binding)
  judging.check('roleBindings', 'embedded', false, `an object ${part}`, got, { about, soft })
}

function judgeText({ judging, binding }: Embedding, what: string, register: Register<unknown>, value: unknown): void {
  const { seen } = judging
  const from = Math.min(binding.alive.writes[0]!.sent, seen.sent)
  const may = register.may(from, seen.answered).map((write) => write.value)
  const isOld = register.writes.some((write) => write.value === value)
  const soft = isOld && judging.isYoung(register.lastBefore(seen.answered))
  if (!may.includes(value) && isLagging(judging, soft)) return
  const about = aboutBinding(binding)
  const expected = () => (isText(value) ? `${what} ${oneOf(may)}` : `a string as ${what}`)
  judging.check('roleBindings', 'embedded', may.includes(value), expected, JSON.stringify(value), {
    about,
    soft,
    breaks: 'R55',
  })
}

/** A list leaves out what binds a deleted identity (R28). */
function judgeOutlived(judging: Judging, { uid, alive, binds }: Thing): void {
  const { seen, state } = judging
  if (seen.method !== 'GET') return
  const owner = state.thing(String(binds.identity.certain(seen.sent, seen.answered)?.value), 'identities')
  const isGone = owner?.alive.certain(seen.sent, seen.answered)?.value === false
  const [bound, deleted] = [alive.writes[0]!, owner?.alive.writes.at(-1)]
  // of a Create and a Delete at the same moment, one was first
  const wasBound = isGone && bound.sent < deleted!.answered
  judging.row(
    'model.roleBinding.orphan',
    !wasBound,
    `no binding of ${owner?.uid}, which was deleted`,
    `the binding ${uid}`,
    {
      about: [uid, ...(owner ? [owner.uid] : [])],
      soft: wasBound && judging.isYoung(owner.alive.lastBefore(seen.answered)),
      // the Create may have come after the Delete, and seen the identity still (R52)
      unless: wasBound && bound.answered > deleted!.sent ? [bindsLate] : [],
    },
  )
}

/** A list that lags may show the binding of an identity that is gone, and nothing of that identity (R52). */
function isJustDeleted(judging: Judging, uid: string): boolean {
  const { seen, state } = judging
  const identity = state.thing(uid, 'identities')
  const isAlive = identity?.alive.certain(seen.sent, seen.answered)?.value
  return identity !== undefined && isAlive !== true && judging.isYoung(identity.alive.lastBefore(seen.answered))
}

/**
 * A binding shows what it was made to bind, or what an Update answered since (S2.14, S4.28); on an Update this is a
 * *should* (R49).
 */
function judgeBoundPart(
  judging: Judging,
  binding: Thing,
  part: 'identity' | 'role',
  shown: unknown,
  view: string,
): void {
  const { sent, answered } = judging.seen
  const register = binding.binds[part]
  const fit = register.observe(shown, sent, answered, judging.through(`${part} in ${view}`), judging.copy)
  const soft =
    (fit === 'late' && judging.isYoung(register.lastBefore(answered))) ||
    (part === 'identity' && isJustDeleted(judging, String(register.certain(sent, answered)?.value)))
  if (isLagging(judging, soft)) return
  const row = binding.history.length > 1 ? 'model.roleBinding.update' : rowOf('roleBindings', 'embedded')
  const expected = () => `${part}.uid ${oneOf(register.may(sent, answered).map(({ value }) => value))}`
  judging.row(row, fit === 'fits', expected, shown, { about: [binding.uid], soft })
}
