import { isObject } from '../../api/received.ts'
import { isBadName, isKeptAsSent, isText } from '../names.ts'
import { type Asked, hasOtherParameters, type Observation } from '../observation.ts'
import type { Register } from '../register.ts'
import { type ClaimMatch, type Thing, unset } from '../state.ts'

/** Applies an Update to a thing. */
export function applyUpdate(thing: Thing, seen: Observation, { version }: Asked, sure: boolean): void {
  noteVerified(thing, seen.body)
  const update = updateOf(seen, sure)
  if (thing.kind === 'roleBindings') applyBinding(thing, update)
  if (version === 'v1') applyV1(thing, update)
  else for (const apply of [applyName, applyDescription, applyClaims]) apply(thing, update)
}

/** An Update: its body, its answer, and what can be said of its mask. */
interface Update {
  body: Record<string, unknown>
  /** The answer, which is the resource after the update (R25). */
  shown: Record<string, unknown> | undefined
  isMasked: boolean
  /** False where the mask has several readings: only one of one field that the contract shows has one (R31, R47). */
  isClear: boolean
  /** True where an empty member counts as sent: over gRPC an empty text and a missing one are one message (R31). */
  sendsEmpty: boolean
  /** How the answer shows that odd bytes were read. */
  reads: Observation['reads']
  takes(member: string): boolean
  set<T>(register: Register<T>, value: T, certain?: boolean): void
}

function updateOf(seen: Observation, sure: boolean): Update {
  const shown = isObject(seen.json) ? seen.json : undefined
  const body = isObject(seen.body) ? seen.body : (shown ?? {})
  const { sent, answered } = written(seen, sure)
  const mask = seen.query.updateMask
  return {
    body,
    shown,
    isMasked: mask !== undefined,
    isClear:
      !hasOtherParameters(seen) &&
      (mask === undefined || ((mask === 'name' || mask === 'description') && mask in body)),
    sendsEmpty: mask !== undefined && seen.over !== 'grpc',
    reads: seen.reads,
    takes: (member) => mask === undefined || mentions(mask, member),
    set: (register, value, certain = true) =>
      register.write({ value, sent, answered, sure: sure && certain && !seen.reads }),
  }
}

/** True where the answer to an update shows a value. */
const shows = ({ shown }: Update, member: string, value: unknown) =>
  shown !== undefined && unset(shown[member]) === value

function applyBinding({ binds }: Thing, { body, shown, takes, set }: Update): void {
  for (const part of ['identity', 'role'] as const) {
    const named = body[`${part}Uid`]
    const isShown = shown !== undefined && uidIn(shown[part]) === named
    if (typeof named === 'string' && takes(part)) set<unknown>(binds[part], named, isShown)
  }
}

/** The name that a write of v1 gives: instead of a bad one it may give another, which its answer shows (R4, R45). */
export const nameInV1 = (body: Record<string, unknown>, shown: Record<string, unknown>): unknown =>
  isText(body.name) && !isBadName(body.name) ? body.name : (shown.name ?? body.name)

/** What else an update through v1 changes is not shown (R45). */
function applyV1({ name, description }: Thing, { body, shown = {}, set }: Update): void {
  const named = nameInV1(body, shown) ?? ''
  set(name, named, false)
  const value = unset(isKeptAsSent(body.description) ? body.description : (shown.description ?? body.description))
  if (value !== '') set(description, '', false)
  set(description, value, false)
  for (const [register, sent, other] of [
    [name, named, shown.name],
    [description, value, shown.description],
  ] as const)
    if (isOther(sent, other)) set(register, other, false)
}

/** True where v1 shows another text than was sent: what it makes of that is not shown (R45). */
export const isOther = (sent: unknown, shown: unknown): boolean => typeof shown === 'string' && shown !== unset(sent)

function applyName({ name }: Thing, update: Update): void {
  const { body, shown, takes, set } = update
  // an empty name may count as not populated, but never becomes the name (R4, R6)
  const isNamed = 'name' in body && body.name !== null && (body.name !== '' || update.sendsEmpty)
  if (!takes('name') || !isNamed) return
  const isOpen = update.reads !== undefined || !isText(body.name)
  const value = isOpen && shown ? shown.name : body.name
  set(name, value, isText(body.name) && (update.isClear || shows(update, 'name', value)))
}

function applyDescription({ description }: Thing, update: Update): void {
  const { body, takes, set } = update
  if (!takes('description')) return
  const isKept = isKeptAsSent(body.description)
  const isSure = isKept && body.description !== null
  const value = unset((isKept ? undefined : update.shown?.description) ?? body.description)
  // without a mask, an empty one may count as not populated, and a missing one is emptied or kept (R6, R31)
  const isClear = update.isClear && (value !== '' || (update.sendsEmpty && body.description === ''))
  if ('description' in body) set(description, value, isSure && (isClear || shows(update, 'description', value)))
  else if (update.isMasked) set<unknown>(description, '', false)
}

function applyClaims({ claimMatch }: Thing, { body, shown, isMasked, takes, set }: Update): void {
  if (!takes('claimMatch')) return
  if (!isObject(body.claimMatch)) {
    // listed and missing, it is emptied or kept (R31)
    if (isMasked) set<ClaimMatch>(claimMatch, {}, false)
    return
  }
  const before = claimMatch.writes.at(-1)!.value
  const claims = keptClaims(body.claimMatch, shown?.claimMatch) as ClaimMatch
  const { issuer, subject } = claims
  const isWhole = typeof issuer === 'string' && typeof subject === 'string'
  const came = isObject(shown?.claimMatch) ? shown.claimMatch : {}
  const isTaken = !isMasked || (came.issuer === issuer && came.subject === subject)
  set<ClaimMatch>(claimMatch, { issuer, subject }, isWhole && isTaken)
  // part of a claim match may be merged
  if (!isWhole) set<ClaimMatch>(claimMatch, { ...before, ...claims }, false)
}

const uidIn = (part: unknown) => (isObject(part) ? part.uid : undefined)

const mentions = (mask: string, member: string) =>
  mask.trim() === '' || mask.includes('*') || mask.toLowerCase().replace('_', '').includes(member.toLowerCase())

/** When a write took effect, and which exchange it was; one that is not sure may do so at any later time. */
export const written = ({ sent, answered, n }: Observation, sure: boolean) => ({
  sent,
  answered: sure ? answered : Number.POSITIVE_INFINITY,
  n,
})

/** The claims as the answer shows them, where white space was around them (R6) or one was of another type (R31). */
export function keptClaims(sent: unknown, shown: unknown): unknown {
  const isOpen = (claim: unknown) => !isText(claim) || /^\s|\s$|[\r\n]/.test(String(claim))
  return isObject(sent) && isObject(shown) && [sent.issuer, sent.subject].some(isOpen) ? shown : sent
}

/** Notes that a client asked for `verified`, which the server owns (R5). */
export function noteVerified({ verification }: Thing, body: unknown): void {
  if (isObject(body) && 'verified' in body) verification.asked = true
}
