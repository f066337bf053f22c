import { minute } from '../api/instant.ts'
import { succeeded } from '../http/call.ts'
import type { Judging } from './judging.ts'
import { type Asked, isPrinted, type Observation, unlessOffered } from './observation.ts'
import type { State, Thing } from './state.ts'
import type { Issued } from './tokens.ts'

/** How long a new API token may be refused (R41), in milliseconds. */
const spreading = 10_000

/**
 * Judges a call with the token of an exchange that is younger than 59 minutes: it still opens what it once opened, and
 * where it can Get a group, it can make every read in the group of one of its roles (R40, R41).
 */
export function judgeLifetime(judging: Judging, asked: Asked): void {
  const { seen, state } = judging
  const issued = seen.caller.is === 'bearer' ? state.issued.get(seen.caller.token) : undefined
  if (issued === undefined) return
  const what = `${issued.identity} ${seen.method} ${seen.path} over ${seen.over ?? 'http'}`
  const age = seen.answered + seen.moved - issued.time
  const [uid = ''] = issued.identity.split(' ')
  const holder = state.thing(uid, 'identities')
  // a token may end with its identity (R41)
  if (holder && holder.alive.certain(seen.sent, seen.answered)?.value !== true) return
  const itself = `${what} with the token of exchange ${issued.n}`
  const taken = `a group with the token of exchange ${issued.n}`
  // however far the clock was moved, the token may be new in real time
  const isSpread = seen.sent - issued.sent >= spreading
  if (succeeded(seen)) {
    state.opened.add(what).add(itself)
    if (asked.kind === 'groups' && asked.does === 'get') state.opened.add(taken)
    state.flags.add(`offered audience ${issued.identity.slice(`${uid} for `.length)}`)
    issued.used = true
  } else {
    if (seen.status !== 401 || age > 59 * minute || age < spreading) return
    const hasOpened = state.opened.has(itself) || (isSpread && state.opened.has(what))
    const isDue =
      isSpread && state.opened.has(taken) && holder !== undefined && isBoundAt(judging, asked, holder, issued)
    if (!hasOpened && !isDue) return
  }
  const after = age < 2 * minute ? `${Math.round(age / 1000)} seconds` : `${Math.round(age / minute)} minutes`
  const got = () => `${after} after the exchange: ${judging.came}`
  judging.row('model.exchange.lifetime', succeeded(seen), 'a token that works for 59 minutes', got, {
    about: [uid],
    beside: [issued.n],
    unless: isPrinted(asked) ? [] : [unlessOffered(asked, seen)],
  })
}

/** False for a read where the identity of its token has no role: what it sees there is not shown (R41). */
export function mayHaveRole({ seen, state }: Judging, asked: Asked): boolean {
  const issued = seen.caller.is === 'bearer' ? state.issued.get(seen.caller.token) : undefined
  const [uid, place] = [issued?.identity.split(' ')[0], placeOf(seen, state, asked)]
  if (place === undefined) return true
  const above = new Set(state.upwards(place).map((group) => group.uid))
  return state
    .ofKind('roleBindings')
    .some(
      ({ binds, alive, parent }) =>
        above.has(parent) &&
        binds.identity.writes.some(({ value }) => value === uid) &&
        alive.may(seen.sent, seen.answered).some(({ value }) => value),
    )
}

/** What a read is about: the scope of a list, or what a Get asks for. */
function placeOf({ query }: Observation, state: State, { uid = '', kind, does }: Asked): Thing | undefined {
  const scope = query['uidp.children_of'] ?? query['uidp.descendants_of'] ?? ''
  return does === 'list' ? state.group(scope) : does === 'get' ? state.thing(uid, kind) : undefined
}

/** True for a read in a group where the identity has long had a role and still has the exchanged claims (R41). */
function isBoundAt({ seen, state }: Judging, asked: Asked, holder: Thing, { sent }: Issued): boolean {
  const place = placeOf(seen, state, asked)
  if (place === undefined || place.alien || holder.claimMatch.certain(sent, seen.answered) === undefined) return false
  const above = new Set(state.upwards(place).map((group) => group.uid))
  return state.ofKind('roleBindings').some(({ binds: { identity, role }, alive, parent }) => {
    const isOld = alive.writes[0]!.answered <= seen.sent - spreading
    const isAsMade = identity.writes.length === 1 && role.writes.length === 1
    const isThere = identity.writes[0]!.value === holder.uid && isAsMade && above.has(parent) && isOld
    return isThere && alive.certain(seen.sent - spreading, seen.answered)?.value === true
  })
}
