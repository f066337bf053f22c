import type { Api } from '../api/api.ts'
import { kinds, type Operation } from '../api/kinds.ts'
import { isOptional } from '../api/soft-refusal.ts'
import { firstChange } from '../arrange/confirmed-by-rereading.ts'
import type { Run } from '../arrange/run.ts'
import { isMissing, whereOf } from '../assertions/refused.ts'
import { violated } from '../assertions/violation.ts'
import { legible } from '../http/body.ts'
import { type Answer, beginningOf, type Call, type Log, succeeded } from '../http/call.ts'
import { NotOffered } from '../http/case-errors.ts'
import { gotThrough } from './disclosure.ts'
import { takeSnapshot, unharmed } from './effects-of-calls.ts'
import { type BadCredential, type BadCredentialName, badCredentials, spoil } from './invalid-credentials.ts'
import type { OperationCalls } from './operation-calls.ts'

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

type Sending = Pick<UnauthorizedCalls, 'run' | 'log' | 'operationCalls'>

/** The bad credentials that are not made from the run's own token alone. */
type OtherName = 'identity-token' | 'as-password' | 'in-body' | 'other-forms' | 'other-case' | 'expired-token'

type CredentialName = BadCredentialName | OtherName

/** Every operation, in the order in which they are sent. */
const everyOperation: readonly Operation[] = ['list', 'get', 'create', 'update', 'delete']

/** The answer to each control call: the same call with the good token. */
type Controls = Map<Call, Answer>

/**
 * Sends the calls of some operations with a bad credential and fails where one gets through: a 2xx, a resource in the
 * answer, or an effect (R39). Returns how many control calls succeed, because otherwise a refusal says nothing; throws
 * where none does because this target has no such operation (R49). An operation that is open without any header has its
 * own requirement and is left out.
 */
export async function callUnauthorized(
  sending: UnauthorizedCalls,
  name: CredentialName,
  operations: readonly Operation[] = everyOperation,
): Promise<number> {
  const { run, api, operationCalls } = sending
  const { seen } = operationCalls
  const calls = callsWith(operationCalls, name, operations)
  const own = async () => badCredentials[name as BadCredentialName](await run.tokens.value(), run.secrets)
  const bad = [sending.bad ?? (await own())].flat()
  seen.snapshot ??= await takeSnapshot(
    api,
    operationCalls,
    everyOperation.flatMap((operation) => operationCalls.calls[operation] ?? []),
  )
  const before = seen.snapshot
  // first, because a cache may keep an answer to the good token for anybody
  const controls = await readWithGoodToken(sending, calls, name)
  const answers = await Promise.all(calls.map((call, index) => send(sending, call, bad[index % bad.length])))
  // what an open operation did has disturbed the others: nothing more can be decided here
  if (await mayBeOpen(sending, calls, answers, name)) {
    seen.changed = true
    return 0
  }
  seen.snapshot = { ...before, ...(await unharmed(sending, before, calls)) }
  await writeWithGoodToken(sending, calls, controls, name)
  mustHaveSome(calls, [...controls.values()])
  return [...controls].filter(([call, control]) => isControl(operationCalls, control, answers[calls.indexOf(call)]))
    .length
}

const isRead = ({ method }: Call) => method === 'GET'

/** Reads with the good token, unless an earlier case did: the plainest and the most particular list are enough. */
async function readWithGoodToken(
  sending: UnauthorizedCalls,
  calls: readonly Call[],
  name: CredentialName,
): Promise<Controls> {
  const { operationCalls } = sending
  const { reads: earlier } = operationCalls.seen
  const isKnown = (call: Call) => name !== 'no-header' && earlier.has(asked(call))
  const reads = calls.filter(isRead)
  const known = reads.filter(isKnown).map((call) => [call, earlier.get(asked(call))!] as const)
  const plain = everyOperation.flatMap((operation) => outer(operationCalls.calls[operation]))
  const unknown = reads.filter((call) => !isKnown(call) && plain.includes(call))
  const sent = await Promise.all(unknown.map(async (call) => [call, await readOnceKnown(sending, call)] as const))
  const controls = new Map([...known, ...sent])
  for (const [call, control] of controls) if (succeeded(control)) earlier.set(asked(call), control)
  return controls
}

/** Sends a read with the good token, and again while the target may not know yet what was made (R52). */
async function readOnceKnown(sending: UnauthorizedCalls, call: Call): Promise<Answer> {
  const answer = await send(sending, call)
  const { run, operationCalls } = sending
  // what is not offered stays missing (R49)
  const mayBeAbsent = isMissing(answer) && isOptional(call.operation) && !run.answered.has(call.operation)
  if (succeeded(answer) || mayBeAbsent) return answer
  const patience = run.patience.readings - (performance.now() - operationCalls.seen.since)
  const look = () => send(sending, call)
  return (await firstChange(answer, look, (seen) => String(succeeded(seen)), patience)) ?? answer
}

/** Writes with the good token beside calls without a header, or where nothing can be read; one write after the other. */
async function writeWithGoodToken(
  sending: UnauthorizedCalls,
  calls: readonly Call[],
  controls: Controls,
  name: CredentialName,
): Promise<void> {
  const { kind, seen } = sending.operationCalls
  const readsNothing = ![...controls.values()].some(succeeded)
  const writes = name === 'no-header' || readsNothing ? calls.filter((call) => !isRead(call)) : []
  // what the good token makes is known as the run's own, but may replace another of an unshown kind (R49)
  if (writes.some(({ method }) => method !== 'POST' || !kinds[kind].shown)) seen.changed = true
  for (const call of writes) controls.set(call, await send(sending, call))
}

/** Fails where a bad credential got through, except on operations that are open to everybody; true if one was. */
async function mayBeOpen(
  sending: UnauthorizedCalls,
  calls: readonly Call[],
  answers: readonly Answer[],
  name: CredentialName,
): Promise<boolean> {
  const through = answers.flatMap((answer, index) =>
    gotThrough(sending.operationCalls, answer, calls[index]!) ? [{ answer, call: calls[index]! }] : [],
  )
  if (through.length === 0) return false
  const open = name === 'no-header' ? [] : await openOperations({ ...sending, operationCalls: await sending.reopen() })
  const broken = through.find(({ call }) => !open.includes(call.operation))
  if (broken) {
    const came = succeeded(broken.answer) ? 'was not refused' : 'was refused, but its answer shows a resource'
    violated({
      message: `${broken.call.operation} (credential: ${name.replaceAll('-', ' ')}) ${came}`,
      expected: 'a refusal that reveals nothing of what was asked for (R39)',
      got: `${broken.answer.status} ${beginningOf(broken.answer.text, 300)}`,
      where: whereOf(broken.answer),
    })
  }
  return true
}

/** True where a control call succeeds; where the required body is not shown, another refusal is enough (R49). */
const isControl = ({ kind }: OperationCalls, control: Answer, bad: Answer | undefined) =>
  succeeded(control) || (!kinds[kind].shown && getsFurther(control, bad))

const getsFurther = (control: Answer, bad: Answer | undefined) =>
  bad !== undefined && isDenied(bad) && !isDenied(control) && control.status < 500

const isDenied = ({ status }: Answer) => status === 401 || status === 403

const asked = ({ operation, path, query }: Call) => JSON.stringify([operation, path, query])

/**
 * The plain credentials go with every call. Those of several forms go with each operation, another form each time; the
 * rest go with a list and one more operation in turn (R39).
 */
function callsWith({ calls, kind }: OperationCalls, name: string, operations: readonly Operation[]): readonly Call[] {
  const offered = everyOperation.filter((operation) => operations.includes(operation) && calls[operation])
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
function mustHaveSome(calls: readonly Call[], controls: readonly Answer[]): void {
  const operations = [...new Set(calls.map(({ operation }) => operation))]
  const [missing] = controls
  if (missing && controls.every(isMissing) && operations.every(isOptional)) throw new NotOffered(operations, missing)
}

/** Sends a call, unchanged or with a bad credential; a create is recorded first. */
async function send({ run, log, operationCalls }: Sending, call: Call, bad?: BadCredential): Promise<Answer> {
  const sent = bad === undefined ? call : spoil(call, bad)
  if (call.method !== 'POST') return run.client.send(sent, log)
  const entry = run.journal.before(operationCalls.kind, operationCalls.home.uid, call.body)
  const answer = await run.client.send(sent, log)
  if (succeeded(answer)) run.journal.after(entry, legible(answer))
  return answer
}

/** The operations that accept a call without any header: each has its own requirement. */
async function openOperations(sending: Sending): Promise<string[]> {
  const { operationCalls } = sending
  const none = await badCredentials['no-header']()
  const open: string[] = []
  for (const call of everyOperation.flatMap((operation) => operationCalls.calls[operation] ?? [])) {
    const answer = await send(sending, call, none)
    if (gotThrough(operationCalls, answer, call)) open.push(call.operation)
  }
  return open
}
