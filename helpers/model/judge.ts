import { longestLife } from '../api/instant.ts'
import { kinds } from '../api/kinds.ts'
import { isObject } from '../api/received.ts'
import { succeeded } from '../http/call.ts'
import { encoded } from '../http/url.ts'
import { applyWrite } from './apply.ts'
import { judgeLifetime, mayHaveRole } from './assumed.ts'
import { applyExchange, judgeCredential, judgeExchange } from './credentials.ts'
import { type Finding, Judging, rolesChange, takenAgain } from './judging.ts'
import { judgeAlike } from './listed/alike.ts'
import { Foreign } from './listed/foreign.ts'
import { judgeList } from './listed/lists.ts'
import { Orders } from './listed/pages.ts'
import { Strangers } from './listed/strangers.ts'
import type { Closed } from './listed/windows.ts'
import { type Asked, askedBy, endedBy, isTrouble, type Observation, type Sent } from './observation.ts'
import { judgeGet } from './readings.ts'
import { judgeCode } from './shown/refusal-codes.ts'
import { judgeShape } from './shown/refusal-shapes.ts'
import { State, unset } from './state.ts'
import { judgeV1Groups } from './v1.ts'
import { judgeV1Others } from './v1-others.ts'
import { judgeWrite } from './writes.ts'
import { mayHaveEnded, noteTakenAgain } from './written/gone.ts'
import { judgeListedRoles, judgeOwnRole } from './written/roles.ts'

/** Called with each judgement when it is made, which may be later: writes that were under way come first. */
export type Judged = (seen: Observation, found: readonly Finding[]) => void

/** What the model knows besides the answers. */
export interface Options {
  /** The segment of v2 in paths. */
  version: string
  /** How long a target may lag, in milliseconds (R52). */
  patience: number
  judged: Judged
}

/** An answer that waits until every write under way at that time has ended. */
interface Held {
  seen: Observation
  asked: Asked | undefined
  /** The last ticket that was out when it came. */
  last: number
}

/** The contract as a program: it receives every call and every answer, and reports what does not fit. */
export class Judge {
  readonly state = new State()
  /** How often each row was judged. */
  readonly met = new Map<string, number>()
  readonly #options: Options
  readonly #orders = new Orders()
  readonly #foreign = new Foreign()
  readonly #strangers = new Strangers()
  /** The tickets of writes under way, the oldest first. */
  readonly #writing = new Set<number>()
  readonly #held: Held[] = []
  #tickets = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** A call goes out; returns the ticket to hand in with its answer. */
  sent(call: Sent): number {
    const ticket = ++this.#tickets
    if (writes(call)) this.#writing.add(ticket)
    return ticket
  }

  /** An answer came, or none will. */
  answered(ticket: number, seen: Observation): void {
    const asked = askedBy(seen, this.#options.version)
    this.#writing.delete(ticket)
    const isRefusable = seen.caller.is === 'bad' || this.#isSpent(seen)
    if (seen.at === 'auth') applyExchange(this.state, seen)
    else if (asked && writes(seen)) applyWrite(this.state, seen, asked, isRefusable)
    if (asked?.kind === 'groupInvites') mayHaveEnded(this.state, seen)
    if (asked && succeeded(seen) && !isRefusable) {
      const offered = `offered ${asked.kind}.${asked.does} ${asked.version}`
      const over = seen.over === 'grpc' ? 'over gRPC' : 'over HTTP'
      this.state.flags.add(offered).add(`${offered} ${over}`).add(`offered ${asked.kind} ${over}`)
    }
    const { page_token } = seen.query
    // one whose call failed may no longer work, or may lead on from another page (R14)
    const isVain = isTrouble(seen) && seen.status !== 429
    const isAgain = isObject(seen.json) && seen.json.nextPageToken === page_token
    if (page_token !== undefined && (isVain || isAgain)) this.state.wandering.add(page_token)
    this.#held.push({ seen, asked, last: this.#tickets })
    this.#release()
  }

  /** How long the target may lag, in milliseconds (R52). */
  get patience(): number {
    return this.#options.patience
  }

  /** The target's clock was moved. */
  moved(seconds: number): void {
    this.state.moved += seconds * 1000
  }

  /** True for a finding that something seen excuses, or something that was never seen. */
  isExcused({ about, unless, row }: Finding): boolean {
    const { flags } = this.state
    const holds = (excuse: string) => {
      const end = endedBy(excuse)
      return end === undefined ? flags.has(excuse) : !flags.has(end)
    }
    return row === '' || unless.some(holds) || about.some((uid) => flags.has(takenAgain(uid)))
  }

  /** True for a token of an exchange whose hour ended long ago (R40). */
  #isSpent({ caller, sent, moved }: Observation): boolean {
    const issued = caller.is === 'bearer' ? this.state.issued.get(caller.token) : undefined
    return caller.is === 'bearer' && (issued === undefined || sent + moved - issued.time > longestLife)
  }

  /** True for a refused call whose path spells a uid as no successful call has (R48). */
  #isSpelledOddly(seen: Observation): boolean {
    const [, rest = ''] = /^\/[^/]+\/[^/]+\/[^/]+\/(.*)$/.exec(seen.path) ?? []
    const segments = decodeURIComponent(rest).split('/').map(encoded)
    const slash = ['/', '%2F'].find((each) => rest === segments.join(each))
    if (slash === undefined || segments.length === 1) return slash === undefined && !succeeded(seen)
    if (succeeded(seen)) this.state.flags.add(`slashes as ${slash}`)
    return !this.state.flags.has(`slashes as ${slash}`)
  }

  #release(): void {
    const [oldest = Number.POSITIVE_INFINITY] = this.#writing
    const waiting = this.#held.findIndex(({ last }) => last >= oldest)
    for (const { seen, asked } of this.#held.splice(0, waiting < 0 ? this.#held.length : waiting)) {
      const judging = new Judging(this.state, seen, this.#options.patience, this.met)
      if (asked && succeeded(seen)) noteTakenAgain(this.state, seen, asked)
      if (!isTrouble(seen)) this.#judge(judging, asked)
      this.#options.judged(seen, judging.found)
    }
  }

  /** Judges what others own as soon as it is known not to have changed (R24). */
  #confirmByRereading(judging: Judging, asked: Asked): void {
    // roles of the run come and go, which a lagging list may not show (R52)
    if (asked.kind === 'roles' && this.state.made('roles').length > 0) return
    const known = this.#foreign.take(judging, asked)
    if (known) known.state.wandering = this.state.wandering
    const busy = `busy ${asked.kind}`
    if (this.#foreign.busy.has(asked.kind)) this.state.flags.add(busy)
    const isMoving = this.#foreign.moving.has(asked.kind)
    if (isMoving) this.state.flags.add(`moving ${asked.kind}`)
    if (isMoving && asked.kind === 'roles') this.state.flags.add(rolesChange)
    if (known) this.#judgeClosed(known, asked)
    if (known) this.#judgeAlike(judging.seen, known, asked.kind)
  }

  /** The same for what the run made beside things of the target's own (R50). */
  #judgeBesideStrangers(judging: Judging, asked: Asked): void {
    const closed = this.#strangers.take(judging, asked)
    if (closed === undefined) return
    closed.state.wandering = this.state.wandering
    this.#judgeClosed(closed, asked)
  }

  /** Judges what showed single things while the whole list stayed as it was (R24, R55). */
  #judgeAlike(last: Observation, unchanged: Closed, kind: Asked['kind']): void {
    for (const { seen, asked, known } of this.#foreign.alike.settled(kind, last, unchanged, this.patience)) {
      const judging = new Judging(this.state, seen, this.patience, this.met)
      judgeAlike(judging, asked, known)
      if (judging.found.length > 0) this.#options.judged(seen, judging.found)
    }
  }

  #judgeClosed({ ready, state, orders }: Closed, asked: Asked): void {
    // what came and went between two whole lists is in neither (R24)
    const busy = `busy ${asked.kind}`
    for (const each of ready) {
      const judging = new Judging(state, each, this.#options.patience, this.met)
      judgeList(judging, asked, orders)
      const found = judging.found.map((finding) => ({ ...finding, unless: [...finding.unless, busy] }))
      if (found.length > 0) this.#options.judged(each, found)
    }
  }

  #judge(judging: Judging, asked: Asked | undefined) {
    const { seen, state } = judging
    if (seen.at === 'auth') return judgeExchange(judging)
    if (asked === undefined || seen.caller.is === 'open') return
    if (seen.caller.is === 'bad' || this.#isSpent(seen)) {
      judgeCode(judging, asked)
      return judgeCredential(judging, asked)
    }
    if (seen.caller.is === 'bearer') judgeLifetime(judging, asked)
    // what an assumed identity may do is not shown (R41)
    if (seen.caller.is === 'bearer' && !(succeeded(seen) && mayHaveRole(judging, asked))) return
    if (seen.reads === 'perhaps' || this.#isSpelledOddly(seen)) return
    judgeCode(judging, asked)
    judgeShape(judging, asked)
    if (asked.kind === 'roles' && asked.does === 'list') noteRoles(state, seen)
    if (asked.kind === 'roles' && asked.version === 'v2') {
      const own = state.thing(uidOf(seen, asked), 'roles')
      if (asked.does === 'list') judgeListedRoles(judging)
      else if (own) return judgeOwnRole(judging, asked, own)
    }
    if (kinds[asked.kind].foreign && asked.version === 'v2' && !writes(seen) && seen.caller.is === 'own')
      this.#foreign.alike.take(seen, asked)
    if (kinds[asked.kind].foreign && asked.does === 'list') {
      this.#foreign.judgeApart(judging, asked)
      if (asked.kind === 'roles' && asked.version === 'v2') this.#foreign.judgeRoles(judging)
      this.#confirmByRereading(judging, asked)
    }
    if (asked.version === 'v1' && !writes(seen)) return this.#judgeV1(judging, asked)
    if (asked.does === 'list') {
      judgeList(judging, asked, this.#orders)
      return this.#judgeBesideStrangers(judging, asked)
    }
    if (asked.does === 'get') return judgeGet(judging, asked)
    judgeWrite(judging, asked)
    if (asked.version === 'v1') this.#judgeV1(judging, asked)
  }

  #judgeV1(judging: Judging, asked: Asked): void {
    if (asked.kind === 'groups') judgeV1Groups(judging, asked)
    else judgeV1Others(judging, asked, this.#foreign.knows)
  }
}

/** The uid of what a call names, or made. */
const uidOf = ({ json }: Observation, { does, uid = '' }: Asked) =>
  does === 'create' ? String((isObject(json) && json.uid) || '') : uid

const writes = ({ method, at }: Sent) => at === 'api' && ['POST', 'PATCH', 'PUT', 'DELETE'].includes(method)

function noteRoles(state: State, { json }: Observation): void {
  const { roles: known, flags } = state
  const roles = isObject(json) && Array.isArray(json.roles) ? json.roles : []
  for (const role of roles) {
    if (!isObject(role) || typeof role.uid !== 'string') continue
    // the run may change its own
    if (state.thing(role.uid, 'roles')) continue
    const texts = known.get(role.uid) ?? { name: new Set(), description: new Set() }
    if (texts.name.size > 0 && !texts.name.has(role.name)) flags.add(rolesChange)
    texts.name.add(role.name)
    known.set(role.uid, texts)
    // a list may omit what a binding embeds (R9)
    if (unset(role.description) === '') continue
    if (texts.description.size > 0 && !texts.description.has(role.description)) flags.add(rolesChange)
    texts.description.add(role.description)
  }
}
