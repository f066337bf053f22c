/** One write of a value, and when it took effect. */
export interface Write<T> {
  value: T
  sent: number
  answered: number
  /** False where it is open whether it took effect, or no answer showed it. */
  sure: boolean
}

/** A time from sending to the answer, in milliseconds. */
type Span = Pick<Write<unknown>, 'sent' | 'answered'>

/** True where a write and a call overlapped. */
export const isBeside = (write: Span, call: Span) => write.sent <= call.answered && write.answered >= call.sent

/** How a reading compares with what was written: it fits, was true once, also before a newer one was shown, or never. */
export type Fit = 'fits' | 'late' | 'back' | 'never'

/** How long a reading may lag, in milliseconds (R52). */
const longestLag = 5_000

/** What a copy showed last through a view, and when that was answered first and last. */
interface Shown<T> {
  view: string
  copy: string
  write: Write<T>
  since: number
  at: number
}

const isEqual = (a: unknown, b: unknown) => a === b

/** A value over time: a write holds from some moment between its sending and its answer (R52). */
export class Register<T> {
  readonly writes: Write<T>[]
  /** The newest write that each copy has shown through each view; not a Map, because a run has thousands of registers. */
  #shown: readonly Shown<T>[] = []
  readonly isSame: (a: T, b: T) => boolean

  constructor(first: Write<T>, same: (a: T, b: T) => boolean = isEqual) {
    this.writes = [first]
    this.isSame = same
  }

  /** Adds a write. */
  write(write: Write<T>): void {
    this.writes.push(write)
  }

  /** The writes whose value a reading may show. */
  may(from: number, to: number): Write<T>[] {
    const last = this.writes.at(-1)!
    if (last.sure && last.answered < from && this.#isAfterAll(last)) return [last]
    return this.writes.filter(
      (write) =>
        write.sent <= to &&
        !this.writes.some((other) => other.sure && other.sent > write.answered && other.answered < from),
    )
  }

  /** The write of a call, where it certainly took effect and no other write overlapped it. */
  alone(sent: number, answered: number): Write<T> | undefined {
    const [own, ...others] = this.writes.filter((write) => write.sent <= answered && write.answered >= sent)
    return own?.sure && own.sent === sent && others.length === 0 ? own : undefined
  }

  /**
   * Takes the answer to a call that may have written, alone: where it shows such a value the write is sure, and where it
   * shows an older one there was none (R25).
   */
  settle(value: T, sent: number, answered: number): void {
    const [own, others] = [this.#beside(sent, answered, true), this.#beside(sent, answered, false)]
    if (others.length > 0 || own.some(({ sure }) => sure)) return
    const taken = own.findLast((write) => this.isSame(write.value, value))
    if (taken) taken.sure = true
    const isOld = this.writes.some((write) => !own.includes(write) && this.isSame(write.value, value))
    if (taken === undefined && !isOld) return
    for (const write of own) if (write !== taken) this.writes.splice(this.writes.indexOf(write), 1)
  }

  /** The writes that overlapped a call: its own, or those of others. */
  #beside(sent: number, answered: number, own: boolean): Write<T>[] {
    return this.writes.filter((write) => isBeside(write, { sent, answered }) && (write.sent === sent) === own)
  }

  /** The value where it is certain; undefined where several are possible. */
  certain(from: number, to: number): { value: T } | undefined {
    const [first, ...others] = this.may(from, to)
    if (first === undefined || !others.every(({ value }) => this.isSame(value, first.value))) return undefined
    return { value: first.value }
  }

  /**
   * Judges what a reading showed: once a copy has shown a value through a view, it goes on showing it (R52). A reading
   * that fits is remembered as what it showed last, and may make its write sure.
   */
  observe(value: T, from: number, to: number, view: string, copy = ''): Fit {
    const may = this.may(from, to)
    const fitting = may.findLast((write) => this.isSame(write.value, value))
    const shown = this.#shown.find((one) => one.view === view && one.copy === copy)
    if (fitting) {
      const write = this.#earliestLike(fitting, from, shown?.write)
      if (!fitting.sure && may.length > 1 && from > fitting.answered && write === fitting) fitting.sure = true
      if (shown || this.#mayLag(from) || !this.wasShownBefore(Number.POSITIVE_INFINITY, view))
        this.#remember(shown, { view, copy }, write, to)
      return 'fits'
    }
    const old = this.writes.findLast((write) => write.sent <= to && this.isSame(write.value, value))
    if (old === undefined) return 'never'
    const goneBack = shown !== undefined && shown.at < from && shown.write.sent > old.answered && shown.write.sure
    return goneBack ? 'back' : 'late'
  }

  /**
   * True where some view has shown the value written, so the target knows it everywhere, or where this one has, or this
   * copy through it (R52).
   */
  wasShownBefore(time: number, view?: string, copy?: string): boolean {
    return this.#shown.some(
      (one) =>
        one.since < time && (view === undefined || one.view === view) && (copy === undefined || one.copy === copy),
    )
  }

  /** When the newest write was answered that a reading must show. */
  lastBefore(to: number): number {
    return this.writes.reduce((last, { sent, answered }) => (sent <= to ? Math.max(last, answered) : last), 0)
  }

  /** True where a reading of this value may still show an earlier write of it than the newest (R52). */
  mayShowEarlier(value: T, from: number): boolean {
    const newest = this.writes.findLast((write) => this.isSame(write.value, value))
    return newest !== undefined && this.#earliestLike(newest, from, undefined) !== newest
  }

  /** A lagging view may show an earlier write of the same value, if that may still lag and no later one was shown. */
  #earliestLike(fitting: Write<T>, from: number, shown: Write<T> | undefined): Write<T> {
    if (this.writes.length === 1) return fitting
    const least = shown === undefined ? 0 : this.writes.indexOf(shown)
    const mayLag = (at: number) => this.writes.slice(at + 1).every(({ answered }) => answered > from - longestLag)
    const earliest = this.writes.findIndex(
      (write, at) => at >= least && this.isSame(write.value, fitting.value) && mayLag(at),
    )
    return this.writes[earliest] ?? fitting
  }

  #remember(shown: Shown<T> | undefined, door: { view: string; copy: string }, write: Write<T>, at: number): void {
    // no spread: an object built by one takes three times the memory, and a run has tens of thousands
    if (shown === undefined) this.#shown = [...this.#shown, { view: door.view, copy: door.copy, write, since: at, at }]
    else if (shown.write === write) shown.at = at
    else [shown.write, shown.since, shown.at] = [write, at, at]
  }

  /** True while a copy may lag behind the last write, whatever the patience: later, which one it was does not matter. */
  #mayLag(from: number): boolean {
    return from - this.writes.at(-1)!.answered < 2 * longestLag
  }

  #isAfterAll(last: Write<T>): boolean {
    return this.writes.every((write) => write === last || write.answered < last.sent)
  }
}
