import type { KindName } from '../api/kinds.ts'
import { beginningOf, codeIn } from '../http/call.ts'
import { type Aspect, type Cited, sentences } from './clauses.ts'
import { rolesIn } from './listed/readers.ts'
import { type Observation, untilSeen } from './observation.ts'
import type { Fit } from './register.ts'
import { rowOf } from './rows.ts'
import type { State, Thing } from './state.ts'

/** Something that an answer shows and the contract does not allow. */
export interface Finding {
  row: string
  /** The number of the exchange that shows it. */
  n: number
  /** The words of the contract that it breaks, with their number, where the row quotes others. */
  quote?: string
  /** How far the target's clock had been moved by then, in milliseconds. */
  moved: number
  expected: string
  got: string
  /** The uids it concerns: their history explains it. */
  about: readonly string[]
  /** The numbers of other exchanges that belong to it. */
  beside: readonly number[]
  /** True where a lagging target may still become right: the call is made again (R52). */
  soft: boolean
  /** What would excuse it if seen at any time of the run. */
  unless: readonly string[]
}

/** The flag of a uid that was deleted, and then given to something of the target's own (R28, R50). */
export const takenAgain = (uid: string): string => `taken again ${uid}`

/** What a judgement concerns, what would excuse it, and the sentence that is broken. */
export interface Details {
  about?: readonly string[]
  beside?: readonly number[]
  soft?: boolean
  unless?: readonly string[]
  breaks?: Cited
}

/** The judgement of one answer: what was looked at, and what was found. */
export class Judging {
  found: Finding[] = []
  readonly state: State
  readonly seen: Observation
  readonly patience: number
  readonly #met: Map<string, number>

  constructor(state: State, seen: Observation, patience: number, met: Map<string, number>) {
    this.state = state
    this.seen = seen
    this.patience = patience
    this.#met = met
  }

  /** The same judgement, of a reading that may show the state since that time. */
  from(sent: number): Judging {
    const judging = new Judging(this.state, { ...this.seen, sent }, this.patience, this.#met)
    judging.found = this.found
    return judging
  }

  /** The answer, as a finding shows it. */
  get came(): string {
    return `${this.seen.status} ${this.seen.text}`.trimEnd()
  }

  /** A view, with the protocol of the answer (R52). */
  through(view: string): string {
    return this.seen.over === undefined ? view : `${view} over gRPC`
  }

  /**
   * Which copy the answer may be from: another path or other parameters, each API token, and each page that a page token
   * leads to may have one that lags on its own (R52).
   */
  get copy(): string {
    const { path, query, method, n, caller } = this.seen
    // its end is of one token alone
    const whose = caller.is === 'bearer' ? caller.token.slice(-24) : ''
    const asked: unknown[] = query.page_token === undefined ? Object.entries(query).sort() : [n]
    this.#copy ??= JSON.stringify(method === 'GET' ? [whose, path, ...asked] : [whose])
    return this.#copy
  }

  #copy: string | undefined

  /**
   * The excuse of a list for an assumed identity that lacks something: which kinds a role covers is not shown, until one
   * list of that kind for the same roles holds all (R41), in each version.
   */
  unlessCovered(kind: KindName, version: 'v1' | 'v2' = 'v2'): string[] {
    return this.seen.caller.is === 'bearer' ? [untilSeen(this.#covered(kind, version))] : []
  }

  /** An assumed identity was shown all of a kind. */
  covers(kind: KindName, version: 'v1' | 'v2' = 'v2'): void {
    if (this.seen.caller.is === 'bearer') this.state.flags.add(this.#covered(kind, version))
  }

  #covered = (kind: KindName, version: string): string =>
    `offered all ${kind} of ${version} to an assumed identity with ${rolesIn(this.state, this.seen)}`

  /** Counts a judgement of a row, and records what it found; a function gives what is costly to write. */
  row(row: string, holds: boolean, expected: unknown, got: unknown, details: Details = {}): void {
    this.#count(row)
    if (holds) return
    const { about = [], beside = [], soft = false, breaks } = details
    // the token of the run may have ended (R56)
    const isEnd = this.seen.status === 401 && this.seen.caller.is === 'own'
    const unless = [...(details.unless ?? []), ...(isEnd ? [tokenEnded] : [])]
    const { n, moved } = this.seen
    const differs = { expected: shown(expected), got: shown(got) }
    const quote = breaks && { quote: `${breaks.split(' ')[0]}: ${sentences[breaks]}` }
    this.found.push({ row, ...quote, n, moved, ...differs, about, beside, soft, unless })
  }

  /** The same for an aspect of a kind. */
  check(kind: KindName, aspect: Aspect, holds: boolean, expected: unknown, got: unknown, details: Details = {}): void {
    // content of these kinds counts as what they embed, or only as being listed
    const content =
      kind === 'roleBindings' ? 'embedded' : kind === 'advisories' || kind === 'groupInvites' ? 'members' : 'content'
    const isContent = aspect === 'content' || (aspect === 'time' && kind === 'repos')
    const row = rowOf(kind, isContent ? content : aspect)
    if (holds) return void this.#count(row)
    // a service of gRPC that is unknown under its published name says nothing, nor does a proxy's 404 for it (R60)
    const code = codeIn(this.seen) ?? (this.seen.status === 404 ? 12 : undefined)
    const isUnnamed = aspect === 'answer' && this.seen.over === 'grpc' && code === 12
    const unless = [...(details.unless ?? []), ...(isUnnamed ? [untilSeen(`offered ${kind} over gRPC`)] : [])]
    this.row(row, holds, expected, got, { ...details, unless })
  }

  /** Counts a judgement of an aspect of a kind that holds. */
  holds(kind: KindName, aspect: Aspect): void {
    this.check(kind, aspect, true, '', '')
  }

  #count(row: string): void {
    this.#met.set(row, (this.#met.get(row) ?? 0) + 1)
  }

  /** The same for a reading of a register; a value that was true once may still become right (R52). */
  reading(
    kind: KindName,
    aspect: Aspect,
    fit: Fit,
    expected: unknown,
    got: unknown,
    at: number,
    about: string,
    breaks: Cited,
  ) {
    const soft = fit === 'late' && this.isYoung(at)
    const due = fit === 'back' ? () => `${shown(expected)}, as such a reading showed before (R52)` : expected
    this.check(kind, aspect, fit === 'fits', due, got, { about: [about], soft, breaks })
  }

  /** The excuse of a target that does not know yet what was written then (R52). */
  unlessLate(answered: number): string[] {
    return this.isYoung(answered) ? ['lag'] : []
  }

  /** True where what was written then may not show yet (R52); what existed before the run always did. */
  isYoung(answered: number): boolean {
    return answered > 0 && this.seen.sent - answered < this.patience
  }
}

/** The flag of a run whose own token was refused where only the token can be the reason (R56). */
export const tokenEnded = 'the token of the run ended'

/** The flag of a target whose roles changed their name or description: a role may be newer than any list (R24). */
export const rolesChange = 'others change roles'

/** The flag of a target that binds an identity a little after its delete (R52). */
export const bindsLate = 'late to refuse binding'

/** Some values in JSON, each once. */
export const oneOf = (values: readonly unknown[]) =>
  [...new Set(values.map((value) => JSON.stringify(value)))].join(' or ')

function shown(given: unknown): string {
  const value: unknown = typeof given === 'function' ? given() : given
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return beginningOf(text, 300)
}

/** The most calls shown with a finding. */
const most = 14
/** The most writes on one thing: its create and its last ones; and the most refused ones. */
const [mostOfOne, mostRefused] = [5, 2]

/** The numbers of the exchanges that explain a finding: writes on what it names, and on the groups above. */
export function sliceOf(state: State, { n, about, beside }: Finding): number[] {
  const things = about.flatMap((uid) => state.under(uid))
  const bound = things.flatMap(({ binds }) =>
    binds.identity.writes.flatMap(({ value }) => state.thing(String(value), 'identities') ?? []),
  )
  const around = things.flatMap((thing) => state.upwards(thing)).slice(0, 4)
  const inside = things.flatMap(({ below }) => [...below.values()].flat()).slice(-3)
  const own = [...things, ...bound].flatMap(historyOf)
  const others = [...around, ...inside].map(({ history }) => history[0]!)
  const numbers = new Set([n, ...beside, ...own, ...others])
  return [...numbers].slice(0, most).sort((a, b) => a - b)
}

function historyOf({ history, refused }: Thing): number[] {
  const written = history.length <= mostOfOne ? history : [history[0]!, ...history.slice(1 - mostOfOne)]
  return [...written, ...refused.slice(-mostRefused)]
}
