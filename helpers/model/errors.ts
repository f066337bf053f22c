import { isDeepStrictEqual } from 'node:util'
import type { KindName } from '../api/kinds.ts'
import { isObject } from '../api/received.ts'
import { codeIn } from '../http/call.ts'
import type { Details, Judging } from './judging.ts'
import type { Observation } from './observation.ts'

/** Codes of a refusal for another reason: permissions, quotas, taken names (R56). */
const otherCodes = new Set([6, 7, 8, 10, 12, 14, 16])

/** Refused for another reason than the expected one, so its body shows nothing (R56). */
const isElsewise = (seen: Observation) =>
  otherCodes.has(codeIn(seen) ?? -1) || (codeIn(seen) === undefined && [403, 409, 429].includes(seen.status ?? 0))

/** Judges the error body of a Create with a bad name (S7.5, R36). */
export function judgeBadName(judging: Judging, kind: KindName): void {
  const { seen } = judging
  // a full group may be answered first
  if (isElsewise(seen) || codeIn(seen) === 9) return
  const violations = detailOf(seen, 'BadRequest')?.fieldViolations
  const fields = Array.isArray(violations) ? violations.map((each) => (isObject(each) ? each.field : each)) : undefined
  const got = { code: codeIn(seen), ...reasonOf(seen), fields, descriptions: describedIn(seen, violations) }
  const message = beginning('Invalid argument: name: ', got.message)
  // other members of the same body may be bad as well
  const isNamed = fields?.filter((field) => field === 'name').length === 1
  const areSent = fields?.every((field) => Object.hasOwn(Object(seen.body), field))
  const expected = {
    code: 3,
    reason: 'INVALID_ARGUMENT',
    message,
    fields: isNamed && areSent ? fields : ['name'],
    descriptions: 'each set',
  }
  judgeBody(judging, kind, expected, got)
}

const notEmpty = 'RESOURCE_NOT_EMPTY'

/** The preconditions that an error says are not met (S7.6). */
function unmetIn(seen: Observation): { violations: unknown; types: unknown[] } {
  const violations = detailOf(seen, 'PreconditionFailure')?.violations
  const types = Array.isArray(violations) ? violations.map((each) => (isObject(each) ? each.type : each)) : []
  return { violations, types }
}

/** True for an error that says that a group is not empty. */
export const saysNotEmpty = (seen: Observation): boolean => unmetIn(seen).types.includes(notEmpty)

/** Judges the error body of a Delete of a group that is not empty (S7.6). */
export function judgeNotEmpty(judging: Judging, about: string[]): void {
  const { seen } = judging
  if (isElsewise(seen)) return
  const { violations, types } = unmetIn(seen)
  const isNamed = types.includes(notEmpty)
  const got = { code: codeIn(seen), ...reasonOf(seen), types, descriptions: describedIn(seen, violations) }
  const expected = {
    code: 9,
    reason: 'FAILED_PRECONDITION',
    message: beginning('Precondition failed: ', got.message),
    types: isNamed ? types : [notEmpty],
    descriptions: 'each set',
  }
  judgeBody(judging, 'groups', expected, got, { about, breaks: 'S7.6' })
}

/** A finding shows only the members that differ. */
function judgeBody(judging: Judging, kind: KindName, expected: Members, got: Members, details: Details = {}): void {
  const wrong = Object.keys(expected).filter((member) => !isDeepStrictEqual(got[member], expected[member]))
  const those = (of: Members) => () =>
    wrong.map((member) => `${member} ${JSON.stringify(of[member]) ?? 'nothing'}`).join(', ')
  judging.check(kind, 'error', wrong.length === 0, those(expected), those(got), details)
}

type Members = Readonly<Record<string, unknown>>

/** Whether each violation has a description (S7.3, S7.4); gRPC does not write an empty one. */
function describedIn({ over }: Observation, violations: unknown): string {
  const isDescribed = (each: unknown) => isObject(each) && typeof each.description === 'string'
  const all = over === 'grpc' || (Array.isArray(violations) && violations.every(isDescribed))
  return all ? 'each set' : 'not each set'
}

/** The message that came if it begins like this; otherwise the beginning that was expected. */
const beginning = (begins: string, came: string) => (came.startsWith(begins) ? came : `${begins}…`)

function reasonOf(seen: Observation): { reason: unknown; message: string } {
  const message = isObject(seen.json) && typeof seen.json.message === 'string' ? seen.json.message : ''
  return { reason: detailOf(seen, 'ErrorInfo')?.reason, message }
}

function detailOf({ json }: Observation, type: string): Record<string, unknown> | undefined {
  const details = isObject(json) && Array.isArray(json.details) ? json.details : []
  return details.find((detail) => isObject(detail) && String(detail['@type']).endsWith(`/google.rpc.${type}`))
}
