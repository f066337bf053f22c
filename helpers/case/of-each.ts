import type { Answer } from '../http/call.ts'
import type { Query } from '../http/url.ts'

/** The words about several answers, with what was asked for each: a report then names the answers that differ. */
export const ofEach = (what: string, asked: readonly (Query | string)[]): string =>
  `${what}: ${JSON.stringify(asked.map((one) => (typeof one === 'string' ? one : inWords(one))))}`

/** The same about queries with several values of one parameter. */
export const ofEachValue = (what: string, parameter: string, values: readonly unknown[]): string =>
  ofEach(
    what,
    values.map((value) => ({ [parameter]: value === undefined ? value : String(value) })),
  )

/** The same about answers to calls with a body. */
export const ofEachBody = (what: string, answers: readonly Answer[]): string =>
  ofEach(
    what,
    answers.map(({ exchange: { request } }) => `the body ${request.body}`),
  )

/** A query as people read it: `name=a&skip=1`, or `no skip`. */
function inWords(query: Query): string {
  const set = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  return set.join('&') || `no ${Object.keys(query).join(' and no ')}`
}
