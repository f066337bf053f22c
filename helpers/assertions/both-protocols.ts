import { isDeepStrictEqual } from 'node:util'
import type { KindName } from '../api/kinds.ts'
import { isObject, isReceived, type Received, uids } from '../api/received.ts'
import { type Answer, codeIn, isThrottled, succeeded } from '../http/call.ts'
import { Inconclusive } from '../http/case-errors.ts'
import { same } from './equal.ts'
import { goneFromGet } from './gone.ts'
import { accepted, outcomeOf, refused, whereOf } from './refused.ts'
import { isViolation, violated } from './violation.ts'

/** What a binding embeds (S2.14); for other kinds the contract does not name such members. */
const embedded: Partial<Record<KindName, readonly string[]>> = { roleBindings: ['identity', 'group', 'role'] }
const members = ['uid', 'name', 'description', 'subject', 'issuer']

/** Members that a kind's published message lacks (S9.7): gRPC cannot show them. */
const lacking: Partial<Record<KindName, readonly string[]>> = {
  roleBindings: ['name', 'description', 'updateTime'],
  groupInvites: ['name', 'description', 'updateTime'],
  tags: ['description', 'createTime'],
  advisories: ['name', 'description'],
}

/** Fails unless gRPC and HTTP show a resource alike, in every member that the contract names (S1.5, R55). */
export function sameOverBoth(kind: KindName, overGrpc: Received, overHttp: Received, ...aside: string[]): void {
  // a message always has its members, with defaults where nothing was set
  const unset = Object.keys(overGrpc).filter((member) => overHttp[member] === undefined && isDefault(overGrpc[member]))
  same(overGrpc, overHttp, ...(lacking[kind] ?? []), ...unset, ...aside)
  for (const part of embedded[kind] ?? []) {
    const [got, wanted] = [partOf(overGrpc[part]), partOf(overHttp[part])]
    if (wanted === undefined || isDeepStrictEqual(got, wanted)) continue
    if (part === 'role' && got !== undefined && isRenamed(got, wanted)) continue
    violated({ message: `the embedded ${part} differs between gRPC and HTTP`, expected: wanted, got: got ?? 'nothing' })
  }
}

const isDefault = (value: unknown) => value === '' || value === false || JSON.stringify(value) === '{}'

/** A role is the target's: it may have another name or description a moment later (R50), but never loses its name. */
const isRenamed = (got: Record<string, unknown>, wanted: Record<string, unknown>) =>
  got.uid === wanted.uid && (got.name === '') === (wanted.name === '')

/** The members of an embedded object that the contract names; an unset description is an empty one (R7). */
function partOf(value: unknown): Record<string, unknown> | undefined {
  if (!isObject(value)) return undefined
  return Object.fromEntries(members.map((member) => [member, value[member] ?? '']))
}

/** What walks over both protocols show; that over HTTP comes first, as an `updateTime` may be later in the other (R26). */
interface Walked {
  overHttp: readonly Received[]
  overGrpc: readonly Received[]
}

/**
 * Fails unless two lists show the same resources, also in the same order if one was asked for; the target's own may
 * change in between (R50). They are read again where only `updateTime` differs: the target may have verified a group in
 * between (R5).
 */
export async function sameListOverBoth(
  kind: KindName,
  read: () => Promise<Walked>,
  isOwn: (uid: string) => boolean,
): Promise<Walked> {
  const first = await read()
  sameLists(kind, first, isOwn, 'updateTime')
  if (!holds(() => sameLists(kind, first, isOwn))) sameLists(kind, await read(), isOwn)
  return first
}

function sameLists(
  kind: KindName,
  { overGrpc, overHttp }: Walked,
  isOwn: (uid: string) => boolean,
  ...aside: string[]
) {
  const [got, wanted] = [uids(overGrpc), uids(overHttp)]
  if (!isDeepStrictEqual(got, wanted))
    violated({ message: 'gRPC lists other resources than HTTP', expected: wanted, got })
  for (const [index, item] of overGrpc.entries())
    if (isOwn(item.uid)) sameOverBoth(kind, item, overHttp[index]!, ...aside)
}

function holds(judge: () => void): boolean {
  try {
    judge()
    return true
  } catch (error) {
    if (isViolation(error)) return false
    throw error
  }
}

/**
 * Fails where gRPC Get shows what was deleted, unless HTTP shows that it is marked so: gRPC lacks that member (R28).
 */
export function goneOverBoth(overGrpc: Answer, overHttp: Answer, what: string): void {
  goneFromGet(overHttp, `${what} over HTTP`)
  if (!succeeded(overHttp)) goneFromGet(overGrpc, `${what} over gRPC`)
}

/** Fails unless gRPC refuses a call with the code in its JSON error over HTTP (R60). */
export function sameRefusal(overGrpc: Answer, overHttp: Answer, what: string): void {
  refused(overGrpc, `${what} over gRPC`)
  const [got, wanted] = [statusOf(overGrpc), codeOf(overHttp)]
  if (wanted === undefined || got === wanted) return
  violated({
    message: `${what} has another status over gRPC than over HTTP`,
    expected: `grpc-status ${wanted}, the code of the JSON error`,
    got: `grpc-status ${got} (${outcomeOf(overGrpc)})`,
    where: whereOf(overGrpc),
  })
}

/** Fails unless gRPC answers a call that HTTP answered, and refuses one that HTTP refused with the same code (R60). */
export function sameStatusOverBoth(overGrpc: Answer, overHttp: Answer, what: string): void {
  if (succeeded(overHttp)) accepted(overGrpc, `${what} over gRPC`)
  else sameRefusal(overGrpc, overHttp, what)
}

/** The resource in an answer; fails where it is not one. */
export function resourceIn(answer: Answer, what: string): Received {
  if (isReceived(answer.json)) return answer.json
  const got = outcomeOf(answer)
  violated({ message: `${what} shows no resource`, expected: 'a resource with a uid', got, where: whereOf(answer) })
}

/** The code for an answer without a gRPC status, by its HTTP status: gRPC's mapping for answers of gateways. */
const ofGateway: Readonly<Record<number, number>> = {
  400: 13,
  401: 16,
  403: 7,
  404: 12,
}

/** The status of a call over gRPC. */
export function statusOf(answer: Answer): number {
  const { headers, status } = answer
  const own = headers['grpc-status']
  return own === undefined && status !== 200 ? (isThrottled(answer) ? 14 : (ofGateway[status] ?? 2)) : Number(own)
}

/** How the messages of an answer over gRPC are compressed, if at all. */
export const encodingOf = ({ headers }: Answer) => headers['grpc-encoding'] ?? 'identity'

/** The RPC code in an error of S7.1's form; undefined for another number, such as a gateway's own. */
function codeOf(answer: Answer): number | undefined {
  const [code, { json }] = [codeIn(answer), answer]
  const isError = isObject(json) && typeof json.message === 'string' && Array.isArray(json.details)
  return isError && code !== undefined && code >= 0 && code <= 16 ? code : undefined
}

/** The HTTP statuses of OK, and of UNKNOWN, INTERNAL and DATA_LOSS, which blame the server (R33). */
const blamingServer = [200, 500]

/** Fails if a call over gRPC succeeds, or its refusal blames the server; undecided where a gateway may have answered. */
export function blamedOnClient(answer: Answer, what: string): void {
  if (!blamingServer.includes(answer.status)) return
  if (answer.headers['grpc-status'] === undefined)
    throw new Inconclusive('the answer has no grpc-status: a gateway may have sent it')
  violated({
    message: what,
    expected: 'a refusal that blames the client',
    got: outcomeOf(answer),
    where: whereOf(answer),
  })
}
