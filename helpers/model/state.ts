import type { KindName } from '../api/kinds.ts'
import { isObject } from '../api/received.ts'
import type { Observation } from './observation.ts'
import { Register, type Write } from './register.ts'
import { OwnThings } from './shown/own-things.ts'
import { TargetClock } from './shown/target-clock.ts'
import type { Issued, Token } from './tokens.ts'

/** A claim match as far as the contract shows it (S2.11). */
export interface ClaimMatch {
  issuer?: unknown
  subject?: unknown
}

/** Something that the run made, with all that was written to it. */
export interface Thing {
  readonly kind: KindName
  readonly uid: string
  /** The group in the path of its create. */
  readonly parent: string
  readonly alive: Register<boolean>
  readonly name: Register<unknown>
  /** Empty where it is not set (R6). */
  readonly description: Register<unknown>
  readonly claimMatch: Register<ClaimMatch>
  /** What a binding was made to bind. */
  readonly identityUid?: string
  readonly roleUid?: string
  /** The uids of what it binds: certain where the answer to an Update showed them (R49). */
  readonly binds: Readonly<Record<'identity' | 'role', Register<unknown>>>
  /** What was shown once and never changes, and the target's time when it was made, in milliseconds since 1970. */
  createTime?: number
  readonly madeAt?: number
  /** The newest updateTime shown, the time of its last reading, and since when it was shown. */
  updateTime?: { value: number; from: number; to: number; since: number }
  /** Of a group: whether a client asked for `verified`, which values were shown, and when it was first withdrawn. */
  readonly verification: { asked?: boolean; shownFalse?: boolean; shownTrue?: boolean; takenBack?: number }
  /** Of a group: the limits shown one after the other, from when to when, and by which exchange first. */
  readonly limits: { text: string; since: number; to: number; n: number }[]
  /** The newest lastSeenTime that each view has shown, and when. */
  readonly seenTimes: Map<string, { value: number; at: number }>
  /** When the last write on it was refused, to any caller. */
  attempted: number
  /** When the last one with a valid credential was refused: it may still have moved updateTime (R29). */
  refusedToGood: number
  /** The numbers of the exchanges that wrote to it, and of those that tried and were refused. */
  readonly history: number[]
  readonly refused: number[]
  /** Of a group: what was made in it. */
  readonly below: Map<KindName, Thing[]>
  /** Of a group: every write at or below it, in the order of the answers. */
  readonly log: Touch[]
  /** True for what the target put there itself (R50). */
  readonly alien?: true
}

/** One write at or below a group. */
export interface Touch {
  sent: number
  answered: number
  n: number
  /** What was written to. */
  thing: Thing
}

/** A Create or Update that a target accepted on something just deleted, while it may still have lagged. */
export interface TakenLate {
  kind: KindName
  does: 'create' | 'update'
  /** What was deleted, the parent of what was to be made. */
  uid: string
  over: Observation['over']
  query: Observation['query']
  body: unknown
  answered: number
}

/** An absent member and an empty one are the same (R6, R46). */
const sameClaims = (a: ClaimMatch, b: ClaimMatch) =>
  (a.issuer ?? '') === (b.issuer ?? '') && (a.subject ?? '') === (b.subject ?? '')

/** Everything the model knows of a target: what the run made, and what was shown. */
export class State {
  /** By uid: the contract does not say that kinds share no uid (S2.1). */
  readonly #things = new Map<string, readonly Thing[]>()
  readonly #byKind = new Map<KindName, Map<string, Thing>>()
  readonly #tokens = new Map<string, Token[]>()
  /** Tokens that came back with another page of their own walk, or were sent in vain: they show no place (R14). */
  wandering = new Set<string>()
  readonly issued = new Map<string, Issued>()
  /** The exchanges that gave a token of another identity, with that identity. */
  readonly shared = new Map<number, string>()
  /** Texts of calls that were refused, with the reason: nothing may ever show them (R29). */
  readonly refusedTexts = new Map<string, { why: string; n: number }>()
  /** Texts of calls that may have taken effect. */
  readonly sentTexts = new Set<string>()
  /** Names that something may have, or had: the next one may be refused as taken (R3). */
  readonly names = new Set<unknown>()
  /** What was seen of the target that excuses some findings. */
  readonly flags = new Set<string>()
  /** Calls that the tokens of an identity were seen to open. */
  readonly opened = new Set<string>()
  /** What exchanges accepted, and since when they have been refusing what they should accept. */
  readonly exchanged = { tokens: new Set<string>(), refused: new Map<string, number>() }
  /** The shortest time in which an exchange gave a token, in milliseconds; undefined where none did. */
  fastestExchange: number | undefined
  /** Writes accepted on something just deleted, by what was written and where: later they must be refused (R52). */
  readonly takenLate = new Map<string, TakenLate>()
  /** How far the target's clock was moved, in milliseconds. */
  moved = 0
  readonly clock = new TargetClock()
  /** Names and descriptions of roles, as lists showed them. */
  readonly roles = new Map<string, { name: Set<unknown>; description: Set<unknown> }>()

  /** True where nothing exists but what is known. */
  closed = false

  /** What nobody had sent when it was shown (R50). */
  readonly own = new OwnThings(this.flags)

  /** Forgets everything: it was deleted without the model. */
  restart(): void {
    this.#things.clear()
    this.#byKind.clear()
    this.#tokens.clear()
    this.refusedTexts.clear()
  }

  /** The page token with this text: two lists may share one, so the one of the same query comes first (S4.12). */
  token(text: string | undefined, query: string): Token | undefined {
    const alike = this.#tokens.get(text ?? '')
    return alike?.find((token) => token.query === query) ?? alike?.at(-1)
  }

  /** Records the place of a page token. */
  keepToken(text: string, token: Token): void {
    const others = this.#tokens.get(text)?.filter(({ query }) => query !== token.query) ?? []
    this.#tokens.set(text, [...others, token])
  }

  /** What was made under a uid, of one kind. */
  thing(uid: string, kind: KindName): Thing | undefined {
    return this.#things.get(uid)?.find((thing) => thing.kind === kind)
  }

  /** What was made under a uid, of any kind. */
  under(uid: string): readonly Thing[] {
    return this.#things.get(uid) ?? []
  }

  /** Everything of a kind, also what the target put there itself. */
  ofKind = (kind: KindName): Thing[] => [...(this.#byKind.get(kind)?.values() ?? [])]

  /** Everything of a kind that the run made. */
  made = (kind: KindName): Thing[] => this.ofKind(kind).filter(({ alien }) => !alien)

  group(uid: string): Thing | undefined {
    return this.thing(uid, 'groups')
  }

  /** True for a uid below something of the run, made or not. */
  isOurs(uid: string): boolean {
    for (let at = uid.lastIndexOf('/'); at > 0; at = uid.lastIndexOf('/', at - 1)) {
      if (this.#things.has(uid.slice(0, at))) return true
    }
    return this.#things.has(uid)
  }

  /** True for a name that the run used, or the end of a uid in it: nobody else could know such a uid (R38). */
  isPartOfOurs(text: string): boolean {
    if (text.length < 8) return false
    const has = ({ uid, name }: Thing) => uid.endsWith(`/${text}`) || name.writes.some(({ value }) => value === text)
    return [...this.#things.values()].some((things) => things.some(has))
  }

  /** Records something new. */
  add(
    kind: KindName,
    uid: string,
    parent: string,
    seen: Pick<Observation, 'sent' | 'answered' | 'n' | 'now'>,
    sent: Record<string, unknown>,
    alien = false,
  ): Thing {
    const at = { sent: alien ? 0 : seen.sent, answered: alien ? 0 : seen.answered }
    const first = <T>(value: T): Write<T> => ({ value, ...at, sure: true })
    const claims = isObject(sent.claimMatch) ? { issuer: sent.claimMatch.issuer, subject: sent.claimMatch.subject } : {}
    const thing: Thing = {
      kind,
      uid,
      parent,
      alive: new Register(first(true)),
      name: new Register<unknown>(first(sent.name)),
      description: new Register<unknown>(first(unset(sent.description))),
      claimMatch: new Register<ClaimMatch>(first(claims), sameClaims),
      ...(typeof sent.identityUid === 'string' ? { identityUid: sent.identityUid } : {}),
      ...(typeof sent.roleUid === 'string' ? { roleUid: sent.roleUid } : {}),
      binds: {
        identity: new Register<unknown>(first(sent.identityUid)),
        role: new Register<unknown>(first(sent.roleUid)),
      },
      verification: {},
      limits: [],
      seenTimes: new Map(),
      attempted: 0,
      refusedToGood: 0,
      history: [seen.n],
      refused: [],
      below: new Map(),
      log: [],
      ...(alien ? { alien: true as const } : seen.now === undefined ? {} : { madeAt: seen.now }),
    }
    // one that came back replaces the former one (R28)
    this.#things.set(uid, [...this.under(uid).filter((other) => other.kind !== kind), thing])
    const alike = this.#byKind.get(kind) ?? new Map<string, Thing>()
    this.#byKind.set(kind, alike.set(uid, thing))
    const home = this.group(parent)
    if (home && home !== thing && !this.upwards(home).includes(thing)) {
      const siblings = home.below.get(kind) ?? []
      siblings.push(thing)
      home.below.set(kind, siblings)
    }
    return thing
  }

  /** Writes a touch of a thing into the logs of all groups at or above it. */
  touch(thing: Thing, { sent, answered, n }: Omit<Touch, 'thing'>): void {
    const touch = { sent, answered, n, thing }
    for (const group of this.upwards(thing)) group.log.push(touch)
  }

  /** The groups at or above a thing, the nearest first. */
  upwards(thing: Thing): Thing[] {
    const groups: Thing[] = thing.kind === 'groups' ? [thing] : []
    // a target may answer with a uid that makes a group its own ancestor
    for (let at = this.group(thing.parent); at && !groups.includes(at); at = this.group(at.parent)) groups.push(at)
    return groups
  }

  /** The things of a kind below a group, directly or at every depth. */
  *inside(group: Thing, kind: KindName, deep: boolean): Iterable<Thing> {
    yield* group.below.get(kind) ?? []
    if (!deep) return
    for (const child of group.below.get('groups') ?? []) yield* this.inside(child, kind, true)
  }
}

/** A description as it counts: absent, null and empty are the same (R6, R46). */
export const unset = (description: unknown) => description ?? ''
