import { instant, minute, timeOfV1 } from '../api/instant.ts'
import { isObject } from '../api/received.ts'
import type { Answer } from '../http/call.ts'
import type { Exchange } from '../http/exchange.ts'

/** A time that was just set, compared with another clock, in milliseconds. */
interface Ahead {
  ahead: number
  made: number
  exchange: Exchange
}

/** How far such a time is from the target's clock: negative where it is behind. */
interface Apart {
  minutes: number
  words: string
  exchange: Exchange
}

/** The times of one member that are furthest behind and furthest ahead of the Date of their answer, or of our clock. */
export class StampedTimes {
  readonly #furthest: Record<'dated' | 'undated', Ahead[]> = { dated: [], undated: [] }
  readonly #member: string
  readonly #inV1: string

  constructor(member: string, inV1: string) {
    this.#member = member
    this.#inV1 = inV1
  }

  /** True where an answer that set one had a Date. */
  get areDated(): boolean {
    return this.#furthest.dated.length > 0
  }

  /** Notes the answer to a call that sets it. */
  note({ json, headers: { date }, exchange }: Answer): void {
    const made = isObject(json) ? instant(json[this.#member] ?? timeOfV1(json[this.#inV1])) : Number.NaN
    if (Number.isNaN(made)) return
    const stamp = instant(date)
    const which = Number.isNaN(stamp) ? 'undated' : 'dated'
    const all = [...this.#furthest[which], { ahead: made - (which === 'dated' ? stamp : Date.now()), made, exchange }]
    all.sort((one, other) => one.ahead - other.ahead)
    this.#furthest[which] = all.length > 2 ? [all[0]!, all.at(-1)!] : all
  }

  /**
   * Minutes between these times and the target's own clock (R2): the Date of the answer, corrected by what the hook
   * shows now, because some get their Date from a gateway; where no answer has a Date, what the hook shows alone.
   */
  apart(lastDate: number | undefined, hookTime: number | undefined): Apart[] {
    const { dated, undated } = this.#furthest
    const date = dated.length > 0 ? lastDate : undefined
    if (date === undefined && hookTime === undefined) return []
    const furthest = date === undefined ? undated : dated
    const off = hookTime === undefined ? 0 : hookTime - (date ?? Date.now())
    return furthest.map(({ ahead, made, exchange }) => {
      const clock = made - ahead + off
      const words = `${this.#member} ${iso(made)}, where the clock is at ${iso(clock)}`
      return { minutes: (made - clock) / minute, words, exchange }
    })
  }
}

const iso = (value: number) => new Date(value).toISOString()
