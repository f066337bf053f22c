import { setTimeout as sleep } from 'node:timers/promises'
import { present } from '../../schemas/present.ts'
import { longestLife } from '../api/instant.ts'
import type { KindName } from '../api/kinds.ts'
import type { Answer, Call, Log } from '../http/call.ts'
import type { Client } from '../http/client.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Finding } from '../model/judging.ts'
import { type Heard, Hearing } from '../trace/hearing.ts'
import { type Facts, Lines, moment, rpcOf, type Unnumbered } from '../trace/line-of.ts'
import { mayWrite, numbersOfClient, type Trace } from '../trace/trace.ts'

/** What the judge needs of a run. */
interface RunFacts extends Facts {
  client: Client
  version: string
  trace: Trace
  /** How long the target may lag, in milliseconds (R52). */
  patience: number
}

/** A finding with the exchanges that explain it. */
export interface Shown {
  finding: Finding
  exchanges: Exchange[]
}

/** How long to wait for an answer that the writes of others hold up, in milliseconds. */
const longestHeld = 1_000
/** How many reads of each operation are kept to show with a finding: one of a list may be judged much later (R24). */
const readsKept = 300

/** Hands every call of a run and its answer to the model and to the trace, and keeps what did not fit. */
export class ModelAnswers {
  readonly hearing: Hearing
  readonly #run: RunFacts
  readonly #lines: Lines
  readonly #shown = new WeakMap<Heard, Exchange[]>()
  readonly #exchanges = new Map<number, Exchange>()
  readonly #reads = new Map<string, number[]>()
  readonly #calls = new Map<number, Call>()
  /** Calls that read again, each with its row and who waits for the result. */
  readonly #again = new WeakMap<Call, { row: string; judged: (found: readonly Finding[]) => void }>()
  readonly #waiting = new Map<number, (found: readonly Finding[]) => void>()
  readonly #rereading = new Set<Promise<void>>()
  /** The answers not judged yet. */
  readonly #held = new Set<number>()
  readonly #onJudged: (() => void)[] = []
  #clients = 0
  #tickets = 0

  constructor(run: RunFacts) {
    this.#run = run
    this.#lines = new Lines(run)
    this.hearing = new Hearing(run.version, run.patience, {
      kept: (heard) => this.#shown.set(heard, this.#exchangesOf(heard)),
      late: (finding) => this.#readAgain(finding),
      judged: (n, found) => this.#judged(n, found),
    })
    this.watch(run.client)
  }

  /** Listens to what a client sends, and to the answers. */
  watch(client: Client): void {
    // each client counts its own exchanges
    const before = this.#clients++ * numbersOfClient
    const { trace } = this.#run
    client.onSend = (call, credential, log, out) => {
      // what no client would send says nothing about the target's state, but what it makes is there
      if (call.rpc && !mayWrite(call.method, call.at ?? 'api'))
        return ({ number }) => void trace.add({ line: 'raw', n: before + number, at: moment() })
      const sentCall = { ...this.#lines.sent(call, credential, log, this.#again.get(call)?.row), ...rpcOf(out) }
      const ticket = ++this.#tickets
      const { method, below, sent } = sentCall
      if (mayWrite(method, below)) this.hearing.take(trace.add({ line: 'sent', ticket, method, at: sent }))
      return (exchange, answer) => {
        const n = before + exchange.number
        trace.know(exchange, n)
        this.#ended(this.#lines.answered(call, sentCall, ticket, n, exchange, answer), exchange, answer, call)
      }
    }
  }

  /** The target's clock was moved. */
  moved(seconds: number): void {
    this.hearing.take(this.#run.trace.add({ line: 'moved', seconds, at: moment() }))
  }

  /** The hook that moves the target's clock was called. */
  clockCalled(exchange: Exchange, seconds: number): void {
    const { number: n, ms, sentAt: wall, response, silence } = exchange
    const answered = moment()
    this.#run.trace.know(exchange, n)
    this.#run.trace.add({
      line: 'clock',
      n,
      seconds,
      sent: answered - ms,
      answered,
      wall,
      ...(response === undefined ? {} : { status: response.status, text: response.body }),
      ...present({ silence }),
    })
  }

  /** All that the run made was deleted without the model. */
  restart(): void {
    this.hearing.take(this.#run.trace.add({ line: 'restarted', at: moment() }))
  }

  /** True where others were seen to have things of a kind beside the run's, or to move what it only reads (R24, R50). */
  othersMove(kind: KindName): boolean {
    const { flags } = this.hearing.judge.state
    return ['alien', 'busy', 'moving'].some((what) => flags.has(`${what} ${kind}`))
  }

  /** When a reading last showed an updateTime that the target itself had moved (R26), as a monotonic time. */
  get lastOwnMove(): number {
    return this.hearing.judge.state.clock.lastOwnMove
  }

  /** How often a row was judged. */
  met(row: string): number {
    return this.hearing.met(row)
  }

  /** The findings of a row that nothing excuses: the plainest call first, and of these the shortest history. */
  found(row: string): Shown[] {
    return this.hearing.found(row).map((heard) => ({ finding: heard.finding, exchanges: this.#shown.get(heard) ?? [] }))
  }

  /** How many answers to each operation do not fit a row. */
  misfits(row: string): { operation: string; count: number }[] {
    return this.hearing.misfits(row)
  }

  /** The API tokens that exchanges gave, the oldest first. */
  issued(): string[] {
    return this.#lines.tokens(this.hearing.judge.state.issued.keys())
  }

  /** Those that were used, whose hour ended long ago, and whose identities still exist (R40). */
  ended(): string[] {
    const { state } = this.hearing.judge
    const ended = [...state.issued].filter(([, { identity, time, used }]) => {
      const [uid = ''] = identity.split(' ')
      const isThere = state.thing(uid, 'identities')?.alive.writes.at(-1)?.value === true
      return used && isThere && moment() + state.moved - time > longestLife
    })
    return this.#lines.tokens(ended.map(([name]) => name))
  }

  /** The findings that nothing excuses, one for each row that is not left out. */
  finds(without: ReadonlySet<string> = new Set()): Shown[] {
    return this.hearing.rows().flatMap((row) => (without.has(row) ? [] : this.found(row).slice(0, 1)))
  }

  /** Waits until all answers so far are judged, and nothing needs another reading. */
  async settled(): Promise<void> {
    const started = performance.now()
    const answered = [...this.#held.keys()]
    // an answer waits for the writes of others, and some of these may hang
    while (answered.some((n) => this.#held.has(n)) && performance.now() - started < longestHeld)
      await this.#nextJudged()
    while (this.#rereading.size > 0) await Promise.all(this.#rereading)
  }

  /** Until the next answer is judged, or `longestHeld`. */
  #nextJudged(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, longestHeld)
      this.#onJudged.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  #ended(line: Unnumbered, exchange: Exchange, answer: Answer | undefined, call: Call): void {
    const { n, method, below } = line
    this.#exchanges.set(n, exchange)
    // writes are kept as explanations; reads only for a time
    if (method === 'GET' && below === 'api') {
      const reads = this.#reads.get(exchange.operation) ?? []
      this.#reads.set(exchange.operation, reads)
      if (reads.push(n) > readsKept) this.#exchanges.delete(reads.shift()!)
    }
    const again = this.#again.get(call)
    if (again) this.#waiting.set(n, again.judged)
    this.#calls.set(n, call)
    // a read without an answer is never judged
    if (answer !== undefined || method !== 'GET') this.#held.add(n)
    const numbered = this.#run.trace.add(line)
    this.hearing.take(numbered, answer?.json)
  }

  #exchangesOf({ numbers }: Heard): Exchange[] {
    return numbers.flatMap((number) => this.#exchanges.get(number) ?? [])
  }

  #judged(n: number, found: readonly Finding[]): void {
    this.#calls.delete(n)
    this.#held.delete(n)
    for (const go of this.#onJudged.splice(0)) go()
    this.#waiting.get(n)?.(found)
    this.#waiting.delete(n)
  }

  /** Repeats a reading that may only lag, until it fits or the patience is over (R52). */
  #readAgain(finding: Finding): void {
    const call = this.#calls.get(finding.n)
    if (call === undefined) return
    const reading = this.#rereadUntilOver(finding, call).catch(() => {})
    this.#rereading.add(reading)
    void reading.finally(() => this.#rereading.delete(reading))
  }

  async #rereadUntilOver({ row }: Finding, call: Call): Promise<void> {
    const log: Log = { phase: 'act', exchanges: [] }
    const { patience } = this.#run
    const started = performance.now()
    for (let pause = 25; performance.now() - started < 3 * patience; pause = Math.min(2 * pause, 1_000)) {
      await sleep(Math.min(pause, patience / 4))
      const again = { ...call }
      const judged = new Promise<readonly Finding[]>((resolve) => this.#again.set(again, { row, judged: resolve }))
      await this.#run.client.send(again, log)
      const still = (await judged).filter((one) => one.row === row)
      if (still.length === 0 || still.some(({ soft }) => !soft)) return
    }
  }
}
