import { present } from '../../schemas/present.ts'
import type { TraceExchange, TraceHeader, TraceLine } from '../../schemas/types.ts'
import type { Exchange } from '../http/exchange.ts'
import { withoutCookies } from '../http/exchange.ts'
import type { Secrets } from '../http/secrets.ts'
import type { Header } from '../requirement/header.ts'
import { moment } from './line-of.ts'
import { rangesOf } from './ranges.ts'
import { TraceWriter } from './writer.ts'

/** Where a trace is written, and what its first line says besides times. */
export interface TraceTo {
  path: string
  header: Omit<TraceHeader, 'line' | 'seq' | 'at' | 'wall' | 'patience'>
}

/** What a report says about a complete trace. */
export interface Traced {
  exchanges: number
  cut?: string
}

/** The numbers of each client's exchanges begin at a multiple of this. */
export const numbersOfClient = 1_000_000

type Numberless<Line> = Line extends unknown ? Omit<Line, 'seq'> : never

/** The trace of a run: every exchange and every fact in order of arrival, without secrets. */
export class Trace {
  readonly #writer: TraceWriter | undefined
  readonly #secrets: Secrets
  readonly #counts = new Map<string, number>()
  readonly #numbers = new WeakMap<Exchange, number>()
  #lines = 0
  #exchanges = 0
  #open = 0

  /** Without a place to write to, lines are numbered and dropped. */
  constructor(to: TraceTo | undefined, secrets: Secrets, patience: number) {
    this.#secrets = secrets
    this.#writer = to && new TraceWriter(to.path)
    if (to)
      this.#write({ line: 'header', seq: 0, ...to.header, wall: new Date().toISOString(), at: moment(), patience })
  }

  /** Numbers a line and writes it. */
  add<Line extends Numberless<TraceLine>>(line: Line): Line & { seq: number } {
    const numbered = Object.assign(line, { seq: ++this.#lines })
    if (line.line === 'sent') this.#open++
    if (line.line === 'exchange') this.#count(numbered as unknown as TraceExchange)
    this.#write(numbered as unknown as TraceLine)
    return numbered
  }

  /** From now on an exchange has this number in the trace. */
  know(exchange: Exchange, n: number): void {
    this.#numbers.set(exchange, n)
  }

  /** Records that a case ended, and which exchanges the report counts for it. */
  ended(
    { id, level }: Header,
    state: 'pass' | 'fail' | 'skip',
    startedAt: string,
    exchanges: readonly Exchange[],
  ): void {
    if (this.#writer === undefined) return
    const numbers = exchanges.flatMap((exchange) => this.#numbers.get(exchange) ?? [])
    const besides = exchanges.length - numbers.length
    const facts = { requests: exchanges.length, exchanges: rangesOf(numbers), besides }
    this.add({ line: 'ended', id, level, state, startedAt, at: moment(), ...facts })
  }

  /** Ends the trace; undefined where none was written. */
  async close(): Promise<Traced | undefined> {
    const writer = this.#writer
    if (writer === undefined) return undefined
    const exchanges = this.#exchanges
    await writer.close((cut) => ({
      line: 'footer',
      seq: ++this.#lines,
      exchanges,
      requirements: Object.fromEntries(this.#counts),
      open: this.#open,
      ...present({ cut }),
      at: moment(),
    }))
    return { exchanges, ...present({ cut: writer.cut }) }
  }

  #count({ for: owner, method, below }: TraceExchange): void {
    this.#exchanges++
    this.#counts.set(owner, (this.#counts.get(owner) ?? 0) + 1)
    if (mayWrite(method, below)) this.#open--
  }

  #write(line: TraceLine): void {
    if (this.#writer === undefined) return
    // the text of an answer has no secrets any more
    const { text, headers, ...facts } = line as TraceExchange
    const shown = this.#shown(Object.assign(facts, headers && { headers: withoutCookies(headers) }))
    this.#writer.write(text === undefined ? shown : `${shown.slice(0, -1)},"text":${JSON.stringify(text)}}`)
  }

  /** A line in JSON without secrets. */
  #shown(line: object): string {
    const json = JSON.stringify(line)
    // hardly any line holds a secret: only those that do, or have escapes, are redacted member by member
    if (!json.includes('\\') && this.#secrets.redact(json) === json) return json
    return JSON.stringify(this.#secrets.redactBut(line, ownMembers))
  }
}

/** The members whose words are our own: a secret that equals one of them must not change it. */
const ownMembers = ['line', 'id', 'level', 'for', 'operation', 'phase', 'below']

/** True for a call whose sending gets its own line. */
export const mayWrite = (method: string, below: 'api' | 'auth') =>
  below === 'api' && ['POST', 'PATCH', 'PUT', 'DELETE'].includes(method)
