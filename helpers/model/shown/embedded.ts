import { isObject } from '../../api/received.ts'
import { type Judging, oneOf, rolesChange } from '../judging.ts'
import type { Register } from '../register.ts'
import { rowOf } from '../rows.ts'
import { type Thing, unset } from '../state.ts'

/** A binding embeds one resource each, as it is or was at some time since the binding was made (S2.14, R7). */
export function judgeEmbedded(
  judging: Judging,
  binding: Thing,
  { identity, group, role }: Record<string, unknown>,
  view: string,
) {
  const { state, seen } = judging
  const details = { about: [binding.uid, binding.identityUid ?? '', binding.parent] }
  const check = (holds: boolean, expected: unknown, got: unknown, unless: string[] = []) =>
    judging.check('roleBindings', 'embedded', holds, expected, got, { ...details, unless })
  // a list may know a binding before it knows what that binds (R52)
  const checkAbsent = (part: 'identity' | 'group', thing: Thing | undefined, got: unknown) => {
    const since = thing?.alive.lastBefore(seen.answered) ?? 0
    const soft = seen.method === 'GET' && got === undefined && judging.isYoung(since)
    judging.check('roleBindings', 'embedded', false, `an object ${part}`, got, { ...details, soft })
  }
  const from = Math.min(binding.alive.writes[0]!.sent, seen.sent)
  // what a write embeds may also lag, and a write is not made again (R52)
  const isLagging = (soft: boolean) => soft && seen.method !== 'GET'
  const checkText = (what: string, register: Register<unknown>, value: unknown) => {
    const may = register.may(from, seen.answered).map((write) => write.value)
    const soft =
      register.writes.some((write) => write.value === value) && judging.isYoung(register.lastBefore(seen.answered))
    if (!may.includes(value) && isLagging(soft)) return
    const expected = () => `${what} ${oneOf(may)}`
    judging.check('roleBindings', 'embedded', may.includes(value), expected, JSON.stringify(value), {
      ...details,
      soft,
    })
  }

  const home = state.group(binding.parent)
  if (home?.alive.may(seen.sent, seen.answered).some(({ value }) => !value)) return
  if (isObject(group)) {
    check(group.uid === binding.parent, `the group ${binding.parent}`, group.uid)
    if (home && group.uid === home.uid) {
      checkText('group.name', home.name, group.name)
      checkText('group.description', home.description, unset(group.description))
    }
  } else checkAbsent('group', home, group)

  if (view !== 'Get') judgeOutlived(judging, binding)
  if (isObject(identity)) judgeBoundPart(judging, binding, 'identity', identity.uid, view)
  const held = isObject(identity) ? identity.uid : binding.binds.identity.certain(seen.sent, seen.answered)?.value
  const bound = state.thing(String(held), 'identities')
  const exists = bound?.alive.certain(seen.sent, seen.answered)?.value === true
  if (bound && exists && isObject(identity)) {
    checkText('identity.name', bound.name, identity.name)
    checkText('identity.description', bound.description, unset(identity.description))
    // older names are forgiven, older claims are not (R7)
    const { issuer, subject } = identity
    const fit = bound.claimMatch.observe(
      { issuer, subject },
      seen.sent,
      seen.answered,
      judging.through(`embedded in ${view}`),
    )
    const since = bound.claimMatch.lastBefore(seen.answered)
    const claims = () =>
      `identity.claimMatch ${oneOf(bound.claimMatch.may(seen.sent, seen.answered).map(({ value }) => value))}`
    if (isLagging(fit === 'late' && judging.isYoung(since))) return
    judging.reading('roleBindings', 'embedded', fit, claims, JSON.stringify({ issuer, subject }), since, bound.uid)
  } else if (exists) checkAbsent('identity', bound, identity)

  if (!isObject(role)) return check(false, 'an object role', role)
  judgeBoundPart(judging, binding, 'role', role.uid, view)
  const texts = state.roles.get(String(role.uid))
  if (texts === undefined) return
  check(texts.name.has(role.name), () => `role.name ${oneOf([...texts.name])}`, role.name, [rolesChange])
  const description = unset(role.description)
  check(
    texts.description.size === 0 || texts.description.has(description),
    () => `role.description ${oneOf([...texts.description])}`,
    description,
    [rolesChange],
  )
}

/** A list leaves out what binds a deleted identity (R28). */
function judgeOutlived(judging: Judging, { uid, alive, binds }: Thing): void {
  const { seen, state } = judging
  if (seen.method !== 'GET') return
  const owner = state.thing(String(binds.identity.certain(seen.sent, seen.answered)?.value), 'identities')
  const isGone = owner?.alive.certain(seen.sent, seen.answered)?.value === false
  const wasBound = isGone && alive.writes[0]!.answered < owner.alive.writes.at(-1)!.sent
  judging.row('model.roleBinding.orphan', !wasBound, `no binding of ${owner?.uid}, which was deleted`, uid, {
    about: [uid, ...(owner ? [owner.uid] : [])],
    soft: wasBound && judging.isYoung(owner.alive.lastBefore(seen.answered)),
  })
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
  const { sent, answered, method } = judging.seen
  const register = binding.binds[part]
  const fit = register.observe(shown, sent, answered, judging.through(`${part} in ${view}`))
  const soft = fit === 'late' && judging.isYoung(register.lastBefore(answered))
  // what a write embeds may also lag, and a write is not made again (R52)
  if (soft && method !== 'GET') return
  const row = binding.history.length > 1 ? 'model.roleBinding.update' : rowOf('roleBindings', 'embedded')
  const expected = () => `${part}.uid ${oneOf(register.may(sent, answered).map(({ value }) => value))}`
  judging.row(row, fit === 'fits', expected, shown, { about: [binding.uid], soft })
}
