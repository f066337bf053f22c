import { setTimeout as sleep } from 'node:timers/promises'
import { present } from '../../schemas/present.ts'
import { legible } from '../http/body.ts'
import { type Answer, type Call, type Log, overGrpc, succeeded } from '../http/call.ts'
import { Inconclusive, Stopped } from '../http/case-errors.ts'
import type { WriteGuard } from '../http/write-guards.ts'
import type { ApiContext } from './context.ts'
import { instant } from './instant.ts'
import type { Entry } from './journal-lines.ts'
import { type KindName, kinds } from './kinds.ts'
import { sameName } from './names.ts'
import { isObject, isReceived, type Received } from './received.ts'
import { readPath } from './resource-path.ts'
import { isForbidden } from './soft-refusal.ts'

/** What a reading shows about something that the run believes to be its own. */
type Proof =
  | { shows: 'ours' }
  | { shows: 'nothing'; isMissing: boolean; isReadable: boolean }
  | { shows: 'another'; what: string }

/** How long a lagging target gets to show what it has just made: 5 seconds (R52), as milliseconds between readings. */
const pauses = [0, 200, 500, 1_000, 3_300]
/** The further pauses where it forbids reading what it has just made: rights may take 10 seconds to spread (R56). */
const furtherPauses = [1_000, 2_000, 2_000]

/**
 * Admits a write only where it reaches what the run made: below the run's own group, or a uid that a create of ours
 * returned and under which the target shows what was sent. Nothing else that a target names is touched.
 */
export function guardOver(context: ApiContext): WriteGuard {
  const { journal } = context
  const proofs = new Proofs(context)
  return async (call, log) => {
    if (call.at === 'auth') return
    const { kind, uid } = readPath(call.path) ?? {}
    if (kind === undefined || uid === undefined)
      throw new Inconclusive(`${call.path} names nothing that the run could have made`)
    if (call.method === 'POST' && journal.opens(kind, uid, call.body)) return
    if (call.method === 'DELETE') journal.guardDelete(kind, uid)
    else journal.guard(uid)
    if (journal.isExpendable(uid)) return
    const { root } = journal
    if (root !== undefined && journal.covers(uid)) {
      const entry = journal.entryOf(root, 'groups')
      if (entry !== undefined) await proofs.mustBeOurs(entry, call, log)
      return
    }
    const entry = journal.entryOf(uid, call.method === 'POST' ? 'groups' : kind)
    if (entry !== undefined) return proofs.mustBeOurs(entry, call, log)
    await mustLieInside(context, kind, uid, log)
  }
}

/** What the run made, with its uid. */
type Made = Entry & { uid: string }

/** What the target shows of what the run made: each thing is read once. */
class Proofs {
  readonly #context: ApiContext
  readonly #known = new Map<string, Promise<Proof>>()
  // kinds of which neither Get nor List answered for as long as a reading may take: nothing waits for them again
  readonly #unreadable = new Set<KindName>()

  constructor(context: ApiContext) {
    this.#context = context
  }

  /** Ends the case unless the target shows what was sent. */
  async mustBeOurs(entry: Made, { over }: Call, log: Log): Promise<void> {
    const proof = await this.#proven(entry, over, log)
    if (proof.shows === 'ours') return
    // a target that cannot show it now may do so later
    if (proof.shows === 'nothing') this.#known.delete(keyOf(entry))
    const { uid } = entry
    if (proof.shows === 'nothing' && (!proof.isMissing || this.#context.journal.mayHaveGone(entry)))
      throw new Inconclusive(`the target does not show what the run made as '${uid}': nothing is written there`)
    const shown = proof.shows === 'nothing' ? 'nothing by Get and in its list' : proof.what
    const why = `answered the uid '${uid}', under which the target shows ${shown}: nothing is written there`
    throw new Stopped({ operation: `${kinds[entry.kind].name}.create`, phase: 'arrange', why, status: 200 })
  }

  #proven(entry: Made, over: Call['over'], log: Log): Promise<Proof> {
    const known = this.#known.get(keyOf(entry)) ?? this.#proveNow(entry, over, log)
    this.#known.set(keyOf(entry), known)
    known.catch(() => this.#known.delete(keyOf(entry)))
    return known
  }

  async #proveNow(entry: Made, over: Call['over'], log: Log): Promise<Proof> {
    const { kind } = entry
    const waits = this.#unreadable.has(kind) ? [0] : pauses
    const read = await prove(this.#context, entry, { log, pauses: waits, over })
    const isHidden = read.shows === 'nothing' && !read.isReadable && kind === 'identities'
    const bound = isHidden ? await shownWhenBound(this.#context, entry) : undefined
    const proof = bound === undefined ? read : compared(entry, bound)
    if (proof.shows === 'nothing' && !proof.isReadable) this.#unreadable.add(kind)
    else this.#unreadable.delete(kind)
    return proof
  }
}

const keyOf = ({ kind, uid }: Entry) => `${kind} ${uid}`

/**
 * Gets what the run made, and again while the target lags; without a working Get, lists where it was made. What is
 * written over gRPC may also be shown there alone.
 */
async function prove(
  { client, paths }: ApiContext,
  entry: Made,
  { log, pauses, over }: { log: Log; pauses: readonly number[]; over: Call['over'] },
): Promise<Proof> {
  const { kind, uid, parent } = entry
  const get: Call = { operation: `${kinds[kind].name}.get`, method: 'GET', path: paths.of(kinds[kind], uid) }
  const lists = namesOf(entry).map((name): Call => {
    const query = { 'uidp.children_of': parent, page_size: 200, ...present({ name }) }
    return { operation: `${kinds[kind].name}.list`, method: 'GET', path: paths.of(kinds[kind]), query }
  })
  const readings = over === 'grpc' ? [...lists, ...[get, ...lists].map(overGrpc)] : lists
  const quiet: Log = { phase: 'arrange', exchanges: [] }
  let [isMissing, isClosed, isReadable] = [false, false, false]
  for (const [index, pause] of [...pauses, ...furtherPauses].entries()) {
    if (index >= pauses.length && !isClosed) break
    await sleep(pause)
    const got = await client.send(get, quiet)
    const others: Answer[] = []
    let shown = shownIn(got, kind, uid)
    for (const reading of readings) {
      if (shown !== undefined) break
      others.push(await client.send(reading, quiet))
      shown = shownIn(others.at(-1)!, kind, uid)
    }
    // a refusal for lack of rights does not show that it is missing
    isClosed = isForbidden(got)
    isMissing = got.status === 404 && others.some(succeeded)
    isReadable = isClosed || succeeded(got) || others.some(succeeded)
    if (shown === undefined) continue
    const proof = compared(entry, shown)
    if (proof.shows === 'another') log.exchanges.push(...quiet.exchanges.slice(-2))
    return proof
  }
  if (isMissing) log.exchanges.push(...quiet.exchanges.slice(-2))
  return { shows: 'nothing', isMissing, isReadable }
}

/** The names under which lists may show what the run made, the likeliest first: one it was given later, or its first. */
const namesOf = ({ name, names = [] }: Entry) => [...new Set([...names.slice(-3).reverse(), name])]

/**
 * Shows an identity that can be neither got nor listed by binding it for a moment: the answer embeds it as the target
 * knows it (S4.5, S2.14, R49). Undefined where that is refused.
 */
async function shownWhenBound(
  { client, paths, journal }: ApiContext,
  { uid, parent }: Made,
): Promise<Received | undefined> {
  const quiet: Log = { phase: 'arrange', exchanges: [] }
  const listed = legible(
    await client.send({ operation: 'role.list', method: 'GET', path: paths.of(kinds.roles) }, quiet),
  )
  const roles = isObject(listed) && Array.isArray(listed.roles) ? listed.roles.filter(isReceived) : []
  const viewer = roles.filter(({ name }) => name === 'viewer')
  // it is unlikely to have the last one already
  for (const role of [...roles.slice(-1), ...viewer]) {
    const body = { identityUid: uid, roleUid: role.uid }
    const entry = journal.before('roleBindings', parent, body)
    const path = paths.of(kinds.roleBindings, parent)
    const answer = await client.send({ operation: 'roleBinding.create', method: 'POST', path, body }, quiet)
    const binding = legible(answer)
    if (!succeeded(answer)) {
      if (answer.status < 500) journal.refused(entry)
      continue
    }
    journal.after(entry, binding)
    if (!isReceived(binding)) return undefined
    journal.guardDelete('roleBindings', binding.uid)
    const own = paths.of(kinds.roleBindings, binding.uid)
    // what cannot be unbound now is deleted with the rest
    await client.send({ operation: 'roleBinding.delete', method: 'DELETE', path: own }, quiet).catch(() => undefined)
    return isReceived(binding.identity) && binding.identity.uid === uid ? binding.identity : undefined
  }
  return undefined
}

/** What an answer shows for a uid: the resource itself, or an item of a list. */
function shownIn(answer: Answer, kind: KindName, uid: string): Received | undefined {
  const body = legible(answer)
  if (!succeeded(answer) || !isObject(body)) return undefined
  const items: unknown[] = Array.isArray(body[kind]) ? body[kind] : [body]
  return items.filter(isReceived).find((item) => item.uid === uid)
}

/** Compares what is shown with what was sent; names by their letters, because servers may write them differently. */
function compared({ kind, name, names = [], marks = {}, laterMarks = [] }: Entry, shown: Received): Proof {
  if (typeof shown.name === 'string' && name !== undefined) {
    const { name: now } = shown
    if ([name, ...names].some((sent) => sameName(sent, now))) return { shows: 'ours' }
    return { shows: 'another', what: `the ${kinds[kind].label.one} '${shown.name.slice(0, 100)}'` }
  }
  const embedded = isObject(shown.identity) ? shown.identity.uid : undefined
  const claims = isObject(shown.claimMatch) ? shown.claimMatch.subject : undefined
  const own = { identityUid: shown.identityUid ?? embedded, subject: claims }
  for (const mark of ['identityUid', 'subject'] as const) {
    if (marks[mark] === undefined || own[mark] === undefined) continue
    if ([marks[mark], ...laterMarks].some((sent) => sent === own[mark])) return { shows: 'ours' }
    return { shows: 'another', what: `a ${kinds[kind].label.one} of '${String(own[mark]).slice(0, 100)}'` }
  }
  // it has no name, and nothing else of its own to compare
  return kinds[kind].shown ? { shows: 'nothing', isMissing: false, isReadable: true } : { shows: 'ours' }
}

/** Ends the case unless what the target itself put into the run's group (R50) shows there, and is no older than it. */
async function mustLieInside({ client, paths, journal }: ApiContext, kind: KindName, uid: string, log: Log) {
  const path = paths.of(kinds[kind], uid)
  const answer = await client.send(
    { operation: `${kinds[kind].name}.get`, method: 'GET', path },
    { ...log, exchanges: [] },
  )
  const shown = shownIn(answer, kind, uid) ?? journal.lent(uid)
  const home = kind === 'roleBindings' && isObject(shown?.group) ? shown.group.uid : undefined
  const inside = home === undefined ? kind !== 'roleBindings' : typeof home === 'string' && journal.covers(home)
  const age = instant(shown?.createTime) - instant(journal.rootCreated)
  if (shown !== undefined && inside && !(age < 0) && !(home === undefined && Number.isNaN(age))) return
  throw new Inconclusive(`nothing shows that '${uid}' is in the run's own group: nothing is written there`)
}
