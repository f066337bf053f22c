import type { Ending, Exchange, Requirement } from '../../schemas/types.ts'
import { textsIn } from '../text/answer-part.ts'
import { difference } from '../text/difference.ts'
import { callWith, namedAnswers, nameIn } from '../text/named-answers.ts'

const mostExchanges = 12
/** The most exchanges that are kept if steps lead to the failure: each of them belongs to it. */
export const mostOfStory = 60
const mostCharacters = 64 * 1024

/**
 * The exchanges that a report keeps of one case: the last ones, oldest first, within 12 (or `most`) and 64 KB, without
 * repeated readings; what a failure names, and what led to what came, is always among them.
 */
export function keepEvidence(exchanges: readonly Exchange[], most = mostExchanges, failure: Failure = {}): Exchange[] {
  const where = namedExchange(failure, exchanges)
  const last = lastOf(withoutRepeats(exchanges, where), most, where)
  const { got = '' } = failure as Texts
  const deciding = last.find(({ number }) => number === exchangeIn(where)) ?? showing(got, last) ?? last.at(-1)
  const wrong = wrongWrite(failure as Texts, exchanges)
  const led = (wrong ? [wrong] : writesOn(deciding, exchanges)).filter((each) => !last.includes(each))
  const others = last.filter((each) => each !== deciding)
  const left = others.slice(Math.max(0, last.length + led.length - most))
  const chosen = exchanges.filter((each) => each === deciding || led.includes(each) || left.includes(each))
  const named = chosen.filter(({ number }) => number === exchangeIn(where))
  const kept = new Set<Exchange>()
  let room = mostCharacters
  for (const exchange of new Set([...named, ...led, ...chosen.toReversed()])) {
    room -= JSON.stringify(exchange).length
    if (room < 0 && kept.size > 0) break
    kept.add(exchange)
  }
  return chosen.filter((exchange) => kept.has(exchange))
}

/** Of equal readings with equal answers, the last: what led to them would otherwise be left out. */
function withoutRepeats(exchanges: readonly Exchange[], where?: string): Exchange[] {
  const seen = new Set<string>()
  const isNew = ({ operation, request, response }: Exchange) => {
    const key = JSON.stringify([request, response?.status, response?.body])
    const isRepeat = /\.(get|list)$/.test(operation) && seen.has(key)
    seen.add(key)
    return !isRepeat
  }
  return exchanges
    .toReversed()
    .filter((each) => isNew(each) || each.number === exchangeIn(where))
    .reverse()
}

/** The last exchanges; where those would leave out the one that a failure names, the last up to it. */
export function lastOf(exchanges: readonly Exchange[], most: number, where?: string): Exchange[] {
  const at = exchanges.findIndex(({ number }) => number === exchangeIn(where))
  const end = at >= 0 && at < exchanges.length - most ? at + 1 : exchanges.length
  return exchanges.slice(Math.max(0, end - most), end)
}

/** The last write on what a call reads, and those at the same moment. */
function writesOn(read: Exchange | undefined, calls: readonly Exchange[]): Exchange[] {
  return latestOf(
    calls.filter(({ request: { method, url } }) => method !== 'GET' && url.split('?')[0] === read?.request.url),
  )
}

/** The last of some calls, and those that were not answered when it was sent. */
export function latestOf(calls: readonly Exchange[]): Exchange[] {
  const last = calls.at(-1)
  return last === undefined
    ? []
    : calls.filter(({ sentAt, ms }) => Date.parse(sentAt) + ms >= Date.parse(last.sentAt)).slice(-mostAtOnce)
}

/** The most calls at the same moment that are shown. */
const mostAtOnce = 4

/** The number of the exchange that a failure names. */
export const exchangeIn = (where = ''): number => Number(/^exchange (\d+)/.exec(where)?.[1])

/** The exchange that a failure names at the end of what it says, such as that in which a walk ended. */
const atEnd = /, (?:up to|in) exchange (\d+)$/

/** What a failure says without it. */
export const withoutEnd = (note: string): string => note.replace(atEnd, '')

type Texts = Pick<Requirement, 'where' | 'note' | 'expected' | 'got'>
/** A failure, as a report or the ending of a case has it. */
type Failure = Ending | Texts

/** The last write that sent a text that came in place of another one. */
export function wrongWrite({ expected = '', got = '' }: Texts, calls: readonly Exchange[]): Exchange | undefined {
  // a whole answer holds more than what is wrong
  if (/^\d{3}( |$)/.test(got)) return undefined
  const isWrong = (text: string) => got.includes(text) && !expected.includes(text)
  const isSent = (body = '') => [...body.matchAll(/:"([^"\\]{4,})"/g)].some(([, text]) => isWrong(text!))
  return calls.findLast(({ request: { method, body } }) => method !== 'GET' && isSent(body))
}

/** The exchange that a failure names: as its place, at the end of what it says, or by what was asked in it. */
export function namedExchange(failure: Failure, exchanges: readonly Exchange[]): string | undefined {
  const { where, note = '', expected = '', got = '' } = failure as Texts
  const [, end] = atEnd.exec(note) ?? []
  if (exchangeIn(where) || end === undefined) return exchangeIn(where) ? where : differing()
  return `exchange ${end}`

  /** The call of the first answer that differs from what was expected. */
  function differing() {
    const { names } = namedAnswers(note)
    const name = nameIn(difference(expected, got, names)?.got ?? '', names)
    const call = name === undefined ? undefined : callWith(name, byPhase(exchanges).acted)
    return call && `exchange ${call.number}`
  }
}

/** The exchanges by phase: what prepared the case, and what it is about. */
export function byPhase(exchanges: readonly Exchange[] = []): { arranged: Exchange[]; acted: Exchange[] } {
  return {
    arranged: exchanges.filter(({ phase }) => phase === 'arrange'),
    acted: exchanges.filter(({ phase }) => phase === 'act'),
  }
}

/**
 * The call with the shortest answer that holds every member of what came, or else every text of it; nothing if that has
 * neither.
 */
export function showing(got: string, calls: readonly Exchange[]): Exchange | undefined {
  const members = got.match(/"\w+":\s*"[^"\\]{6,}"/g) ?? []
  const compact = (text: string) => text.replace(/":\s+/g, '":')
  return (
    shortestWith(members, calls, (body, member) => compact(body).includes(compact(member))) ??
    shortestWith(textsIn(got), calls, (body, text) => body.includes(text))
  )
}

/** Of readings that were sent at least three times with no write between them, the one that names other things. */
export function oddOne(calls: readonly Exchange[]): Exchange | undefined {
  if (calls.some(({ request: { method } }) => method !== 'GET')) return undefined
  const named = ({ response }: Exchange) => `${response?.status} ${response?.body.match(/"uid":\s*"[^"]*"/g)}`
  return calls.find((one) => {
    const others = calls.filter((other) => other !== one && other.request.url === one.request.url)
    const isAlone = others.length > 1 && others.every((other) => named(other) !== named(one))
    return isAlone && new Set(others.map(named)).size === 1
  })
}

function shortestWith(
  parts: readonly string[],
  calls: readonly Exchange[],
  holds: (body: string, part: string) => boolean,
): Exchange | undefined {
  if (parts.length === 0) return undefined
  const holding = calls.filter(({ response }) => response && parts.every((part) => holds(response.body, part)))
  return holding.sort((a, b) => a.response!.body.length - b.response!.body.length)[0]
}
