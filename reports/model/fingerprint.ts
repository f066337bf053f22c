import { createHash } from 'node:crypto'
import { present } from '../../schemas/present.ts'
import type { Requirement } from '../../schemas/types.ts'
import { relations } from '../judge/ending.ts'

/**
 * What a failure looks like in every run, whatever its names, uids, numbers and times: sixteen hexadecimal digits.
 * Drawn inputs may lead to another failure: runs that are to be compared share their seed.
 */
export function fingerprintOf(one: Requirement): string {
  return digest(one, placeOf(one))
}

/** True if a baseline has this failure, by its present fingerprint or by one of release 0.1.0. */
export function hasFingerprint(one: Requirement, fingerprint: string): boolean {
  if (fingerprintOf(one) === fingerprint) return true
  const places = isSpec(one.where) ? specsOf010.map((name) => formOf(`specs/${name}.spec.ts`)) : [placeOf(one)]
  return places.some((place) => digest(asIn010(one), place) === fingerprint)
}

/** A failure as release 0.1.0 put it: without the relation between the values. */
function asIn010(one: Requirement): Requirement {
  const relation = relations.map(([, word]) => word).find((word) => one.expected?.startsWith(word)) ?? ''
  const plain = (text?: string) => (text === 'nothing' ? 'undefined' : text)
  return { ...one, ...present({ expected: plain(one.expected?.slice(relation.length)), got: plain(one.got) }) }
}

function digest(one: Requirement, place: string): string {
  const form = [one.outcome, place, ...textsOf(one).map((text) => formOf(text))].join('\n')
  return createHash('sha256').update(form).digest('hex').slice(0, 16)
}

/** The place in an answer; a line of a spec is not one, because a case may move. */
function placeOf({ where = '' }: Requirement): string {
  if (isSpec(where)) return ''
  return where.startsWith('/') ? where.replace(/\d+/g, '…') : formOf(where)
}

const isSpec = (where = '') => where.startsWith('specs/')

/** The spec files of release 0.1.0, whose names were part of a fingerprint. */
const specsOf010 = [
  ...['0-whole-run', '1-grpc', '2-group-names', '2-hydration', '2-identities', '2-identity-traps', '2-observed'],
  ...['2-resources', '4-group-traps', '4-groups', '4-list-corners', '4-list-filter', '4-list-kinds', '4-list-newest'],
  ...['4-list-observed', '4-list-order', '4-list-pages', '4-list-repeated', '4-list-scope', '4-list-skip'],
  ...['4-list-traps', '4-list-walk-changes', '4-list-walk', '4-operations', '4-story', '4-update-kinds'],
  ...['4-update-observed', '4-update', '5-auth', '5-exchange', '7-error-traps', '7-errors', '7-observed', '8-time'],
  ...['9-versions-repos', '9-versions'],
]

/** A text without what is drawn or counted in each run. */
function formOf(text: string): string {
  // release 0.1.0 cut bodies without a mark
  const cut = text.replace(/…$/, '')
  // where a body came in place of something else, only that a body came
  const [, start = cut] = /^([^{]{4,}\{)/.exec(cut) ?? []
  return (
    withoutRunData(start)
      .replace(/"(?:[^"\\]|\\.)*"(\s*:)?/g, (quoted, isName) => (isName === undefined ? '…' : quoted))
      .replace(/(?<![\w…])'(?:[^'\\]|\\.)*'(?![\w…])/g, '…')
      .replace(/\b(?:answered|status|HTTP) \d{3}\b|-?\d+(\.\d+)?/gi, (found) => (/^[a-z]/i.test(found) ? found : '…'))
      // the number of one kind depends on the draw as well
      .replace(/…(?:[\s,|]*…)+/g, '…')
      // one of something is counted like several
      .replace(/… (item|page)\b(?! (?:size|token))/g, '… $1s')
  )
}

/** What a failure says, without what differs from run to run: more of it than a fingerprint keeps. */
export function failureText(one: Requirement): string {
  return [one.outcome, ...textsOf(one).map((text) => withoutRunData(text))].join('\n')
}

/** The texts that identify a failure; which of many answers first shows a failure of the model is left to chance. */
function textsOf({ id, note = '', expected, got, steps }: Requirement): string[] {
  if (steps || id.startsWith('model.')) return ['a story']
  return expected === undefined && got === undefined ? [note] : [expected ?? '', got ?? '']
}

const ofOneRun = [
  // addresses, times, numbers of exchanges
  /https?:\/\/[^\s'"]+/g,
  /\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)?/gi,
  /exchange \d+/g,
  /\d+(\.\d+)? ms\b/g,
  // uids, tokens and the names that a run makes: hexadecimal, long, or both
  /\b[0-9a-f]{4,}(\/[0-9a-f]{4,})*\b/gi,
  /[\w/+=-]{13,}/g,
]

/** A text without what differs from run to run. */
function withoutRunData(text: string): string {
  return ofOneRun.reduce((left, part) => left.replace(part, '…'), text)
}
