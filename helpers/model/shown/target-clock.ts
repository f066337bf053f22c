import type { Observation } from '../observation.ts'

/** Something whose createTime was shown. */
interface Thing {
  createTime?: number
}

/** When a call was under way, on the clock of the run. */
type Interval = Pick<Observation, 'sent' | 'answered' | 'moved'>

/** How far the clocks of a service's nodes may be apart (R26), in milliseconds: each call may reach another one. */
export const nodesApart = 50

/** How many calls are kept for each thing. */
const mostKept = 100

/** How the target's clock compares with the run's: that shows when, and so by which call, a time was set (R26). */
export class TargetClock {
  /** The least and the greatest difference that the createTimes allow, in milliseconds. */
  #ahead: { least: number; most: number } | undefined
  /** When a reading last showed a time that the target itself had moved. */
  lastOwnMove = Number.NEGATIVE_INFINITY
  readonly #vain = new WeakMap<Thing, readonly Interval[]>()
  readonly #written = new WeakMap<Thing, readonly Interval[]>()

  /** A Create showed a createTime of that precision: it was set while the call was under way. */
  showed({ sent, answered, moved }: Interval, created: number, precision: number): void {
    const [least, most] = [created - answered - moved, created + precision - sent - moved]
    const known = this.#ahead ?? { least, most }
    const both = { least: Math.max(known.least, least), most: Math.min(known.most, most) }
    // nodes whose clocks differ
    const either = { least: Math.min(known.least, least), most: Math.max(known.most, most) }
    this.#ahead = both.least <= both.most ? both : either
  }

  /** An Update of a thing was answered. */
  wrote(thing: Thing, call: Interval): void {
    keep(this.#written, thing, call)
  }

  /** A call on a thing that moves no updateTime: a refused one, a Get, or an exchange (R29, R41). */
  inVain(thing: Thing, call: Interval): void {
    keep(this.#vain, thing, call)
  }

  /** True where no call of the run can have set a time that a reading shows: the target itself did (R26, R50). */
  isOwnMove(thing: Thing, time: number, precision: number, reading: Interval): boolean {
    const { createTime } = thing
    if (this.#ahead === undefined || createTime === undefined) return false
    const { least, most } = this.#ahead
    const [from, to] = [time - most - nodesApart, time + precision - least + nodesApart]
    const writes = this.#written.get(thing)?.filter(({ sent }) => sent <= reading.answered) ?? []
    if (from <= createTime - least || writes.some(({ answered, moved }) => from <= answered + moved)) return false
    const calls = this.#vain.get(thing) ?? []
    return !calls.some(({ sent, answered, moved }) => sent + moved <= to && answered + moved >= from)
  }
}

function keep(calls: WeakMap<Thing, readonly Interval[]>, thing: Thing, { sent, answered, moved }: Interval): void {
  calls.set(thing, [...(calls.get(thing) ?? []), { sent, answered, moved }].slice(-mostKept))
}
