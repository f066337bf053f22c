import { setTimeout as sleep } from 'node:timers/promises'
import { exchangePath } from '../http/access-token.ts'
import type { Answer, Call, Credential, Log } from '../http/call.ts'
import type { Client } from '../http/client.ts'
import type { Exchange } from '../http/exchange.ts'
import { Judge } from '../model/judge.ts'
import { type Finding, sliceOf } from '../model/judging.ts'
import type { Caller, IdentityToken, Observation, Sent } from '../model/observation.ts'

/** What the judge of a run needs of it. */
interface OperationContext {
  client: Client
  version: string
  /** Whether a token is signed as the suite's own issuer signs; undefined for one of another issuer. */
  signedByOwn: (token: string, claims: Record<string, unknown>) => boolean | undefined
  /** The target's time in milliseconds since 1970; undefined where it was never told. */
  now: () => number | undefined
}

/** A finding with the exchanges that explain it. */
export interface Shown {
  finding: Finding
  exchanges: Exchange[]
}

/** How long a target may lag, in milliseconds (R52). */
const patience = Number(process.env.MODEL_PATIENCE_MS ?? 5_000)
/** How many answers are made again at the most, for one row. */
const mostRereadings = 12
/** How many findings of one row are kept. */
const mostKept = 5
/** How many reads are kept to show beside a finding. */
const readsKept = 300

/** Hands every call of a run and its answer to the model, and keeps what did not fit. */
export class ModelAnswers {
  readonly judge: Judge
  readonly #surroundings: OperationContext
  readonly #found = new Map<string, Shown[]>()
  readonly #exchanges = new Map<number, Exchange>()
  readonly #reads: number[] = []
  readonly #calls = new Map<number, Call>()
  readonly #own = new Set<string>()
  /** Who waits for the judgement of a call that was made again. */
  readonly #awaited = new WeakMap<Call, (found: readonly Finding[]) => void>()
  readonly #rereading = new Set<Promise<void>>()
  readonly #rereadings = new Map<string, number>()
  #clients = 0
  /** How long the model took, in milliseconds, and for how many answers. */
  readonly spent = { ms: 0, answers: 0 }

  constructor(surroundings: OperationContext) {
    this.#surroundings = surroundings
    const { version } = surroundings
    this.judge = new Judge({ version, patience, judged: (seen, found) => this.#judged(seen, found) })
    this.watch(surroundings.client)
  }

  /** Hears what a client sends, and what it is answered. */
  watch(client: Client): void {
    // each client counts its own exchanges
    const before = this.#clients++ * 1_000_000
    client.onSend = (call, credential) => {
      if (call.rpc) return () => {}
      if (call.credential === undefined && credential.header !== undefined) this.#own.add(credential.header)
      const started = performance.now()
      const sent = this.#sent(call, credential, started)
      const ticket = this.judge.sent(sent)
      return (exchange, answer) => this.#ended(ticket, { ...sent, n: before + exchange.number }, exchange, answer, call)
    }
  }

  /** What was found of a row and nothing excuses; those with the shortest history first. */
  found(row: string): Shown[] {
    const all = (this.#found.get(row) ?? []).filter(({ finding }) => !this.judge.isExcused(finding))
    return all.sort((a, b) => a.exchanges.length - b.exchanges.length)
  }

  /** Waits until nothing is to be read again. */
  async settled(): Promise<void> {
    while (this.#rereading.size > 0) await Promise.all(this.#rereading)
  }

  #sent(call: Call, credential: Credential, sent: number): Sent {
    const [path = '', inPath = ''] = call.path.split('?')
    const pairs = [...new URLSearchParams(inPath), ...Object.entries(call.query ?? {})]
    const sentPairs = pairs.filter(([, value]) => value !== undefined)
    const query = Object.fromEntries(sentPairs.map(([name, value]) => [name, String(value)]))
    // which value of a repeated parameter counts is open (R15, R21)
    if (Object.keys(query).length < sentPairs.length) query['a repeated parameter'] = 'yes'
    return {
      method: call.method,
      path,
      at: call.at ?? 'api',
      query,
      ...bodyOf(call),
      caller: this.#callerOf(call, credential),
      sent,
    }
  }

  #callerOf({ at, credential: given }: Call, { header }: Credential): Caller {
    if (given === undefined) return { is: 'own' }
    if (header === undefined) return { is: 'bad', how: 'no header' }
    if (at === 'auth') return /^Bearer .+/i.test(header) ? { is: 'open' } : { is: 'bad', how: 'no bearer token' }
    if (this.#own.has(header)) return { is: 'own' }
    const [, scheme, token] = /^(bearer) (\S+)$/i.exec(header) ?? []
    if (token === undefined) return { is: 'bad', how: `the header '${given.shown}'` }
    if (scheme === 'Bearer') return { is: 'bearer', token }
    return { is: 'open' }
  }

  #ended(ticket: number, sent: Sent & { n: number }, exchange: Exchange, answer: Answer | undefined, call: Call): void {
    const now = this.#surroundings.now()
    const seen: Observation = {
      ...sent,
      answered: performance.now(),
      ...(answer === undefined ? {} : { status: answer.status, json: answer.json }),
      ...(answer?.over && { over: answer.over }),
      text: answer?.text ?? '',
      moved: this.judge.state.moved,
      ...this.#identityTokenOf(call),
      ...(now === undefined ? {} : { now }),
    }
    this.#keep(seen, exchange)
    this.#calls.set(seen.n, call)
    const started = performance.now()
    this.judge.answered(ticket, seen)
    this.spent.ms += performance.now() - started
    this.spent.answers++
  }

  #identityTokenOf({ path, credential, method }: Call): { identityToken?: IdentityToken } {
    const token = path.startsWith(exchangePath) ? /^Bearer (\S+)$/i.exec(credential?.header ?? '')?.[1] : undefined
    if (token === undefined) return {}
    const claims = claimsOf(token, 1)
    if (claims === undefined) return { identityToken: { claims: {}, token, form: '', signed: false } }
    const header = claimsOf(token, 0)
    const form = JSON.stringify([
      method,
      path.replace(/identity=[^&]*/, ''),
      header,
      Object.keys(claims).sort(),
      claims.aud,
    ])
    return { identityToken: { claims, token, form, signed: this.#surroundings.signedByOwn(token, claims) } }
  }

  /** Writes are kept, for they explain; reads for a while. */
  #keep({ method, n, at }: Observation, exchange: Exchange): void {
    this.#exchanges.set(n, exchange)
    if (method !== 'GET' || at === 'auth') return
    this.#reads.push(n)
    if (this.#reads.length > readsKept) this.#exchanges.delete(this.#reads.shift()!)
  }

  #judged(seen: Observation, found: readonly Finding[]): void {
    const call = this.#calls.get(seen.n)
    this.#calls.delete(seen.n)
    const rereading = call && this.#awaited.get(call)
    rereading?.(found)
    for (const finding of found) {
      if (!finding.soft) this.#add(finding)
      else if (call && !rereading) this.#readAgain(finding, call)
    }
  }

  #add(finding: Finding): void {
    const all = this.#found.get(finding.row) ?? []
    this.#found.set(finding.row, all)
    if (all.length >= mostKept && !all.every((other) => this.judge.isExcused(other.finding))) return
    const numbers = sliceOf(this.judge.state, finding)
    all.push({ finding, exchanges: numbers.flatMap((number) => this.#exchanges.get(number) ?? []) })
  }

  /** Reads again what may only lag, until it fits or the patience is over (R52). */
  #readAgain(finding: Finding, call: Call) {
    const enough = (this.#found.get(finding.row) ?? []).some((other) => !this.judge.isExcused(other.finding))
    const before = this.#rereadings.get(finding.row) ?? 0
    if (enough || before >= mostRereadings) return
    this.#rereadings.set(finding.row, before + 1)
    // a token is not sent twice (R14): without a lag it is as it was
    if (call.method !== 'GET' || call.query?.page_token !== undefined) {
      return this.#add({ ...finding, soft: false, unless: [...finding.unless, 'lag'] })
    }
    const reading = this.#rereadUntilOver(finding, call).catch(() => {})
    this.#rereading.add(reading)
    void reading.finally(() => this.#rereading.delete(reading))
  }

  async #rereadUntilOver(finding: Finding, call: Call): Promise<void> {
    const log: Log = { phase: 'act', exchanges: [] }
    const started = performance.now()
    for (let pause = 25; performance.now() - started < 3 * patience; pause = Math.min(2 * pause, 1_000)) {
      await sleep(Math.min(pause, patience / 4))
      const again = { ...call }
      const judged = new Promise<readonly Finding[]>((resolve) => this.#awaited.set(again, resolve))
      await this.#surroundings.client.send(again, log)
      const found = await judged
      const still = found.filter(({ row }) => row === finding.row)
      if (still.length === 0) {
        this.judge.state.flags.add('lag')
        return
      }
      if (still.some(({ soft }) => !soft)) return
    }
  }
}

function bodyOf({ body, contentType }: Call): Pick<Sent, 'body' | 'reads' | 'texts'> {
  if (body === undefined) return {}
  const raw = (body as { raw?: unknown } | null)?.raw
  if (typeof raw !== 'string') return contentType === undefined ? { body } : { body, reads: 'perhaps' }
  try {
    return { body: JSON.parse(raw) }
  } catch {
    const texts = [...raw.matchAll(/["']([^"']{8,})/g)].map(([, text]) => text!)
    return { texts, reads: raw.startsWith('\uFEFF') || beginsWithObject(raw) ? 'perhaps' : 'never' }
  }
}

/** True where a decoder that reads one value, and not what stands behind it, reads an object (R37). */
function beginsWithObject(raw: string): boolean {
  const ends = [...raw.matchAll(/\}/g)].slice(0, 20).map(({ index }) => index + 1)
  return ends.some((end) => {
    try {
      return typeof JSON.parse(raw.slice(0, end)) === 'object'
    } catch {
      return false
    }
  })
}

function claimsOf(token: string, part: 0 | 1): Record<string, unknown> | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString('utf8'))
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
