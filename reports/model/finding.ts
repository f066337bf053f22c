import { kindNames } from '../../schemas/kind-names.ts'
import { present } from '../../schemas/present.ts'
import type { Exchange, Requirement } from '../../schemas/types.ts'
import { byPhase, exchangeIn, namedExchange, oddOne, showing, withoutEnd } from '../judge/evidence.ts'
import { statementsCited } from '../text/contract.ts'
import { difference } from '../text/difference.ts'
import { namedAnswers } from '../text/named-answers.ts'
import { inGrpcStatuses } from '../text/over-grpc.ts'
import { withShortUids } from '../text/short-uids.ts'
import { kindIn } from './claims.ts'

/** What a failure says: what it is about, what was expected, what came, and what else there is to note. */
export interface Said {
  about?: string
  expected?: string
  got?: string
  note?: string
}

/** What a failure says, once: only the members that differ, and what it is about only if that adds something. */
export function saidOf(one: Requirement): Said {
  const { expected, got, note } = one
  if (expected === undefined || got === undefined) return included(note, got) ?? present({ expected, got, note })
  const repeats =
    note?.startsWith('expected ') || (note && withoutEnd(note).includes(got) && note.split('\n').length < 3)
  const { about: named, names } = namedAnswers(note)
  const about = repeats || note === undefined ? undefined : named.replace(/ in milliseconds$/, '')
  const [wanted, came, what, ...those] = withShortUids(expected, got, about ?? '', ...names)
  const shown = difference(wanted!, came!, those) ?? plain({ expected: wanted!, got: came! })
  const call = one.exchanges?.find(({ number }) => number === exchangeIn(one.where))
  if (call?.operation.startsWith('grpc.')) Object.assign(shown, inGrpcStatuses(shown))
  return present({ ...shown, [about?.includes('\n') ? 'note' : 'about']: about && what })
}

/** What a list should have held, from the runner's sentence, which alone names it. */
function included(note = '', got?: string): Said | undefined {
  const { about, wanted } = /^(?<about>.*): expected [\s\S]* to include (?<wanted>[\s\S]*)$/.exec(note)?.groups ?? {}
  return about === undefined || got === undefined ? undefined : { about, expected: `something with ${wanted}`, got }
}

/** Both sides as a reader can see them, with times in milliseconds since 1970 as dates. */
function plain({ expected, got }: { expected: string; got: string }) {
  // one that is not set is 0
  const times = [expected, got].some((text) => ms.test(text)) ? /\b(9\d{11}|1\d{12}|0)\b/g : undefined
  const seen = (text: string) => {
    if (text === '') return '""'
    if (text === '[]') return 'none'
    if (text === 'undefined') return 'nothing'
    if (text.startsWith('was answered ')) return text.slice('was '.length)
    if (/^\d+\.\d{3,}$/.test(text)) return String(Number(Number(text).toFixed(2)))
    // a uid that is cut names nothing
    if (/, [^,]*… \(\d+ characters\)$/.test(text)) return `${text.slice(0, text.lastIndexOf(', '))}, …`
    return times ? text.replace(times, (time) => new Date(Number(time)).toISOString()) : text
  }
  return { expected: seen(expected), got: seen(got) }
}

/** A time since 1998, in milliseconds since 1970. */
const ms = /\b(9\d{11}|1\d{12})\b/

/** Where a failure is: of an exchange only its number, because its call is shown as well; or the check that failed. */
export function placeOf({ where }: Requirement): { where?: string; check?: string } {
  if (where?.startsWith('specs/')) return { check: where }
  return present({ where: where?.replace(/^(exchange \d+): .*/s, '$1') })
}

const mostCited = 5

/** The statements that a failure breaks: the one that it quotes, if it names one, or else the first of its claim. */
export function citedIn({ quote = '', statement }: Requirement): string {
  const [, named] = /^([SR][\d.]+): /.exec(quote) ?? []
  const ids = statementsCited(statement)
  if (named !== undefined || ids.length <= mostCited) return named ?? statement
  const shown = ids.slice(0, mostCited - 1)
  return `${shown.join(', ')} and ${ids.length - shown.length} more`
}

/** The calls of a failure: the one that decides it, those that led there, and those that prepared the case. */
export interface Calls {
  deciding?: Exchange
  before: Exchange[]
  arranged: Exchange[]
}

/**
 * The deciding call is the one that the failure names, the last of the operation that should have succeeded, the one of
 * several equal calls that is answered otherwise, the one whose answer shows what came and little else, or the last one
 * that the case is about.
 */
export function callsOf(one: Requirement): Calls {
  const { id, exchanges = [], expected = '', got = '' } = one
  const { arranged, acted } = byPhase(exchanges)
  const named = namedExchange(one, exchanges)
  // what gRPC answered is compared with HTTP
  const overProtocol = id.startsWith('grpc.') ? acted.filter(({ operation }) => operation.startsWith('grpc.')) : acted
  const deciding =
    exchanges.find(({ number }) => number === exchangeIn(named)) ??
    exchanges.findLast(({ operation }) => expected === `${operation} succeeds`) ??
    oddOne(acted) ??
    showing(got, acted) ??
    overProtocol.findLast(({ operation }) => id.includes('@') && isOfKind(operation, kindIn(id))) ??
    overProtocol.at(-1) ??
    acted.at(-1) ??
    arranged.at(-1)
  const others = (some: Exchange[]) => some.filter((each) => each !== deciding)
  return { ...present({ deciding }), before: others(acted), arranged: others(arranged) }
}

/** True for an operation such as `identity.create` or `v1.identity.create`, and the kind `identities`. */
const isOfKind = (operation: string, kind: string) => operation.split('.').includes(Object(kindNames)[kind])
