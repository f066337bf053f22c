import { apiOver } from '../api/api.ts'
import { instant } from '../api/instant.ts'
import { uids } from '../api/received.ts'
import type { Run } from '../arrange/run.ts'
import type { Log } from '../http/call.ts'
import { Inconclusive } from '../http/case-errors.ts'
import type { Exchange } from '../http/exchange.ts'
import { type Kept, readKept, toTheMinute, window, writeKept } from './deferred-tokens.ts'
import { apiFor, type ExpiringQuery, expiringQueries } from './expiring-lists.ts'
import { type ExpiringTokens, outcome, type Spent, spent } from './page-token-expiry.ts'

/** Spends kept page tokens whose time has come. */
export class Spending {
  readonly kept: Kept
  /** What was sent for each list. */
  readonly exchanges: Partial<Record<ExpiringQuery, Exchange[]>> = {}
  readonly #path: string
  readonly #run: Run

  constructor(run: Run, path: string) {
    this.kept = readKept(path)
    this.#path = path
    this.#run = run
  }

  /** How long ago the tokens were issued, in milliseconds: by the target's own clock if it shows it. */
  async age(log: Log): Promise<number> {
    const { issued } = this.kept
    const { headers } = await apiOver(this.#run, log).roles.list({ page_size: 1 })
    const byTarget = instant(headers.date) - instant(issued.target)
    return Number.isNaN(byTarget) ? Date.now() - instant(issued.here) : byTarget
  }

  /** The results of tokens that should continue. */
  async justBefore(age: number): Promise<Record<ExpiringQuery, Spent>> {
    const from = () => `${this.#at(age, window.from)} to ${this.#at(age, window.until)}`
    if (age < window.from) return this.#all(async () => undecided(`it is too early: come back from ${from()}`))
    if (age > window.until) return this.#all(async () => undecided(`it is too late: the time was from ${from()}`))
    return this.#all((name, log) => this.#spend(name, 'justBefore', log))
  }

  /** The results of tokens that should start over. */
  async justAfter(age: number): Promise<Record<ExpiringQuery, Spent>> {
    const from = () => this.#at(age, window.after)
    if (age < window.after) return this.#all(async () => undecided(`it is too early: come back from ${from()} on`))
    return this.#all((name, log) => this.#spend(name, 'justAfter', log))
  }

  /** When the tokens reach this age, for people. */
  #at(age: number, ms: number): string {
    return toTheMinute(new Date(Date.now() - age + ms))
  }

  async #all(spendOne: (name: ExpiringQuery, log: Log) => Promise<Spent>): Promise<Record<ExpiringQuery, Spent>> {
    const spendIfKept = async (name: ExpiringQuery): Promise<Spent> => {
      if (this.kept.lists[name] === undefined) return undecided(notKept)
      this.exchanges[name] ??= []
      const exchanges = this.exchanges[name]
      return spendOne(name, { phase: 'arrange', exchanges }).catch((error) => () => {
        throw error
      })
    }
    const all = await Promise.all(expiringQueries.map(async (name) => [name, await spendIfKept(name)] as const))
    return Object.fromEntries(all) as Record<ExpiringQuery, Spent>
  }

  async #spend(name: ExpiringQuery, which: Exclude<keyof ExpiringTokens, 'again'>, log: Log): Promise<Spent> {
    const { kind, query, head, newest, tokens, ...over } = this.kept.lists[name]!
    const { [which]: token, ...others } = tokens
    if (!token) return undecided(`no such token is left in ${this.#path}: one is spent only once`)
    const now = uids((await apiFor(this.#run, log, over)[kind].list({ ...query, page_size: 3 })).items)
    this.kept.lists[name]!.tokens = others
    writeKept(this.#path, this.kept)
    const { token: page_token, page_size } = token
    const act = apiFor(this.#run, { ...log, phase: 'act' }, over)[kind]
    const came = await outcome(act.list({ ...query, page_size, page_token }))
    const wanted = which === 'justBefore' ? head.slice(1, 2) : now.slice(0, page_size)
    return spent(
      came,
      wanted,
      newest ?? Number.NaN,
      now.join() === head.join() ? undefined : `the ${kind} changed meanwhile`,
    )
  }
}

/** True where the tokens are too young to decide anything about days. */
export const tooYoung = (age: number) => age < window.from
/** The time until the last token can be decided, in milliseconds. */
export const untilAfter = (age: number) => window.after - age

const notKept = 'the earlier run kept no page tokens of this list: that takes --for-resume'

const undecided =
  (why: string): Spent =>
  () => {
    throw new Inconclusive(why)
  }

/** A token that was kept is removed from its file before it is sent (R14). */
export const spentOnce = undecided('a page token that an earlier run kept is sent only once')
