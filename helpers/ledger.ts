import { type Answer, succeeded } from './client.ts'
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
