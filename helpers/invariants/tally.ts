import type { Answer } from '../http/call.ts'
import type { Exchange } from '../http/exchange.ts'

/** How often something occurred in the answers of a run, and the first three wrong ones, with their exchanges. */
export class Tally<What> {
  met = 0
  readonly astray: { what: What; exchange: Exchange }[] = []

  /** Counts an answer; `what` says what is wrong with it. */
  note({ exchange }: Answer, what?: What): void {
    this.met++
    if (what !== undefined && this.astray.length < 3) this.astray.push({ what, exchange })
  }
}
