import type { Api } from '../api/api.ts'
import { kinds, type Operation } from '../api/kinds.ts'
import { isObject, isReceived, type Received } from '../api/received.ts'
import { isOptional } from '../api/soft-refusal.ts'
import { listedItems } from '../arrange/listings.ts'
import type { Run } from '../arrange/run.ts'
import { childrenOf } from '../arrange/scratch.ts'
import { same } from '../assertions/equal.ts'
import { isMissing, whereOf } from '../assertions/refused.ts'
import { violated } from '../assertions/violation.ts'
import { legible } from '../http/body.ts'
import { type Answer, type Call, type Log, succeeded } from '../http/call.ts'
import { NotOffered } from '../http/case-errors.ts'
import { type BadCredential, type BadCredentialName, badCredentials, spoil } from './invalid-credentials.ts'
import type { OperationCalls, Snapshot } from './operation-calls.ts'

/** What is sent to see whether a bad credential gets through. */
export interface UnauthorizedCalls {
  run: Run
  api: Api
  log: Log
  operationCalls: OperationCalls
  /** Makes similar calls again, to see whether an operation is open to everybody: the first thing may be gone by then. */
  reopen: () => Promise<OperationCalls>
  /** Replaces a credential made from the run's own token; where there are several, each call gets another. */
  bad?: BadCredential | readonly BadCredential[]
}

type Sending = Pick<UnauthorizedCalls, 'run' | 'log'>

/** The bad credentials that are not made from the run's own token alone. */
type OtherName = 'identity-token' | 'as-password' | 'in-body' | 'other-forms' | 'other-case' | 'expired-token'

const inTurn: readonly Operation[] = ['list', 'get', 'create', 'update', 'delete']

/**
 * Sends the calls of some operations with a bad credential and fails where one gets through: a 2xx, a resource in the
 * answer, or an effect (R39). Returns how many of the same calls succeed with the good token, because otherwise a
 * refusal says nothing; throws where none does because this target has no such operation (R49). An operation that is
 * open without any header has its own requirement and is left out.
 */
export async function callUnauthorized(
  { run, api, log, operationCalls, reopen, bad: given }: UnauthorizedCalls,
  name: BadCredentialName | OtherName,
  operations: readonly Operation[] = inTurn,
): Promise<number> {
  const calls = callsWith(operationCalls, name, operations)
  const own = async () => badCredentials[name as BadCredentialName](await run.tokens.value(), run.secrets)
  const bad = [given ?? (await own())].flat()
  const { seen } = operationCalls
  seen.snapshot ??= await takeSnapshot(
    api,
    operationCalls,
    inTurn.flatMap((operation) => operationCalls.calls[operation] ?? []),
  )
  const before = seen.snapshot
  const reads = calls.filter(({ method }) => method === 'GET')
  // an answer to the good token may be cached for anybody
  const withGood = async (call: Call) => [call, await send({ run, log, operationCalls }, call)] as const
  const isKnown = (call: Call) => name !== 'no-header' && seen.reads.has(asked(call))
  const known = reads.filter(isKnown).map((call) => [call, seen.reads.get(asked(call))!] as const)
  // the plainest and the most particular list are enough to see whether the good token reads
  const twinned = inTurn.flatMap((operation) => outer(operationCalls.calls[operation]))
  const unknown = reads.filter((call) => !isKnown(call) && twinned.includes(call))
  const twins = new Map([...known, ...(await Promise.all(unknown.map(withGood)))])
  for (const [call, twin] of twins) if (succeeded(twin)) seen.reads.set(asked(call), twin)
  const answers = await Promise.all(
    calls.map((call, index) => send({ run, log, operationCalls }, call, bad[index % bad.length])),
  )
  const through = answers.flatMap((answer, index) =>
    gotThrough(operationCalls, answer, calls[index]!) ? [{ answer, call: calls[index]! }] : [],
  )
  const open = name === 'no-header' || through.length === 0 ? [] : await openOperations({ run, log }, await reopen())
  const broken = through.find(({ call }) => !open.includes(call.operation))
  if (broken) {
    const came = succeeded(broken.answer) ? 'was not refused' : 'was refused, but its answer shows a resource'
    violated({
      message: `${broken.call.operation} (credential: ${name.replaceAll('-', ' ')}) ${came}`,
      expected: 'a refusal that reveals nothing of what was asked for (R39)',
      got: `${broken.answer.status} ${broken.answer.text.slice(0, 300)}`,
      where: whereOf(broken.answer),
    })
  }
  // what an open operation did has disturbed the others: nothing more can be decided here
  if (through.length > 0) {
    seen.changed = true
    return 0
  }
  seen.snapshot = { ...before, ...(await unharmed({ run, api, operationCalls }, before, calls)) }
  // the good token writes only beside calls without a header, or where nothing can be read; one write after the other
  const readsNothing = ![...twins.values()].some(succeeded)
  const writes = name === 'no-header' || readsNothing ? calls.filter((call) => !reads.includes(call)) : []
  // what the good token makes is known as the run's own, but may replace another of an unshown kind (R49)
  if (writes.some(({ method }) => method !== 'POST' || !kinds[operationCalls.kind].shown)) seen.changed = true
  for (const call of writes) twins.set(...(await withGood(call)))
  mustHaveSome(calls, [...twins.values()])
  const isControl = ([call, twin]: readonly [Call, Answer]) =>
    succeeded(twin) || (!kinds[operationCalls.kind].shown && getsFurther(twin, answers[calls.indexOf(call)]))
  return [...twins].filter(isControl).length
}

/** Where the required body is not shown, another refusal of the good token is enough (R49). */
const getsFurther = (twin: Answer, bad: Answer | undefined) =>
  bad !== undefined && isDenied(bad) && !isDenied(twin) && twin.status < 500

const isDenied = ({ status }: Answer) => status === 401 || status === 403

const asked = ({ operation, path, query }: Call) => JSON.stringify([operation, path, query])

/**
 * The plain credentials go with every call. Those of several forms go with each operation, another form each time; the
 * rest go with a list and one more operation in turn (R39).
 */
function callsWith({ calls, kind }: OperationCalls, name: string, operations: readonly Operation[]): readonly Call[] {
  const offered = inTurn.filter((operation) => operations.includes(operation) && calls[operation])
  if (name === 'no-header' || name === 'garbage') return offered.flatMap((operation) => calls[operation]!)
  const turn = 1 + Object.keys(badCredentials).indexOf(name) + Object.keys(kinds).indexOf(kind)
  const one = (operation: Operation | undefined) =>
    outer(calls[operation!])
      .slice(turn % 2 ? -1 : 0)
      .slice(0, 1)
  const others = offered.filter((operation) => operation !== 'list')
  if (!isPaired(name)) return offered.flatMap(one)
  return [...one('list'), ...one(others[turn % others.length])]
}

/** The first call of an operation, and the last. */
const outer = (calls: readonly Call[] = []): readonly Call[] =>
  calls.filter((_, at) => at === 0 || at === calls.length - 1)

const isPaired = (name: string) => name in badCredentials || name === 'identity-token'

/** Ends the case where this target has none of the operations (R49). */
function mustHaveSome(calls: readonly Call[], twins: readonly Answer[]): void {
  const operations = [...new Set(calls.map(({ operation }) => operation))]
  const [missing] = twins
  if (missing && twins.every(isMissing) && operations.every(isOptional)) throw new NotOffered(operations, missing)
}

/** True where a call was not refused, or its refusal reveals what only a caller with rights knows (R39). */
function gotThrough({ kind, thing }: Pick<OperationCalls, 'kind' | 'thing'>, answer: Answer, call: Call): boolean {
  return succeeded(answer) || discloses({ kind, thing }, answer, call)
}

/** A shorter uid or name may occur in any text. */
const distinctiveLength = 12

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

/** Sends a call, unchanged or with a bad credential; a create is recorded first. */
async function send(
  { run, log, operationCalls }: Sending & { operationCalls: OperationCalls },
  call: Call,
  bad?: BadCredential,
): Promise<Answer> {
  const sent = bad === undefined ? call : spoil(call, bad)
  if (call.method !== 'POST') return run.client.send(sent, log)
  const entry = run.journal.before(operationCalls.kind, operationCalls.home.uid, call.body)
  const answer = await run.client.send(sent, log)
  if (succeeded(answer)) run.journal.after(entry, legible(answer))
  return answer
}

/** The operations that accept a call without any header: each has its own requirement. */
async function openOperations(sending: Sending, operationCalls: OperationCalls): Promise<string[]> {
  const none = await badCredentials['no-header']()
  const open: string[] = []
  for (const call of inTurn.flatMap((operation) => operationCalls.calls[operation] ?? [])) {
    const answer = await send({ ...sending, operationCalls }, call, none)
    if (gotThrough(operationCalls, answer, call)) open.push(call.operation)
  }
  return open
}

/** What shows whether calls had an effect: the list, or for an Update, Get. */
async function takeSnapshot(
  api: Api,
  { kind, home, thing }: OperationCalls,
  calls: readonly Call[],
): Promise<Snapshot> {
  // others may change what is only read (R24)
  if (kinds[kind].foreign) return {}
  const { list, get } = api.attempt[kind]
  const methods = calls.map(({ method }) => method)
  const [listed, got] = await Promise.all([
    methods.some((method) => method === 'POST' || method === 'DELETE')
      ? list({ ...childrenOf(home.uid), page_size: 200 })
      : undefined,
    methods.includes('PATCH') ? get(thing.uid) : undefined,
  ])
  return {
    ...(listed && succeeded(listed) && { items: listedItems(kind, listed) }),
    ...(got && succeeded(got) && isReceived(got.json) && { thing: got.json }),
  }
}

/**
 * Fails where a refused call had an effect: something is gone or changed, or what was to be made exists. What else
 * appears there is the target's business (R50). Returns what exists.
 */
async function unharmed(
  { run, api, operationCalls }: Pick<UnauthorizedCalls, 'run' | 'api' | 'operationCalls'>,
  before: Snapshot,
  sent: readonly Call[],
): Promise<Snapshot> {
  const { thing, wouldBe, calls } = operationCalls
  const after = await takeSnapshot(api, operationCalls, sent)
  const [body] = [calls.create ?? []].flat().map((call) => call.body as Record<string, unknown>)
  const traces = [wouldBe, body?.identityUid].filter(
    (trace) => typeof trace === 'string' && trace.length >= distinctiveLength,
  )
  const others = after.items?.filter(({ uid }) => !run.journal.made(uid)) ?? []
  const made = [...others, after.thing].find((item) =>
    traces.some((trace) => JSON.stringify(item ?? '').includes(String(trace))),
  )
  if (made) astray(`nothing of what was sent (${traces.join(', ')})`, JSON.stringify(made))
  const isIn = (items?: Received[]) => items?.some(({ uid }) => uid === thing.uid)
  if (isIn(before.items) && isIn(after.items) === false) astray(`${thing.uid} in the list`, 'it is gone')
  if (before.thing && after.thing) same(after.thing, before.thing, 'updateTime')
  return after
}

function astray(expected: string, got: string): never {
  violated({ message: 'a call with a bad credential had an effect', expected, got })
}
