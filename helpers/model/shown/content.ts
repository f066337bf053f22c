import { instant } from '../../api/instant.ts'
import { kinds } from '../../api/kinds.ts'
import { isObject } from '../../api/received.ts'
import type { Cited } from '../clauses.ts'
import { type Judging, oneOf } from '../judging.ts'
import { isTouchedSince } from '../listed/population.ts'
import { isBadName, isText } from '../names.ts'
import type { Register } from '../register.ts'
import { type ClaimMatch, type Thing, unset } from '../state.ts'
import { judgeEmbedded } from './embedded.ts'
import { judgeLimits } from './limits.ts'
import { judgeSaid } from './said.ts'
import { judgeClock, judgeCreated, judgeTimes, judgeUpdated } from './times.ts'

type Shown = Record<string, unknown>

/** Judges one resource in an answer, as read through this view (R55). */
export function judgeContent(judging: Judging, thing: Thing, shown: Shown, view: string): void {
  const { kind } = thing
  const { shown: printed, named, described } = kinds[kind]
  // for kinds whose members are not shown, an absent or empty one shows nothing, unless this view showed it before (R49)
  const isJudged = (member: 'name' | 'description') =>
    printed ||
    (typeof shown[member] === 'string' && shown[member] !== '') ||
    thing[member].wasShownBefore(judging.seen.sent, judging.through(view))
  if (named && isJudged('name')) judgeMember(judging, thing, 'name', thing.name, shown.name, view)
  if (described && isJudged('description'))
    judgeMember(judging, thing, 'description', thing.description, unset(shown.description), view)
  if (kind === 'identities') judgeClaimMatch(judging, thing, shown.claimMatch, view)
  if (kind === 'roleBindings') judgeEmbedded(judging, thing, shown, view)
  // whichever call put it there (R4)
  if (kind === 'groups' && !thing.alien && isBadName(shown.name))
    judging.check(kind, 'refusal', false, 'a name that S2.6 allows', shown.name, { about: [thing.uid] })
  if (kind === 'groups' && shown.verified !== undefined && shown.verified !== null)
    judgeVerified(judging, thing, shown.verified, view)
  if (kind === 'groups' && view !== 'v1') judgeLimits(judging, thing, shown.resourceLimits, view)
  // those of roles are a should (R1)
  if (!printed) judgeUnlisted(judging, thing, shown, view)
  else if (kind !== 'roles') judgeTimes(judging, thing, shown, view)
}

/** The times of kinds whose tables list none. */
function judgeUnlisted(judging: Judging, thing: Thing, shown: Shown, view: string): void {
  const { foreign } = kinds[thing.kind]
  if (!foreign) judgeClock(judging, thing, shown.createTime, view)
  judgeCreated(judging, thing, instant(shown.createTime))
  if (!foreign) judgeUpdated(judging, thing, shown, view)
}

/**
 * A new group is not verified (S2.9). It may become so where no client asked for it (R5), and cease to be; once
 * withdrawn, it does not come back without a write (R55).
 */
function judgeVerified(judging: Judging, thing: Thing, verified: unknown, view: string): void {
  const { kind, uid, verification } = thing
  const { seen, state } = judging
  const about = [uid]
  if (verified === false) {
    verification.shownFalse = true
    if (verification.shownTrue) verification.takenBack ??= seen.answered
    judging.holds(kind, 'content')
    return
  }
  if (verified !== true || view === 'create' || !verification.shownFalse || verification.asked) {
    judging.check(kind, 'content', false, 'verified: false', verified, { about, unless: ['verifies'], breaks: 'S2.9' })
    return
  }
  state.flags.add('verifies')
  const since = verification.takenBack
  verification.shownTrue = true
  if (since === undefined) return
  const holds = since >= seen.sent || isTouchedSince(state, thing, since, seen.answered)
  // this view may only have lagged
  if (judging.isYoung(since)) delete verification.takenBack
  judging.check(kind, 'content', holds, 'verified: false, as it was shown', verified, {
    about,
    soft: judging.isYoung(since),
    unless: ['lag'],
    breaks: 'R52',
  })
}

function judgeMember(
  judging: Judging,
  thing: Thing,
  member: 'name' | 'description',
  register: Register<unknown>,
  value: unknown,
  view: string,
) {
  const { sent, answered } = judging.seen
  if (!isText(value)) return judgeNoText(judging, thing, member, value)
  if (view === 'update') register.settle(value, sent, answered)
  const fit = register.observe(value, sent, answered, judging.through(view), judging.copy)
  if (fit === 'fits') {
    if (view !== 'update' && view !== 'create' && thing.kind === 'groups') judgeSaid(judging, thing, member, value)
    return judgeOwn(judging, thing, member, register, value, view)
  }
  // a gRPC message cannot hold half a surrogate pair
  const isHalf = register.may(sent, answered).some((write) => /\p{Surrogate}/u.test(String(write.value)))
  if (judging.seen.over === 'grpc' && isHalf) return
  const refused = typeof value === 'string' && value !== '' ? judging.state.refusedTexts.get(value) : undefined
  const expected = `${member} ${oneOf(register.may(sent, answered).map((write) => write.value))}`
  const got = `${JSON.stringify(value)}${refused ? `, which ${refused.why} sent` : ''}`
  const aspect = fit !== 'late' && refused ? 'effect' : 'content'
  judging.reading(thing.kind, aspect, fit, expected, got, register.lastBefore(answered), thing.uid, sameIn(view))
}

/** The sentence that holds for a member in a view. */
const sameIn = (view: string): Cited => (view === 'update' ? 'S4.28' : 'R55')

/** A member has its type, whatever was sent (R8). */
function judgeNoText(judging: Judging, { kind, uid }: Thing, member: string, value: unknown): void {
  judging.check(kind, 'content', false, `a string as ${member}`, JSON.stringify(value), { about: [uid], breaks: 'R8' })
}

/** The answer to an Update shows what it has written itself, unless another write was under way (S4.28). */
function judgeOwn<T>(
  judging: Judging,
  { kind, uid }: Thing,
  member: string,
  register: Register<T>,
  value: T,
  view: string,
) {
  const { sent, answered } = judging.seen
  const own = view === 'update' ? register.alone(sent, answered) : undefined
  const holds = own === undefined || register.isSame(own.value, value)
  const expected = () => `${member} ${JSON.stringify(own?.value)}, as this Update wrote it`
  judging.check(kind, 'content', holds, expected, JSON.stringify(value), { about: [uid], breaks: 'S4.28' })
}

function judgeClaimMatch(judging: Judging, thing: Thing, shown: unknown, view: string) {
  const { sent, answered } = judging.seen
  const claims: ClaimMatch = isObject(shown) ? { issuer: shown.issuer, subject: shown.subject } : {}
  for (const [member, value] of Object.entries(claims))
    if (!isText(value)) return judgeNoText(judging, thing, `claimMatch.${member}`, value)
  if (view === 'update') thing.claimMatch.settle(claims, sent, answered)
  const fit = thing.claimMatch.observe(claims, sent, answered, judging.through(view), judging.copy)
  const may = () => oneOf(thing.claimMatch.may(sent, answered).map(({ value }) => value))
  if (fit === 'fits') return judgeOwn(judging, thing, 'claimMatch', thing.claimMatch, claims, view)
  const at = thing.claimMatch.lastBefore(answered)
  judging.reading(thing.kind, 'content', fit, may, JSON.stringify(claims), at, thing.uid, sameIn(view))
}
