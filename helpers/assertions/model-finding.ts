import { present } from '../../schemas/present.ts'
import { hour } from '../api/instant.ts'
import { isObject } from '../api/received.ts'
import { legible } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import { encoded } from '../http/url.ts'
import { violated } from './violation.ts'

/** What the model found wrong, and the exchanges that explain it. */
interface Shown {
  finding: {
    row: string
    quote?: string
    expected: string
    got: string
    n: number
    moved: number
    about: readonly string[]
    beside: readonly number[]
  }
  exchanges: readonly Exchange[]
}

/** How many answers to an operation did not fit. */
interface Misfits {
  operation: string
  count: number
}

/** Fails where the model found something; the calls that explain the first finding are the evidence. */
export function fits([shown]: readonly Shown[], evidence: Exchange[], misfits: readonly Misfits[] = []): void {
  if (shown === undefined) return
  evidence.push(...shown.exchanges)
  const { n, moved, expected, got, quote } = shown.finding
  const about = shown.finding.about.filter((uid) => uid !== '')
  const operation = shown.exchanges.find(({ number }) => number === n)?.operation ?? 'a call'
  const earlier = ledTo(shown).map(({ number, operation: earlier }) => `exchange ${number} (${earlier})`)
  const against = earlier.length > 0 ? `contradicts ${earlier.join(' and ')}` : 'breaks the contract'
  const of = about.length > 0 ? `; it is about ${about.slice(0, 2).map(lastPart).join(' and ')}` : ''
  const later = moved > 0 ? ` (the target's clock was ${inDays(moved)} ahead)` : ''
  const message = `the answer to ${operation}${later} ${against}${of}${inAll(misfits)}`
  violated({ message, expected, got, where: `exchange ${n}`, ...present({ quote }) })
}

/** The most operations that are named. */
const mostOperations = 4

/** How many answers did not fit in all, where there are several. */
export function inAll(misfits: readonly Misfits[]): string {
  const sum = misfits.reduce((all, { count }) => all + count, 0)
  if (sum < 2) return ''
  const named = misfits.slice(0, mostOperations).map(({ operation, count }) => `${operation} ${count}`)
  const more = misfits.length > mostOperations ? [`${misfits.length - mostOperations} more operations`] : []
  return `; ${sum} answers do not fit: ${[...named, ...more].join(', ')}`
}

/**
 * The earlier exchanges that a finding names; else the last write that sent a text of what was expected and not of what
 * came, and writes on what it is about: the last that sent the reverse, even if it failed, and the last that succeeded,
 * best with a text that the finding shows.
 */
function ledTo({ finding, exchanges }: Shown): Exchange[] {
  const { row, n, about, beside, expected, got } = finding
  const earlier = exchanges.filter(({ number }) => number < n)
  const named = earlier.filter(({ number }) => beside.includes(number))
  if (named.length > 0 || aboutItself.test(row)) return named.slice(-most)
  const shown = `${expected} ${got} ${exchanges.find(({ number }) => number === n)?.request.url}`
  const sent = (holds: (text: string) => boolean) => (write: Exchange) => textsIn(write.request.body).some(holds)
  const isRefusal = /^4\d\d/.test(got)
  const led = about.toReversed().flatMap((uid) => {
    const writes = earlier.filter((each) => each.request.method !== 'GET' && isOn(uid, each))
    const done = writes.filter(({ response }) => isSuccess(response?.status))
    const wrong = writes.findLast(sent((text) => got.includes(text) && !expected.includes(text)))
    const deletion = /delete/i.test(expected) ? done.find(({ operation }) => operation.endsWith('.delete')) : undefined
    const last = done.findLast(sent((text) => shown.includes(text))) ?? done.at(-1)
    // what is refused now may be so because of a write that was refused before
    const refused = isRefusal ? writes.findLast((write) => !done.includes(write)) : undefined
    return [wrong, deletion, last, refused]
  })
  const meant = earlier.findLast(
    (each) => isSuccess(each.response?.status) && sent((text) => expected.includes(text) && !got.includes(text))(each),
  )
  const found = new Set([meant, ...led].filter((each) => each !== undefined))
  return [...found].slice(0, most).sort((a, b) => a.number - b.number)
}

/** Rows whose answers break the contract by themselves, or together with another list, whatever was written. */
const aboutItself = /\.(page|total|skipped|token|walk|error|credential)$/

/** The longer texts that a JSON body holds as values. */
const textsIn = (body = '') => [...body.matchAll(/:"([^"\\]{4,})"/g)].map(([, text]) => text!)

/** The most earlier exchanges that a failure names. */
const most = 2

const isSuccess = (status = 0) => status >= 200 && status < 300

/** True for a write that made that thing, or that names it in its path or in its message over gRPC. */
function isOn(uid: string, { request: { method, url, body }, response }: Exchange): boolean {
  const made = legible({ text: response?.body ?? '' })
  if (isObject(made) && (made.uid ?? made.id) === uid) return true
  const path = url.split('?')[0]!
  // a Create is sent to the path of the parent
  if (method !== 'POST') return path.endsWith(`/${uid}`) || path.endsWith(`/${encoded(uid)}`)
  return body?.includes(`"uid":"${uid}"`) === true
}

/** Milliseconds in hours or, from two days on, in days. */
function inDays(ms: number): string {
  const hours = ms / hour
  return hours < 48 ? `${Number(hours.toFixed(1))} hours` : `${Number((hours / 24).toFixed(1))} days`
}

/** The end of a uid, which people recognize. */
const lastPart = (uid: string) => (uid.includes('/') ? `…/${uid.split('/').at(-1)}` : uid)
