import { instant } from '../api/instant.ts'
import { isObject, isReceived, type Received, uids } from '../api/received.ts'
import { problems } from '../assertions/schema.ts'
import { usualTimeForm } from '../assertions/timestamps.ts'
import { notUtf8 } from '../http/body.ts'
import { type Answer, beginningOf, succeeded } from '../http/call.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Query } from '../http/url.ts'
import {
  doubledDetail,
  errorDomains,
  indiscretion,
  isOfPrintedCreate,
  isOfUnshownKind,
  isServerFault,
  isStated,
  nullIn,
  refusesAsSuccess,
  resourcesIn,
  timesOf,
} from './answer-checks.ts'
import { Precision } from './precision.ts'
import { SpentUids } from './spent-uids.ts'
import { StampedTimes } from './stamped-times.ts'
import { Tally } from './tally.ts'

/** A time in a wrong form. */
interface BadTime {
  member: string
  value: string
  expected: string[]
}

/** A total, and the one that was expected. */
interface Total {
  total: unknown
  wanted: string
}

/** A list that nobody changes, and the totals that it showed. */
interface Unchanging {
  scope: Query
  wanted: ReadonlySet<string>
  totals: Tally<Total>
  /** Those that count less than the run made. */
  shortTotals: Tally<Total>
  /** Set where the target put something of its own there. */
  holdsOthers: boolean
  /** From when on a reading must have caught up (R52). */
  isOldAt: number
}

/**
 * Judges what only the whole run shows. Every answer is judged when it comes, and dropped: a run has thousands, and
 * only wrong ones are needed as evidence.
 */
export class AllAnswers {
  readonly successes = new Tally<never>()
  readonly refusals = new Tally<never>()
  readonly bodies = { typed: new Tally<string>(), encoded: new Tally<string>() }
  readonly times = {
    shown: new Tally<BadTime>(),
    unshown: new Tally<BadTime>(),
    form: new Tally<string>(),
    /** How many digits the fractions have. */
    digits: new Set<number>(),
  }
  readonly precision = new Precision()
  readonly createTimes = new StampedTimes('createTime', 'createdAt')
  readonly spentUids = new SpentUids()
  readonly updateTimes = new StampedTimes('updateTime', 'updatedAt')
  /** How many domains errors name, and the first two that differ. */
  readonly domains = { http: noDomains(), grpc: noDomains() }
  readonly nulls = new Tally<string>()
  /** The server's own faults, by status. */
  readonly faults = new Tally<number>()
  readonly indiscretions = new Tally<string>()
  readonly falseSuccesses = new Tally<string>()
  readonly doubledDetails = new Tally<string>()
  /** Of lists that nobody changes: their totals, and their contents. */
  readonly shown = new Tally<string[]>()
  readonly headerNames = new Set<string>()
  /** The last Date of an answer, in milliseconds since 1970. */
  lastDate: number | undefined
  #date: string | undefined
  readonly #unchanging: Unchanging[] = []
  /** The groups that the run made. */
  readonly #created = new Set<string>()
  readonly #forms = new Map<string, { expected: string[]; usual: boolean; digits?: number }>()
  readonly #patience: number

  /** `patience`: how long a reading may lag, in milliseconds. */
  constructor(patience = 0) {
    this.#patience = patience
  }

  /** From now on nobody changes the results of this query. */
  nobodyChanges(scope: Query, resources: readonly Received[]): void {
    const [totals, shortTotals] = [new Tally<Total>(), new Tally<Total>()]
    const isOldAt = performance.now() + this.#patience
    this.#unchanging.push({ scope, wanted: new Set(uids(resources)), totals, shortTotals, holdsOthers: false, isOldAt })
  }

  /** The totals of such lists; where the target put groups of its own, only too small ones are wrong (R50). */
  get totals(): Tally<Total> {
    const all = new Tally<Total>()
    for (const { totals, shortTotals, holdsOthers } of this.#unchanging) {
      const { met, astray } = holdsOthers ? shortTotals : totals
      all.met += met
      all.astray.push(...astray)
    }
    return all
  }

  /** Notes what the end of the run judges in an answer. */
  note(answer: Answer, query: Query = {}): void {
    for (const name of Object.keys(answer.headers)) this.headerNames.add(name)
    this.#noteDate(answer.headers.date)
    if (isServerFault(answer)) this.faults.note(answer, answer.status)
    if (succeeded(answer)) this.#noteSuccess(answer, query)
    else this.#noteRefusal(answer)
  }

  /** Many answers have the same Date. */
  #noteDate(date: string | undefined): void {
    if (date === undefined || date === this.#date || Number.isNaN(instant(date))) return
    this.#date = date
    this.lastDate = instant(date)
  }

  #noteSuccess(answer: Answer, query: Query): void {
    const resources = resourcesIn(answer)
    this.successes.note(answer)
    this.spentUids.note(answer)
    this.nulls.note(answer, nullIn(answer, resources))
    if (refusesAsSuccess(answer)) this.falseSuccesses.note(answer, inShort(answer))
    if (answer.text !== '' && answer.over === undefined) this.#noteBody(answer)
    for (const resource of resources) for (const time of timesOf(resource)) this.#noteTime(answer, time)
    if (isReceived(answer.json) && answer.over === undefined)
      this.precision.note(answer.exchange.operation, answer.json)
    if (answer.exchange.operation.endsWith('.create')) {
      if (isOfPrintedCreate(answer)) this.createTimes.note(answer)
      for (const { uid } of resources) this.#created.add(uid)
    }
    if (answer.exchange.operation.endsWith('.update')) this.updateTimes.note(answer)
    if (answer.exchange.operation === 'group.list' && answer.exchange.phase === 'act') this.#noteListed(answer, query)
  }

  #noteRefusal(answer: Answer): void {
    this.refusals.note(answer)
    this.indiscretions.note(answer, indiscretion(answer))
    if (isStated(answer)) this.doubledDetails.note(answer, doubledDetail(answer))
    for (const domain of errorDomains(answer)) this.#noteDomain(answer, domain)
  }

  #noteDomain({ exchange, over }: Answer, domain: unknown): void {
    const domains = this.domains[over ?? 'http']
    domains.met++
    const known = domains.unlike.length === 2 || domains.unlike.some((other) => other.domain === domain)
    if (!known) domains.unlike.push({ domain, exchange })
  }

  #noteBody(answer: Answer): void {
    const { headers, notJson } = answer
    const type = headers['content-type'] ?? 'no content type'
    this.bodies.typed.note(answer, /^application\/([\w.-]+\+)?json\b/i.test(type) ? undefined : type)
    this.bodies.encoded.note(answer, notJson === notUtf8 ? notJson : undefined)
  }

  #noteTime(answer: Answer, { member, value }: { member: string; value: string }): void {
    const { expected, usual, digits } = this.#formOf(value)
    const tally = isOfUnshownKind(answer) ? this.times.unshown : this.times.shown
    tally.note(answer, expected.length > 0 ? { member, value, expected } : undefined)
    // the target does not choose how a message's time is written
    if (answer.over === 'grpc') return
    this.times.form.note(answer, usual ? undefined : value)
    if (digits !== undefined) this.times.digits.add(digits)
  }

  /** The same times occur again and again. */
  #formOf(value: string) {
    const known = this.#forms.get(value)
    if (known) return known
    const expected = problems(value, 'timestamp').map((problem) => problem.expected)
    const [written, digits = ''] = /T\d\d:\d\d:\d\d(?:\.(\d+))?/.exec(value) ?? []
    const form = { expected, usual: usualTimeForm.test(value), ...(written !== undefined && { digits: digits.length }) }
    this.#forms.set(value, form)
    return form
  }

  #noteListed(answer: Answer, query: Query): void {
    const { json } = answer
    const list = this.#unchanging.find(({ scope }) => isOnlyOf(scope, query))
    if (list === undefined || !isObject(json) || !Array.isArray(json.groups)) return
    const { scope, wanted } = list
    const isOld = performance.now() - answer.exchange.ms >= list.isOldAt
    const listed = uids(resourcesIn(answer))
    const others = listed.filter((uid) => !wanted.has(uid))
    list.holdsOthers ||= others.length > 0
    const [home] = Object.values(scope)
    const isOutside = (uid: string) => this.#created.has(uid) || !uid.startsWith(`${home}/`)
    // an item that never belonged is no lag
    const strange = (isOld && new Set(listed).size < listed.length) || others.some(isOutside)
    if (listed.length > 0) this.shown.note(answer, strange ? listed : undefined)
    // an empty result may omit its total (R13)
    if (json.groups.length === 0 && json.totalCount === undefined) return
    const total = String(wanted.size)
    const isRight = json.totalCount === total
    if (!isRight && !isOld) return
    const shown = { total: json.totalCount, wanted: total }
    list.totals.note(answer, isRight ? undefined : shown)
    list.shortTotals.note(answer, Number(json.totalCount) >= wanted.size ? undefined : shown)
  }
}

const noDomains = () => ({ met: 0, unlike: [] as { domain: unknown; exchange: Exchange }[] })

/** The parameters that do not change the set of results. */
const harmless = ['page_size', 'page_token', 'skip', 'order_by']

/** True where a query asks for this scope alone, with any page, size, skip and order. */
function isOnlyOf(scope: Query, query: Query): boolean {
  const asked = Object.entries(query).filter(([name, value]) => value !== undefined && !harmless.includes(name))
  return asked.length === Object.keys(scope).length && asked.every(([name, value]) => scope[name] === value)
}

const inShort = ({ status, text }: Answer) => `${status} ${beginningOf(text)}`
