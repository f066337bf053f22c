import type { TraceExchange, TraceLine } from '../../schemas/types.ts'
import { kinds } from '../api/kinds.ts'
import { controlCall } from '../http/call.ts'
import { Judge } from '../model/judge.ts'
import { type Finding, sliceOf, tokenEnded } from '../model/judging.ts'
import { isTouchedSince } from '../model/listed/population.ts'
import { askedBy, endedBy, type Observation, type Sent } from '../model/observation.ts'
import { observationOf, sentOf } from './observation-of.ts'

/** A finding with the numbers of the exchanges that explain it. */
export interface Heard {
  finding: Finding
  numbers: readonly number[]
  /** The operation, with the parameters that it was asked with besides scope and page size. */
  form: readonly string[]
}

/** Called at once with parts of a judgement. */
export interface Ears {
  /** A finding was kept. */
  kept?(heard: Heard): void
  /** A reading may only be late, and may be repeated (R52). */
  late?(finding: Finding): void
  /** The exchange with that number was judged. */
  judged?(n: number, found: readonly Finding[]): void
}

/** The most answers that are repeated for one row: at one time, and in all. */
const [mostOpen, mostRereadings] = [12, 400]
/** How many findings of one row are kept: of one form, and in all. */
const [mostOfForm, mostKept] = [5, 25]
/** Parameters that most lists have. */
const ordinary = /^(uidp\.|page_size$)/

/** Judges a run by the lines of its trace: while it goes on, or from a file. */
export class Hearing {
  readonly judge: Judge
  readonly #ears: Ears
  readonly #found = new Map<string, Heard[]>()
  /** How often each operation did not fit, by row, operation and excuses. */
  readonly #misfits = new Map<string, { finding: Finding; operation: string; count: number }>()
  readonly #tickets = new Map<number, number>()
  /** Exchanges not judged yet. */
  readonly #open = new Map<number, TraceExchange>()
  /** What is repeated for each row: how many answers do not fit yet, and how many there were. */
  readonly #rereadings = new Map<string, { open: number; all: number }>()
  /** Findings that may only be late, by what to read again. */
  readonly #unread = new Map<string, Finding[]>()
  /** What is read again: the last mismatch, when it was read, and since when all readings had the same one. */
  readonly #lateSince = new Map<string, { about: readonly string[]; sent: number; first: number }>()
  /** Findings that what was not offered may excuse, by row and excuse. */
  readonly #notOffered = new Map<string, { finding: Finding; count: number }>()
  readonly #patience: number
  readonly #version: string

  /** `version`: the segment of v2 in paths; `patience`: how long a target may lag, in milliseconds (R52). */
  constructor(version: string, patience: number, ears: Ears = {}) {
    this.#ears = ears
    this.#patience = patience
    this.#version = version
    this.judge = new Judge({ version, patience, judged: (seen, found) => this.#judged(seen, found) })
  }

  /** Takes the next line; `json` is the parsed answer where it is known. */
  take(line: TraceLine, json?: unknown): void {
    if (line.line === 'sent') this.#tickets.set(line.ticket, this.judge.sent(callOf(line.method)))
    else if (line.line === 'moved') this.judge.moved(line.seconds)
    else if (line.line === 'restarted') this.judge.state.restart()
    else if (line.line === 'exchange') this.#exchange(line, json)
  }

  /** The findings of a row that nothing excuses: the plainest call first, and of these the shortest history. */
  found(row: string): Heard[] {
    const all = (this.#found.get(row) ?? []).filter(({ finding }) => !this.judge.isExcused(finding))
    return all.sort((a, b) => a.form.length - b.form.length || a.numbers.length - b.numbers.length)
  }

  /** How many answers to each operation do not fit a row, as far as nothing excuses them; the most first. */
  misfits(row: string): { operation: string; count: number }[] {
    const counts = new Map<string, number>()
    for (const { finding, operation, count } of this.#misfits.values())
      if (finding.row === row && !this.judge.isExcused(finding))
        counts.set(operation, (counts.get(operation) ?? 0) + count)
    return [...counts].map(([operation, count]) => ({ operation, count })).sort((a, b) => b.count - a.count)
  }

  /** The rows with findings. */
  rows(): string[] {
    return [...this.#found.keys()]
  }

  /** The findings of a row that may only be late, and were never read again. */
  unread(row: string): Finding[] {
    return [...this.#unread.values()].flat().filter((finding) => finding.row === row && !this.judge.isExcused(finding))
  }

  /** How often a row was judged; what only shows that something is not offered judges nothing. */
  met(row: string): number {
    const empty = [...this.#notOffered.values()].filter(
      ({ finding }) => finding.row === row && this.judge.isExcused(finding),
    )
    return empty.reduce((met, { count }) => met - count, this.judge.met.get(row) ?? 0)
  }

  #exchange(line: TraceExchange, json: unknown): void {
    // a read without an answer is repeated
    if (line.status === undefined && line.method === 'GET') return
    const seen =
      json === undefined
        ? observationOf(line, this.judge.state.moved)
        : observationOf(line, this.judge.state.moved, json)
    if (line.operation === controlCall && line.status === 401) this.judge.state.flags.add(tokenEnded)
    if (line.rereads !== undefined) this.#unread.delete(readingOf(line.rereads, line))
    const ticket = this.#tickets.get(line.ticket) ?? this.judge.sent(sentOf(line))
    this.#tickets.delete(line.ticket)
    this.#open.set(line.n, line)
    this.judge.answered(ticket, seen)
  }

  #judged(seen: Observation, found: readonly Finding[]): void {
    const { n } = seen
    const line = this.#open.get(n)
    this.#open.delete(n)
    const rereads = line?.rereads
    const still = found.find(({ row }) => row === rereads)
    if (line && rereads !== undefined) {
      const reading = readingOf(rereads, line)
      const repeated = this.#rereadings.get(rereads)
      if (!still && repeated) repeated.open = Math.max(0, repeated.open - 1)
      if (still) this.#stillLate(reading, still, seen)
      else if (!this.#isExplained(reading, seen)) this.judge.state.flags.add('lag')
    }
    for (const finding of found) {
      this.#countEmpty(finding)
      if (!finding.soft) this.#keep(finding, seen)
      else if (line && rereads === undefined) this.#late(finding, line, seen)
    }
    this.#ears.judged?.(n, found)
  }

  #countEmpty(finding: Finding): void {
    const unless = finding.unless.filter((excuse) => endedBy(excuse) !== undefined)
    if (unless.length === 0) return
    const key = JSON.stringify([finding.row, unless])
    const empty = this.#notOffered.get(key) ?? { finding: { ...finding, unless }, count: 0 }
    this.#notOffered.set(key, { ...empty, count: empty.count + 1 })
  }

  /** What is missing in all readings of that long, and was not written meanwhile, is not late (R52). */
  #stillLate(reading: string, still: Finding, seen: Observation): void {
    const { sent, answered } = seen
    const before = this.#lateSince.get(reading)
    const isSame = before?.about.join() === still.about.join()
    const first = isSame && before ? before.first : sent
    this.#lateSince.set(reading, { about: still.about, sent, first })
    const [, uid, ...others] = still.about
    if (!still.soft || uid === undefined || others.length > 0 || sent - first < this.#patience) return
    const { state } = this.judge
    const isTouched = state.under(uid).some((thing) => isTouchedSince(state, thing, first, answered))
    if (!isTouched) this.#keep({ ...still, soft: false }, seen)
  }

  /** True where what did not fit was written again meanwhile: that it fits now does not show a lag. */
  #isExplained(reading: string, { answered }: Observation): boolean {
    const { state } = this.judge
    const { about = [], sent = answered } = this.#lateSince.get(reading) ?? {}
    return about.some((uid) => state.under(uid).some((thing) => isTouchedSince(state, thing, sent, answered)))
  }

  #keep(finding: Finding, seen: Observation): void {
    const operation = this.#operationOf(seen)
    this.#countMisfit(finding, operation)
    const all = this.#found.get(finding.row) ?? []
    this.#found.set(finding.row, all)
    // what is seen later may still excuse the others
    const lasting = all.filter((other) => !this.#mayBeExcused(other.finding, finding.unless))
    const form = [operation, ...Object.keys(seen.query).filter((name) => !ordinary.test(name))]
    const alike = lasting.filter((other) => other.form.join() === form.join())
    if (alike.length >= mostOfForm || lasting.length >= mostKept) return
    const heard = { finding, numbers: sliceOf(this.judge.state, finding), form }
    all.push(heard)
    this.#ears.kept?.(heard)
  }

  #countMisfit(finding: Finding, operation: string): void {
    const key = JSON.stringify([finding.row, operation, finding.unless])
    const { count = 0 } = this.#misfits.get(key) ?? {}
    this.#misfits.set(key, { finding, operation, count: count + 1 })
  }

  #operationOf(seen: Observation): string {
    const { version, kind, does } = askedBy(seen, this.#version) ?? {}
    if (kind === undefined) return 'sts.exchange'
    return `${seen.over === 'grpc' ? 'grpc.' : ''}${version === 'v1' ? 'v1.' : ''}${kinds[kind].name}.${does}`
  }

  /** True where something seen, or yet to be seen, excuses a finding but not one with these excuses. */
  #mayBeExcused(finding: Finding, excuses: readonly string[]): boolean {
    return this.judge.isExcused(finding) || finding.unless.some((excuse) => !excuses.includes(excuse))
  }

  /** What may only lag is read again, until it fits or the patience is over (R52). */
  #late(finding: Finding, line: TraceExchange, seen: Observation): void {
    const { sent } = seen
    const { method, query } = line
    const kept = this.#found.get(finding.row) ?? []
    if (kept.some((other) => !this.#mayBeExcused(other.finding, finding.unless))) return
    // a token is not sent twice (R14): without a lag the answer is the same
    if (method !== 'GET' || query.some(([name]) => name === 'page_token')) {
      if (kept.length < mostOpen) this.#keep({ ...finding, soft: false, unless: [...finding.unless, 'lag'] }, seen)
      return
    }
    const { open, all } = this.#rereadings.get(finding.row) ?? { open: 0, all: 0 }
    if (open >= mostOpen || all >= mostRereadings) return
    this.#rereadings.set(finding.row, { open: open + 1, all: all + 1 })
    const reading = readingOf(finding.row, line)
    this.#unread.set(reading, [...(this.#unread.get(reading) ?? []), finding])
    this.#lateSince.set(reading, { about: finding.about, sent, first: sent })
    this.#ears.late?.(finding)
  }
}

/** A row and what is read for it. */
const readingOf = (row: string, { path, query }: TraceExchange) => JSON.stringify([row, path, query])

/** All that matters of a call before its answer: that it may write. */
const callOf = (method: string): Sent => ({ method, path: '', at: 'api', query: {}, caller: { is: 'own' }, sent: 0 })
