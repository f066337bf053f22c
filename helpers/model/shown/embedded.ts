import { type Judging, oneOf, rolesChange } from '../judging.ts'
import { isObject } from '../observation.ts'
import type { Register } from '../register.ts'
import { type Thing, unset } from '../state.ts'

/** A binding embeds one resource each, as it is or was at some time since the binding was made (S2.14, R7). */
export function judgeEmbedded(
  judging: Judging,
  binding: Thing,
  { identity, group, role }: Record<string, unknown>,
  door: string,
) {
  const { state, seen } = judging
  const details = { about: [binding.uid, binding.identityUid ?? '', binding.parent] }
  const check = (holds: boolean, expected: unknown, got: unknown, unless: string[] = []) =>
    judging.check('roleBindings', 'embedded', holds, expected, got, { ...details, unless })
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
  } else check(false, 'an object group', group)

  const shownUid = isObject(identity) && binding.rebound.has(identity.uid) ? String(identity.uid) : binding.identityUid
  const bound = state.thing(shownUid ?? '', 'identities')
  const exists = bound?.alive.certain(seen.sent, seen.answered)?.value === true
  if (bound && exists && isObject(identity)) {
    check(identity.uid === bound.uid, `the identity ${bound.uid}`, identity.uid)
    checkText('identity.name', bound.name, identity.name)
    checkText('identity.description', bound.description, unset(identity.description))
    // older names are forgiven, older claims are not (R7)
    const { issuer, subject } = identity
    const standing = bound.claimMatch.read({ issuer, subject }, seen.sent, seen.answered, `embedded in ${door}`)
    const since = bound.claimMatch.lastBefore(seen.answered)
    const claims = () =>
      `identity.claimMatch ${oneOf(bound.claimMatch.may(seen.sent, seen.answered).map(({ value }) => value))}`
    if (isLagging(standing === 'late' && judging.isYoung(since))) return
    judging.reading('roleBindings', 'embedded', standing, claims, JSON.stringify({ issuer, subject }), since, bound.uid)
  } else if (exists) check(false, 'an object identity', identity)

  if (!isObject(role)) return check(false, 'an object role', role)
  check(role.uid === binding.roleUid || binding.rebound.has(role.uid), `the role ${binding.roleUid}`, role.uid)
  judgeRole(judging, binding, role.uid, door)
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

/** A role that an Update answered stays, as far as the binding ever had the one that is shown (S4.28, R49). */
function judgeRole(judging: Judging, { uid, role }: Thing, shown: unknown, door: string): void {
  const { sent, answered, method } = judging.seen
  const standing = role.read(shown, sent, answered, `role in ${door}`)
  const holds = standing === 'fits' || !role.writes.some(({ value }) => value === shown)
  const soft = judging.isYoung(role.lastBefore(answered))
  // what a write embeds may also lag, and a write is not made again (R52)
  if (!holds && soft && method !== 'GET') return
  const expected = () => `role.uid ${oneOf(role.may(sent, answered).map(({ value }) => value))}`
  judging.row('model.roleBinding.update', holds, expected, shown, { about: [uid], soft })
}
