import { type Answer, succeeded } from './client.ts'
import { kinds } from './kinds.ts'
import type { Query } from './paths.ts'
import { isObject, isReceived, type Received } from './resources.ts'

/** The resources of an answer: the one it is, or those of a list. */
export function resourcesIn({ json }: Answer): Received[] {
  if (isReceived(json)) return [json]
  const lists = isObject(json) ? Object.values(json).filter((value) => Array.isArray(value)) : []
  return lists.flat().filter(isReceived)
}

/** What the run made: the answers to its successful creates. */
export function madeBy(ledger: readonly Answer[]): Received[] {
  const creates = ledger.filter(
    (answer) => answer.exchange.operation.endsWith('.create') && succeeded(answer),
  )
  return creates.flatMap(resourcesIn)
}

const unshown = Object.values(kinds).flatMap(({ name, shown }) => (shown ? [] : [`${name}.`]))
const aboutUnshown = ({ exchange }: Answer) => unshown.some((name) => exchange.operation.startsWith(name))

/** The answers about kinds whose members the contract shows (section 2). */
export const ofShownKinds = (answers: readonly Answer[]) => answers.filter((answer) => !aboutUnshown(answer))
/** The answers about the other kinds, of which all that comes is judged at should (R49). */
export const ofUnshownKinds = (answers: readonly Answer[]) => answers.filter(aboutUnshown)

/** Every time in some answers, each with the answer that holds it. */
export function timesIn(answers: readonly Answer[]) {
  return answers.flatMap((answer) =>
    resourcesIn(answer).flatMap((resource) => timesOf(resource).map((time) => ({ ...time, answer }))),
  )
}

/** The members that hold a time (S2.4, S2.12), with their values where they are text. */
export function timesOf(resource: Received): { member: string; value: string }[] {
  return ['createTime', 'updateTime', 'lastSeenTime'].flatMap((member) => {
    const value = resource[member]
    return typeof value === 'string' ? [{ member, value }] : []
  })
}

/** The domains of all ErrorInfo details, each with the answer that holds it (S7.2). */
export function errorDomains(ledger: readonly Answer[]): { domain: unknown; answer: Answer }[] {
  return ledger.flatMap((answer) => {
    const details = isObject(answer.json) && !succeeded(answer) ? answer.json.details : undefined
    const infos = Array.isArray(details)
      ? details.filter(
          (detail) => isObject(detail) && String(detail['@type']).endsWith('/google.rpc.ErrorInfo'),
        )
      : []
    return infos.map(({ domain }) => ({ domain, answer }))
  })
}

/** Answers that tell of a server's own fault: 5xx but those that ask for patience or say that something is not there. */
export function serverFaults(ledger: readonly Answer[]): Answer[] {
  return ledger.filter(({ status, json }) => {
    const unimplemented = isObject(json) && json.code === 12
    return status >= 500 && ![501, 502, 503, 504].includes(status) && !unimplemented
  })
}

/** What no body should tell: where the server's code stands, how it asks its database, or the caller's own token. */
const indiscretions: Record<string, RegExp> = {
  'a stack trace':
    /(\n|\\n)\s+at \S+ \(|Traceback \(most recent call last\)|goroutine \d+ \[running\]|\.java:\d+\)/,
  'a database statement': /\b(SELECT\s.+\sFROM|INSERT INTO|UPDATE\s\S+\sSET|DELETE FROM)\s/,
  'the token of the caller': /\$RMAPI_(ACCESS|IDENTITY)_TOKEN/,
}

/** The refusals whose bodies tell too much, each with what it tells. */
export function indiscreet(ledger: readonly Answer[]): { tells: string; answer: Answer }[] {
  return ledger
    .filter((answer) => !succeeded(answer))
    .flatMap((answer) => {
      const body = answer.exchange.response?.body ?? ''
      return Object.entries(indiscretions).flatMap(([tells, sign]) =>
        sign.test(body) ? [{ tells, answer }] : [],
      )
    })
}

/** The members that the contract lets be unset (S2.7, S2.9, S4.18, S4.19), where they may be null only by R46. */
const unsettable = ['description', 'verified', 'totalCount', 'skipped']

/** Such members that an answer holds as null, on itself or on a resource in it. */
export function nullsIn(answer: Answer): string[] {
  const bodies = [...(isObject(answer.json) ? [answer.json] : []), ...resourcesIn(answer)]
  return bodies.flatMap((body) => unsettable.filter((member) => body[member] === null))
}

/** The parameters that leave alone which results a list has. */
const harmless = ['page_size', 'page_token', 'skip', 'order_by']

/** The successful answers to lists of groups in one scope, whatever page, size, skip and order were asked for. */
export function listsOf(ledger: readonly Answer[], scope: Query): { answer: Answer; body: Listed }[] {
  const [[parameter, uid] = ['', '']] = Object.entries(scope)
  return ledger.flatMap((answer) => {
    const { exchange, json } = answer
    if (exchange.operation !== 'group.list' || exchange.phase !== 'act' || !succeeded(answer)) return []
    const asked = new URL(exchange.request.url).searchParams
    const others = [...asked.keys()].filter((name) => name !== parameter && !harmless.includes(name))
    const fits = asked.getAll(parameter).join() === uid && others.length === 0
    if (!fits || !isObject(json) || !Array.isArray(json.groups)) return []
    return [{ answer, body: { groups: json.groups, totalCount: json.totalCount } }]
  })
}

interface Listed {
  groups: unknown[]
  totalCount: unknown
}

/** Refusals that are sent as a success: an error body under a status of 2xx (R33). */
export function successesThatRefuse(ledger: readonly Answer[]): Answer[] {
  return ledger.filter((answer) => {
    const { json } = answer
    if (!succeeded(answer) || !isObject(json) || isReceived(json)) return false
    const { code, message, details } = json
    return Number.isInteger(code) && code !== 0 && typeof message === 'string' && Array.isArray(details)
  })
}

/** Errors with two details of one type, each with that type. */
export function doubledDetails(ledger: readonly Answer[]): { type: string; answer: Answer }[] {
  return ledger.flatMap((answer) => {
    const details = isObject(answer.json) && !succeeded(answer) ? answer.json.details : undefined
    const types = (Array.isArray(details) ? details : []).map((detail) =>
      isObject(detail) ? String(detail['@type']) : '',
    )
    const twice = types.find((type, index) => types.indexOf(type) < index)
    return twice === undefined ? [] : [{ type: twice, answer }]
  })
}
