import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Call, codeIn, isNotFound, isThrottled, succeeded } from '../http/call.ts'
import { betweenForbidden } from '../http/waits.ts'
import { type Kind, type KindName, kinds } from './kinds.ts'
import { isObject } from './received.ts'
import { tooLong } from './resource-path.ts'

/** The part of an answer that is judged. */
type Refusal = Pick<Answer, 'status' | 'json'>

/** True for a refusal of rights: code 7, or a 403 that mentions neither a quota nor a name. */
export function isForbidden(answer: Refusal): boolean {
  const code = codeIn(answer)
  return (answer.status === 403 && code !== 8 && !isForName(answer)) || (!succeeded(answer) && code === 7)
}

/**
 * True where a valid call is refused for something that the contract does not show: rights, quotas, depth, long addresses,
 * taken names, simultaneous writes, or trusted issuers (R56). Such a refusal says nothing about the target.
 */
export function isSoftRefusal(answer: Refusal): boolean {
  if (succeeded(answer)) return false
  const code = codeIn(answer) ?? 0
  return (
    [403, 409, ...tooLong].includes(answer.status) ||
    isThrottled(answer) ||
    softCodes.includes(code) ||
    distrusted(answer) !== undefined
  )
}

/** ALREADY_EXISTS, PERMISSION_DENIED, RESOURCE_EXHAUSTED, FAILED_PRECONDITION, ABORTED. */
export const softCodes: readonly number[] = [6, 7, 8, 9, 10]

/**
 * The member named by a refusal of code 3 where the target does not trust an issuer, or does not bind a role (R56): by a
 * violation, or by the message of an error without violations.
 */
export function distrusted(answer: Refusal): 'claimMatch' | 'role' | undefined {
  if (succeeded(answer) || codeIn(answer) !== 3) return undefined
  const fields = violationsIn(answer).join(' ')
  const named = fields || messageIn(answer)
  if (/claim|issuer|subject/i.test(named)) return 'claimMatch'
  // a message may name role bindings, which are no roles
  return (fields ? /role/i : /\brole(s|_?uid)?\b/i).test(named) ? 'role' : undefined
}

const messageIn = ({ json }: Refusal) => (isObject(json) ? String(json.message) : '')

/** True for the refusal of a name (S7.5), whatever its status. */
export function isForName(answer: Refusal): boolean {
  return !succeeded(answer) && codeIn(answer) === 3 && violationsIn(answer).includes('name')
}

/** True for a refusal as invalid that blames neither a name nor what the target need not trust. */
export function isInvalid(answer: Refusal): boolean {
  const isMistake = [400, 422].includes(answer.status) && (codeIn(answer) ?? 3) === 3
  return isMistake && !isForName(answer) && distrusted(answer) === undefined
}

/** The fields named by the violations in the details of an error. */
export function violationsIn({ json }: Pick<Refusal, 'json'>): string[] {
  const details = isObject(json) && Array.isArray(json.details) ? json.details.filter(isObject) : []
  return details
    .flatMap(({ fieldViolations, violations }) => [fieldViolations, violations].filter(Array.isArray).flat())
    .flatMap((violation) => (isObject(violation) && typeof violation.field === 'string' ? [violation.field] : []))
}

/** Those of identities whose paths only follow the pattern of groups (S4.3). */
const followed: readonly string[] = ['list', 'get', 'update']

/** True for an operation such as `identity.get`, whose path the contract does not print (R49). */
export function isOptional(operation: string): boolean {
  if (operation.startsWith('v1.')) return !['v1.group.list', 'v1.repo.list'].includes(operation)
  const [name, done = ''] = operation.replace(/^grpc\./, '').split('.')
  const kind: Kind | undefined = Object.values(kinds).find((one) => one.name === name)
  if (kind === undefined) return false
  const { printed } = kind
  return name === kinds.identities.name ? followed.includes(done) : !(printed as readonly string[]).includes(done)
}

/** True where an operation does not exist, whatever the resource (R49): 405, 501, or an error of code 12. */
export function isUnimplemented(answer: Refusal): boolean {
  return [405, 501].includes(answer.status) || (!succeeded(answer) && codeIn(answer) === 12)
}

/** How long ago a call was sent, in milliseconds. */
const sinceSent = ({ exchange }: Answer) => Math.max(0, Date.now() - Date.parse(exchange.sentAt))

/** How long the target may take until a write takes effect (R52), in milliseconds. */
export interface Patience {
  /** For readings of what was written: lists, Gets, embedded objects, v1, deletions. */
  readings: number
  /** For exchanges and rights. */
  rights: number
}

/** The first answer about something younger than this shows whether rights spread, in milliseconds. */
const veryNew = 1_000

/**
 * Decides which valid calls are repeated because they came too early: rights spread (R56), and so does knowledge of a
 * group, to lists and creates in it (R15, R52).
 */
export class SecondChances {
  readonly #patience: Patience
  readonly #hasAnswered: (operation: string) => boolean
  /** Operations that stayed forbidden: the token lacks the right, and nothing waits for it again. */
  readonly #lacking = new Set<string>()
  /** True once a call was forbidden first and allowed later: this target spreads rights. */
  #spreads = false
  /** Calls on something new that were forbidden. */
  readonly #forbidden = new WeakSet<Call>()
  /** Operations that were allowed at once on something new, or stayed forbidden there. */
  readonly #settled = new Set<string>()
  /** Calls in a new group that were answered as missing, and operations that stayed so. */
  readonly #early = new WeakSet<Call>()
  readonly #hopeless = new Set<string>()
  /** Calls that were answered as invalid and are made again. */
  readonly #unknown = new WeakSet<Call>()

  /** Operations whose valid calls stayed invalid: nothing waits for them again. */
  readonly #invalid = new Set<string>()
  /** True once a valid call was invalid first and succeeded later: this target refuses so what it does not know yet. */
  #refusesUnknown = false

  /** `hasAnswered`: whether an operation was answered with 2xx in this run. */
  constructor(patience: Patience, hasAnswered: (operation: string) => boolean) {
    this.#patience = patience
    this.#hasAnswered = hasAnswered
  }

  /**
   * Makes a valid call, and repeats it while it is forbidden, or invalid while the target may not know yet what it names;
   * returns its last answer. `isNew`: whether that was made within so many milliseconds.
   */
  async allow(call: () => Promise<Answer>, isNew: (within: number) => boolean = () => false): Promise<Answer> {
    let answer = await this.#known(call, isNew)
    if (!isForbidden(answer)) return answer
    const started = performance.now()
    const { operation } = answer.exchange
    while (isForbidden(answer) && !this.#lacking.has(operation)) {
      if (performance.now() - started >= this.#patience.rights) this.#lacking.add(operation)
      else {
        await sleep(betweenForbidden)
        answer = await call()
      }
    }
    this.#spreads ||= succeeded(answer)
    return answer
  }

  /** What is missing may be refused as invalid (R38). */
  async #known(call: () => Promise<Answer>, isNew: (within: number) => boolean): Promise<Answer> {
    let answer = await call()
    const { operation } = answer.exchange
    const isHopeless = this.#invalid.has(operation) && !this.#refusesUnknown
    if (!isInvalid(answer) || isHopeless) return answer
    // what was new when the call was sent, however late the answer is
    const isEarly = () => isNew(this.#patience.readings + sinceSent(answer))
    if (!isEarly()) return answer
    while (isInvalid(answer) && isEarly()) {
      await sleep(betweenForbidden)
      answer = await call()
    }
    if (succeeded(answer)) this.#refusesUnknown = true
    else if (isInvalid(answer)) this.#invalid.add(operation)
    return answer
  }

  /**
   * Whether to repeat a call; `wasMade`: whether what it names was made within so many milliseconds, and `isPlain`: whether
   * nothing but that can be invalid.
   */
  isTooEarly(
    call: Call,
    answer: Answer,
    wasMade: (within: number, kind?: KindName) => boolean,
    isPlain = false,
  ): boolean {
    const isNew = (within: number, kind?: KindName) => wasMade(within + sinceSent(answer), kind)
    const isSpreading = this.#isSpreading(call, answer, isNew)
    // an Update or a Delete names the new thing itself
    const kinds = /\.(update|delete)$/.test(call.operation) ? [undefined] : (['groups', 'identities'] as const)
    const isEarly = kinds.some((kind) => isNew(this.#patience.readings, kind))
    return isSpreading || this.#isOfNew(call, answer, isEarly, isPlain)
  }

  #isSpreading(call: Call, answer: Answer, isNew: (within: number) => boolean): boolean {
    const { operation } = call
    const wasForbidden = this.#forbidden.has(call)
    if (succeeded(answer)) {
      this.#spreads ||= wasForbidden
      if (!wasForbidden && isNew(veryNew)) this.#settled.add(operation)
    }
    if (!isForbidden(answer) || (this.#settled.has(operation) && !this.#spreads)) return false
    if (isNew(this.#patience.rights)) this.#forbidden.add(call)
    else if (wasForbidden) this.#settled.add(operation)
    return isNew(this.#patience.rights)
  }

  /** For a list or a create in a new group, a binding of a new identity, and an Update or a Delete of what is new. */
  #isOfNew(call: Call, answer: Answer, isNew: boolean, isPlain: boolean): boolean {
    const { operation } = call
    if (succeeded(answer) && this.#unknown.has(call)) this.#refusesUnknown = true
    const isMissing = isNotFound(answer) || (!succeeded(answer) && codeIn(answer) === 5)
    const isUnknown = isMissing || ((this.#refusesUnknown || isPlain) && isInvalid(answer))
    if (!/\.(list|create|update|delete)$/.test(operation) || !isUnknown || this.#hopeless.has(operation)) return false
    if (isNew && isInvalid(answer)) this.#unknown.add(call)
    if (isNew) this.#early.add(call)
    else if (this.#early.has(call) && !this.#hasAnswered(operation)) this.#hopeless.add(operation)
    return isNew
  }
}
