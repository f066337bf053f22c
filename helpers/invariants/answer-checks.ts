import { kinds } from '../api/kinds.ts'
import { isObject, isReceived, type Received } from '../api/received.ts'
import { type Answer, codeIn, isThrottled, succeeded } from '../http/call.ts'

// what each answer of a run shows by itself

const pluralOf = new Map<string, string>(Object.values(kinds).map(({ name, plural }) => [name, plural]))

/** The items of an answer to a list call, whatever else it holds (S4.16, S9.3, R8). */
export function listedIn(operation: string, json: unknown): unknown[] {
  if (!operation.endsWith('.list') || !isObject(json)) return []
  const [name = ''] = operation.replace(/^(grpc|v1)\./, '').split('.')
  const array = json[operation.startsWith('v1.') ? 'items' : (pluralOf.get(name) ?? '')]
  return Array.isArray(array) ? array : []
}

/** The resources in an answer: itself, or those of a list. */
export function resourcesIn({ json, exchange: { operation } }: Pick<Answer, 'json' | 'exchange'>): Received[] {
  if (operation.endsWith('.list')) return listedIn(operation, json).filter(isReceived)
  return isReceived(json) ? [json] : []
}

const unshown = new Set<string>(Object.values(kinds).flatMap(({ name, shown }) => (shown ? [] : name)))

/** True for an answer about a kind whose members the contract does not show: it is judged as a should (R49). */
export function isOfUnshownKind({ exchange: { operation } }: Answer): boolean {
  const [name = ''] = operation.replace(/^grpc\./, '').split('.')
  return unshown.has(name)
}

/** The members that hold a time (S2.4, S2.12), with their values where they are text. */
export function timesOf(resource: Received): { member: string; value: string }[] {
  return ['createTime', 'updateTime', 'lastSeenTime'].flatMap((member) => {
    const value = resource[member]
    return typeof value === 'string' ? [{ member, value }] : []
  })
}

/** The creates that the contract prints. */
const printedCreates = ['group.create', 'identity.create', 'roleBinding.create']

/** True for the answer to a create that the contract prints. */
export function isOfPrintedCreate({ exchange }: Answer): boolean {
  return printedCreates.includes(exchange.operation)
}

/** The refusals whose errors the contract states: by operation, their code (S7.5, S7.6), and what identifies them. */
const stated: Record<string, { code: number; sign: RegExp }> = {
  'group.create': { code: 3, sign: /"INVALID_ARGUMENT".*"field":"name"|"field":"name".*"INVALID_ARGUMENT"/ },
  'group.delete': { code: 9, sign: /"RESOURCE_NOT_EMPTY"/ },
}

/** True for a refusal that the contract states; a gateway's own may have another form (R35). */
export function isStated(answer: Answer): boolean {
  const { code, sign } = stated[answer.exchange.operation.replace(/^grpc\./, '')] ?? {}
  return code !== undefined && codeIn(answer) === code && sign!.test(JSON.stringify(answer.json))
}

/** The domains of all ErrorInfo details in a refusal that the contract states (S7.2, R35). */
export function errorDomains(answer: Answer): unknown[] {
  if (!isStated(answer)) return []
  return detailsOf(answer)
    .filter((detail) => isObject(detail) && String(detail['@type']).endsWith('/google.rpc.ErrorInfo'))
    .map((detail) => (detail as { domain?: unknown }).domain)
}

/** The details that section 7 names; others, such as a message in two languages, may occur several times (R34). */
const namedDetail = /\/google\.rpc\.(ErrorInfo|BadRequest|PreconditionFailure)$/

/** The type of a detail that a refusal has twice. */
export function doubledDetail(answer: Answer): string | undefined {
  const types = detailsOf(answer)
    .map((detail) => (isObject(detail) ? String(detail['@type']) : ''))
    .filter((type) => namedDetail.test(type))
  return types.find((type, index) => types.indexOf(type) < index)
}

function detailsOf({ json }: Answer): unknown[] {
  return isObject(json) && Array.isArray(json.details) ? json.details : []
}

/** True for a server's own fault: any 5xx that does not ask for patience or say that something is missing. */
export function isServerFault({ status, json }: Answer): boolean {
  const isMissing = isObject(json) && (json.code === 5 || json.code === 12)
  return status >= 500 && status !== 501 && !isThrottled({ status }) && !isMissing
}

/** What no body should reveal: the server's files, its database queries, or the caller's own token. */
const indiscretions: Record<string, RegExp> = {
  'a stack trace': /(\n|\\n)\s+at \S+ \(|Traceback \(most recent call last\)|goroutine \d+ \[running\]|\.java:\d+\)/,
  'a database statement': /\b(SELECT\s.+\sFROM|INSERT INTO|UPDATE\s\S+\sSET|DELETE FROM)\s/,
  'the token of the caller': /\$RMAPI_(ACCESS|IDENTITY)_TOKEN/,
}

/** What the body of a refusal should not reveal. */
export function indiscretion({ text }: Answer): string | undefined {
  return Object.entries(indiscretions).find(([, sign]) => sign.test(text))?.[0]
}

/** The members that the contract allows to be unset (S2.7, S2.9, S4.18, S4.19); only by R46 may they be null. */
const unsettable = ['description', 'verified', 'totalCount', 'skipped']

/** Such a member that is null in an answer, on itself or on a resource in it. */
export function nullIn({ json }: Answer, resources: readonly Received[]): string | undefined {
  const bodies = isObject(json) ? [json, ...resources] : resources
  return unsettable.find((member) => bodies.some((body) => body[member] === null))
}

/** What an answer contains if it gives what was requested, whatever else it says (R8). */
const given = [...Object.keys(kinds), 'items', 'token']

/** True for a refusal sent as a success: an error body with a 2xx status (R33). */
export function refusesAsSuccess(answer: Answer): boolean {
  const { json } = answer
  if (!succeeded(answer) || !isObject(json) || isReceived(json)) return false
  const own = answer.exchange.operation.startsWith('v1.') ? ['id'] : []
  if ([...given, ...own].some((member) => json[member] !== undefined)) return false
  const { code, message, details } = json
  return Number.isInteger(code) && code !== 0 && typeof message === 'string' && Array.isArray(details)
}
