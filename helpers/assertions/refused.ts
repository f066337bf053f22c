import { isObject } from '../api/received.ts'
import { isSoftRefusal, isUnimplemented, softCodes } from '../api/soft-refusal.ts'
import { type Answer, beginningOf, codeIn, isNotFound, isThrottled, succeeded } from '../http/call.ts'
import { Inconclusive, Stopped } from '../http/case-errors.ts'
import { violated } from './violation.ts'

/**
 * Fails unless the call was refused: any status but 2xx (R33), and no 304, because the request was not conditional
 * (R57). A busy target refuses nothing: inconclusive (R43).
 */
export function refused(answer: Answer, what: string): void {
  if (isThrottled(answer)) throw new Inconclusive(`${what} was answered ${answer.status}: the target is too busy`)
  if (succeeded(answer) || answer.status === 304) {
    violated({
      message: `${what} was not refused`,
      expected: 'a refusal: any status but 2xx',
      got: `${answer.status} ${beginningOf(answer.text, 300)}`,
      where: whereOf(answer),
    })
  }
}

/**
 * Fails unless the call succeeded (any 2xx, R57); inconclusive where the contract does not explain the refusal (R56),
 * except for the `judged` codes, which the case is about.
 */
export function accepted(answer: Answer, what: string, judged: readonly number[] = []): void {
  if (isSoftRefusal(answer) && !judged.includes(codeIn(answer) ?? 0)) {
    throw new Inconclusive(
      `${what} was refused with ${outcomeOf(answer)}, a reason that the contract does not show (R56)`,
    )
  }
  if (!succeeded(answer)) {
    violated({
      message: `${what} was refused`,
      expected: 'a status of 2xx',
      got: `${answer.status} ${beginningOf(answer.text, 300)}`,
      where: whereOf(answer),
    })
  }
}

/** Fails unless a refusal has a status of 4xx: the mistake was the client's (R33). */
export function clientsMistake(answer: Answer, what: string): void {
  if (answer.status < 400 || answer.status > 499) {
    violated({
      message: `${what} was not answered 4xx`,
      expected: 'a status of 400 to 499 (R33)',
      got: `${answer.status} ${beginningOf(answer.text, 300)}`,
      where: whereOf(answer),
    })
  }
}

/** True for a refusal of what was sent, and not of who sent it, of what is missing or of a quota (R33, R38, R39, R56). */
export const refusedForContent = (answer: Answer) =>
  (answer.status === 400 || answer.status === 422) && !isSoftRefusal(answer) && codeIn(answer) !== 5

/** Fails unless equal calls were refused with the same class of status, code and reason: names the first that was not. */
export function refusedAlike(refusals: readonly Answer[]): void {
  const said = refusals.map(
    // which 4xx it is may depend on the instance (R33)
    (answer) =>
      `${outcomeOf(answer).replace(/^(\d)\d\d/, '$1xx')}, reason ${detailOf(answer, 'ErrorInfo')?.reason ?? 'none'}`,
  )
  const count = (words: string) => said.filter((one) => one === words).length
  const usual = said.toSorted((one, other) => count(other) - count(one))[0]!
  const odd = said.findIndex((one) => one !== usual)
  if (odd < 0) return
  violated({
    message: 'equal calls sent at once were not refused alike',
    expected: `${usual}, as ${count(usual)} of ${said.length}`,
    got: said[odd]!,
    where: whereOf(refusals[odd]!),
  })
}

/** The exchange of an answer, in words that help a reader find it. */
export function whereOf({ exchange }: Answer): string {
  return `exchange ${exchange.number}: ${exchange.request.method} ${exchange.request.url}`
}

/** True where the target lacks an operation (R49): 404, 405, 501, code 12, or 410, which some use instead of 404. */
export function isMissing(answer: Answer): boolean {
  return isNotFound(answer) || isUnimplemented(answer)
}

/** True where a name was refused because something has it already, or a deleted item had it (R3). */
export function taken({ status, json }: Answer): boolean {
  return status === 409 || (status >= 400 && isObject(json) && json.code === 6)
}

/** The status and, if there is one, the RPC code of an answer, in comparable words. */
export function outcomeOf({ status, json }: Answer): string {
  const code = isObject(json) && Number.isInteger(json.code) && status > 299 ? ` code ${json.code}` : ''
  return `${status}${code}`
}

/** The first detail of an error body whose type URL ends in `google.rpc.<type>` (R34). */
export function detailOf({ json }: Answer, type: string): Record<string, unknown> | undefined {
  const details = isObject(json) && Array.isArray(json.details) ? json.details : []
  return details.find((detail) => isObject(detail) && String(detail['@type']).endsWith(`/google.rpc.${type}`))
}

/** The words about a part of an error, with what the error has instead, and its exchange. */
export function partOfError(part: string, { json, exchange }: Answer): string {
  const details = isObject(json) && Array.isArray(json.details) ? json.details : []
  const types = details.map((detail) => (isObject(detail) ? String(detail['@type']).replace(/^.*[./]/, '') : 'another'))
  return `${part}: the error has ${types.join(' and ') || 'no details'}, in exchange ${exchange.number}`
}

/** Fails unless an error says that a group is not empty; one violation for each child is lawful (S7.4, S7.6). */
export function saysNotEmpty(answer: Answer): void {
  const { code, message } = isObject(answer.json) ? answer.json : {}
  const violations = detailOf(answer, 'PreconditionFailure')?.violations
  const types = Array.isArray(violations) ? violations.map((each) => (isObject(each) ? each.type : each)) : []
  if (code === 9 && /^Precondition failed: /.test(String(message)) && types.includes('RESOURCE_NOT_EMPTY')) return
  violated({
    message: 'the error does not say that the group is not empty',
    expected: "code 9, a message that begins 'Precondition failed: ', and a violation of type RESOURCE_NOT_EMPTY",
    got: `${outcomeOf(answer)} ${beginningOf(answer.text, 300)}`,
    where: whereOf(answer),
  })
}

/** True where a call that must succeed was refused for what the contract leaves open: permissions, quotas, depth (R56). */
export function limited(error: unknown): error is Stopped {
  if (!(error instanceof Stopped)) return false
  const { status = 0, code = 0, distrusted } = error.stop
  return [403, 409, 429].includes(status) || softCodes.includes(code) || distrusted !== undefined
}
