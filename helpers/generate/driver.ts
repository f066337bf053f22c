import { type Api, apiOver } from '../api/api.ts'
import { type KindName, kinds, madeKinds, type PublishedKind } from '../api/kinds.ts'
import { isObject, isReceived, type Received } from '../api/received.ts'
import { likeliestToStay } from '../api/roles.ts'
import { pagesOf } from '../arrange/listings.ts'
import { publishedBody } from '../arrange/published-bodies.ts'
import type { Run } from '../arrange/run.ts'
import { childrenOf, descendantsOf } from '../arrange/scratch.ts'
import { type Answer, type Call, type Log, overGrpc, succeeded } from '../http/call.ts'
import { TargetGone } from '../http/case-errors.ts'
import type { Query } from '../http/url.ts'
import type { Thing } from '../model/state.ts'
import { type V1, v1Over } from '../v1/v1-api.ts'
import { Draw, PlainNames } from './draw.ts'

const namesOf = new WeakMap<Run, PlainNames>()

/** The most pages of a walk. */
const mostPages = 20

export const frameOrders = [undefined, 'name', 'created_at desc', 'name desc']

/** The page token in an answer, if there is one. */
export function nextOf(answer: Answer | undefined): string | undefined {
  const token = answer && succeeded(answer) && isObject(answer.json) ? answer.json.nextPageToken : undefined
  return typeof token === 'string' && token !== '' ? token : undefined
}

/** The query for the page that follows an answer; undefined where none does. */
export function nextQuery(query: Query, answer: Answer | undefined): Query | undefined {
  const page_token = nextOf(answer)
  return page_token === undefined ? undefined : { ...query, page_token }
}

/** Sends calls that the model judges, and goes on whatever the answer. */
export class Driver {
  readonly run: Run
  readonly api: Api['attempt']
  readonly draw: Draw
  readonly log: Log
  /** The group in which everything happens. */
  readonly scope: string
  readonly #api: Api
  readonly #v1: V1
  #roles: Received[] | undefined
  #frames = 0

  constructor(run: Run, log: Log, scope: string, draw: string | Draw) {
    this.run = run
    this.log = log
    this.scope = scope
    this.#api = apiOver(run, log)
    this.api = this.#api.attempt
    this.#v1 = v1Over(run, log)
    this.draw = typeof draw === 'string' ? new Draw(run.config.seed, draw) : draw
    if (!namesOf.has(run)) namesOf.set(run, new PlainNames())
  }

  /** A driver of the same draw in a group of its own; undefined if that was refused. */
  async within(): Promise<Driver | undefined> {
    const home = await this.group(this.scope)
    return home && new Driver(this.run, this.log, home.uid, this.draw)
  }

  /** An unused name, which every collation sorts alike (R17). */
  name(): string {
    return namesOf.get(this.run)!.fresh()
  }

  /** What all names begin with, and no name of another run. */
  get mark(): string {
    return namesOf.get(this.run)!.mark
  }

  /** A name equal to others in its first letters: about as many as asked for, in addition to nine. */
  longName(equal: number): string {
    return namesOf.get(this.run)!.long(equal)
  }

  get v1(): V1['attempt'] {
    return this.#v1.attempt
  }

  /** Waits for a call; one that cannot be sent is left out. */
  async send(asked: Promise<Answer> | (() => Promise<Answer>)): Promise<Answer | undefined> {
    try {
      return await (typeof asked === 'function' ? asked() : asked)
    } catch (error) {
      if (error instanceof TargetGone) throw error
      return undefined
    }
  }

  /** Sends a call unchanged, over the protocol of the run's calls. */
  call(call: Call): Promise<Answer | undefined> {
    const { over } = this.run
    const through = typeof over === 'function' ? over(call.operation) : over
    const named = through === 'grpc' ? overGrpc(call) : { ...call, ...(through && { over: through }) }
    return this.send(() => this.run.client.send(named, this.log))
  }

  /** What a call made or showed; undefined if it was refused. */
  async made(asked: Promise<Answer> | (() => Promise<Answer>)): Promise<Received | undefined> {
    const answer = await this.send(asked)
    return answer && succeeded(answer) && isReceived(answer.json) ? answer.json : undefined
  }

  async group(parent: string, body: Record<string, unknown> = {}): Promise<Received | undefined> {
    return this.made(() => this.api.groups.create(parent, { name: this.name(), ...body }))
  }

  /** Makes a group through v1, or through v2 where v1 makes none. */
  async groupByV1(parent: string, body: Record<string, unknown> = {}): Promise<Received | undefined> {
    const sent = { name: this.name(), ...body }
    const { id } = ((await this.send(() => this.v1.create(parent, sent)))?.json ?? {}) as { id?: unknown }
    return typeof id === 'string' ? { ...sent, uid: id } : this.group(parent, body)
  }

  async identity(parent: string, body: Record<string, unknown> = {}): Promise<Received | undefined> {
    const name = this.name()
    const claimMatch = { issuer: `https://issuer.example/${name}`, subject: `subject-${name}` }
    return this.made(() => this.api.identities.create(parent, { name, claimMatch, ...body }))
  }

  async binding(parent: string, identity: Received | undefined, role = 0): Promise<Received | undefined> {
    const roles = await this.roles()
    const roleUid = roles[role % Math.max(1, roles.length)]?.uid
    if (identity === undefined || roleUid === undefined) return undefined
    return this.made(() => this.api.roleBindings.create(parent, { identityUid: identity.uid, roleUid }))
  }

  /** The body of a create of this kind; undefined where it needs a role and there is none. */
  bodyOf(kind: PublishedKind): Promise<Record<string, unknown> | undefined> {
    return publishedBody(this.#api, kind, this.name()).catch(() => undefined)
  }

  async offered(
    kind: PublishedKind,
    parent: string,
    body: Record<string, unknown> = {},
  ): Promise<Received | undefined> {
    const offered = await this.bodyOf(kind)
    if (offered === undefined) return undefined
    return this.made(() => this.api[kind].create(parent, { ...offered, ...body }))
  }

  /** Some roles, `viewer` first (R56). */
  async roles(): Promise<Received[]> {
    await this.allRoles()
    return this.knownRoles
  }

  /** The same as far as they were listed before. */
  get knownRoles(): Received[] {
    return this.#roles?.slice(0, 4) ?? []
  }

  /** The uid of a drawn role. */
  async anyRole(): Promise<string | undefined> {
    const roles = await this.roles()
    return roles.length > 0 ? this.draw.one(roles).uid : undefined
  }

  /** All roles that fit on a page, `viewer` first (R56), and what others have just made last (R24). */
  async allRoles(): Promise<Received[]> {
    if (this.#roles) return this.#roles
    const all = await this.#api.roles.list({ page_size: 200 }).then(
      ({ items }) => items,
      () => [],
    )
    this.#roles = likeliestToStay(all)
    return this.#roles
  }

  /** Reads everything made, so that every change shows. Waits until late readings are settled. */
  async frame(kindsToo: readonly KindName[] = madeKinds, scope = this.scope): Promise<void> {
    // another order each time, and for each kind: each may be stored elsewhere
    const turn = this.#frames++
    const asked = (kind: KindName, at: number) => {
      const order = frameOrders[(turn + at) % frameOrders.length]
      const { named, dated } = kinds[kind]
      return {
        ...descendantsOf(scope),
        page_size: 200,
        order_by: (order?.startsWith('name') ? named : dated) ? order : undefined,
      }
    }
    await Promise.all([
      ...kindsToo.map((kind, at) => this.send(() => this.api[kind].list(asked(kind, at)))),
      ...(this.#frames % 2 === 0 ? [this.send(() => this.v1.list(descendantsOf(scope)))] : []),
    ])
    await this.run.model.settled()
  }

  /** The uids of a kind that exist below a group, as far as the model knows. */
  living(kind: KindName, within = this.scope): string[] {
    return this.#own(kind, within).flatMap(({ uid, alive }) => (alive.writes.at(-1)?.value ? [uid] : []))
  }

  /** True where nothing of a kind certainly exists below a group: every deletion of one was answered. */
  isBare(kind: KindName, within: string): boolean {
    return this.#own(kind, within).every(({ alive }) => alive.certain(Infinity, Infinity)?.value === false)
  }

  #own(kind: KindName, within: string): Thing[] {
    const { state } = this.run.model.hearing.judge
    const scope = state.group(within)
    return scope === undefined ? [] : [...state.inside(scope, kind, true)].filter(({ alien }) => !alien)
  }

  /** The group in whose path a thing was made; its uid need not show it (R10). */
  homeOf({ uid }: Received, kind: KindName): string {
    return this.run.model.hearing.judge.state.thing(uid, kind)?.parent ?? this.scope
  }

  /** Lists a kind; the order of the parameters in the address is drawn. */
  list(kind: KindName, query: Query): Promise<Answer | undefined> {
    return this.send(() => this.api[kind].list(this.#inAnyOrder(query)))
  }

  #inAnyOrder(query: Query): Query {
    const members = Object.entries(query)
    return Object.fromEntries(this.draw.some(members, members.length))
  }

  /** Follows the page tokens of a list, by default to the end of a small population; returns the first page. */
  async walk(kind: KindName, query: Query, most = mostPages): Promise<Answer | undefined> {
    let first: Answer | undefined
    await this.send(async () => {
      let last: Answer | undefined
      for await (const { answer } of pagesOf(this.#api, kind, this.#inAnyOrder(query), most)) {
        first ??= answer
        last = answer
      }
      return last!
    })
    return first
  }

  children(kind: KindName, uid: string): Promise<Answer | undefined> {
    return this.list(kind, { ...childrenOf(uid), page_size: 200 })
  }

  path(kind: KindName, uid?: string, version?: string): string {
    return this.run.paths.of(kinds[kind], uid, version)
  }
}
