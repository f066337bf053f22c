import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Fields, Item, Kind } from './domain/item.ts'
import type { Place } from './domain/lists.ts'
import type { Problem, Refusal } from './domain/refusal.ts'
import type { Scope } from './domain/v1.ts'
import type { At, Caller, Cursor, Order } from './domain/world.ts'
import { type Claims, isLoopback, isSigned, type PublicKey, type TokenHeader } from './identity-tokens.ts'

/** A finished answer, before its body becomes text; without a body, no bytes are sent. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** What a rule may do with an API token: read it with the signature proved, or without. */
export interface TokenReader {
  /** Signed by the service, for the service, and still valid. */
  verified(token: string): Promise<Caller | undefined>
  /** The same, whatever audience it was asked for. */
  ofAnyAudience(token: string): Promise<Caller | undefined>
  unverified(token: string): Caller | undefined
}

/** One page of a list, before its members have their places. */
interface ListParts {
  readonly items: readonly Fields[]
  readonly nextPageToken: string
  readonly totalCount: string
  readonly skipped: number
}

/** How many items match in all, and where this page stands among them. */
interface Counts {
  readonly matches: number
  readonly left: number
  readonly shown: number
  readonly skip: number
}

/** The resources that a role binding embeds; one that is gone is undefined. */
interface BindingParts {
  readonly identity: Item | undefined
  readonly group: Item | undefined
  readonly role: Item | undefined
}

/** The three steps of an update; `change` is pure, `write` makes its result what everybody reads. */
interface Modification {
  read(): Item
  change(old: Item): Item
  write(next: Item): void
}

/**
 * Every decision that the contract makes. The domain and the doors ask these and decide nothing themselves; a
 * fault or a variant replaces some. No rule calls another. The last argument tells where the decision is asked for.
 */
export interface Rules {
  // Fields (section 2)
  /** Why a name is refused: outside `^[a-z0-9 ._-]{1,}$` on groups, empty on identities (S2.6, S2.10). */
  nameProblem(name: unknown, at: At): string | undefined
  /** Why a description is refused: it is an optional string (S2.7). */
  descriptionProblem(description: unknown, at: At): string | undefined
  /** Why a claim match is refused: it holds an issuer and a subject (S2.11). */
  claimMatchProblem(claimMatch: unknown, at: At): string | undefined
  /** Why the configuration of an identity provider is refused: it names an issuer and a client. */
  oidcProblem(oidc: unknown, at: At): string | undefined
  /** Why the uid of a binding's identity or role is refused: it is a string (S2.15). */
  referenceProblem(uid: unknown, field: string, at: At): string | undefined
  /** Whether a binding may name what its uid found (S2.15, R38). */
  referenceHolds(found: Item | undefined, kind: Kind, at: At): boolean
  /** Whether a new name is refused as taken: equal names are lawful (R3). */
  nameTaken(wanted: Item, at: At): boolean
  /** The members that a client may set; all others are the server's own and ignored (S2.5, S4.2, R5). */
  settable(at: At): readonly string[]
  /** What is kept of a value that was sent: the value, character for character (R6). */
  stored(value: unknown, field: string, at: At): unknown
  /** The uid of a new resource: its group's uid and one more hexadecimal segment (S2.1, S2.2). */
  mintUid(parent: Item, at: At): string
  /** The times of a new resource (S2.4, S2.12). */
  born(now: number, at: At): Pick<Item, 'createTime' | 'updateTime' | 'lastSeenTime'>
  /** What a new resource holds where the client says nothing: unverified, without limits (S2.8, S2.9). */
  newborn(at: At): Pick<Item, 'description'> & Partial<Item>
  /** Keeps what was just created (S4.1). */
  keep(item: Item, at: At): void
  /** What a refused create leaves behind: nothing (R29). */
  leftByRefusedCreate(draft: Item, at: At): readonly Item[]

  // Answers (sections 1, 2, 7)
  /** A time in milliseconds since 1970 as RFC 3339 in UTC, with milliseconds (S2.4). */
  timestamp(milliseconds: number, at: At): string
  /** A group as an answer shows it (S2.5 to S2.9). */
  group(item: Item, time: (milliseconds: number) => string, at: At): Fields
  /** An identity as an answer shows it (S2.10 to S2.12). */
  identity(item: Item, time: (milliseconds: number) => string, at: At): Fields
  /** A role as an answer shows it (S2.13). */
  role(item: Item, time: (milliseconds: number) => string, at: At): Fields
  /** A role binding as an answer shows it, whole objects inside (S2.14). */
  roleBinding(item: Item, parts: BindingParts, time: (milliseconds: number) => string, at: At): Fields
  /** An identity provider as an answer shows it; its members are published, not shown (S1.2). */
  identityProvider(item: Item, time: (milliseconds: number) => string, at: At): Fields
  /** An account association as an answer shows it; its members are published, not shown (S1.2). */
  accountAssociation(item: Item, time: (milliseconds: number) => string, at: At): Fields
  /** A group invite as an answer shows it, its code in that to its create alone; its members are published, not shown (S1.2). */
  groupInvite(item: Item, time: (milliseconds: number) => string, at: At): Fields
  /** A repo as an answer shows it (S2.16). */
  repo(item: Item, time: (milliseconds: number) => string, at: At): Fields
  /** A tag as an answer shows it; its members are published, not shown (S1.3). */
  tag(item: Item, time: (milliseconds: number) => string, at: At): Fields
  /** An advisory as an answer shows it; its members are published, not shown (S1.4). */
  advisory(item: Item, time: (milliseconds: number) => string, at: At): Fields
  /** Which state of a part a binding shows: the present one (S2.14, R7). */
  hydrated(part: Item | undefined, kind: Kind, binding: Item, at: At): Item | undefined
  /** The HTTP status of what went well (R57). */
  successStatus(at: At): number
  /** The last word on an answer. */
  render(answer: Answer, at: At): Answer
  /** The body as text: JSON (S1.6). */
  text(body: unknown, at: At): string | Uint8Array
  /** What the hook that moves the clock answers: the time (R2); undefined is a body of no bytes. */
  clockMoved(now: string, at: At): Fields | undefined
  /** Runs one exchange; `serve` answers it (R57). */
  transport(request: IncomingMessage, response: ServerResponse, serve: () => Promise<void>, at: At): Promise<void>

  // Reading
  /** The JSON object in a body: empty where there are no bytes (S7.5), nothing where it is none (S1.6, R37). */
  body(bytes: Uint8Array, at: At): Fields | undefined
  /** What else stands against a call on a uid or a scope: nothing, permissions and limits are not shown (R56). */
  objection(uid: string, at: At): Refusal | undefined
  /** The uid that stands in a path: slashes as they are or as `%2F`; nothing where it cannot be read (R48). */
  pathUid(raw: string, at: At): string | undefined
  /** The item under a uid, byte for byte (S2.1). */
  found(uid: string, kind: Kind, at: At): Item | undefined
  /** What a reader sees of a kept item: its present state; nothing hides it (S4.28, R52). */
  seen(item: Item, at: At): Item | undefined
  /** Whether the caller may know of an item: its own organization's, and what belongs to all (S5.8). */
  belongs(item: Item, at: At): boolean

  // Lists (section 4, list parameters and list response shape)
  /** The items that a list looks at, found by the groups that hold them, so that what lies elsewhere costs nothing. */
  candidates(at: At): Iterable<Item>
  /** Whether an item is within both scopes asked for (S4.8, S4.9); roles live in no group (R21). */
  withinScope(item: Item, at: At): boolean
  /** Whether an item bears the name asked for, exactly (S4.10). */
  matchesName(item: Item, name: string, at: At): boolean
  /** The order asked for, by uid where none is (S4.13, S4.20); nothing where it cannot be read. */
  order(asked: string | undefined, cursor: Cursor | undefined, at: At): Order | undefined
  /** What an item is ordered by (S4.13). */
  sortKey(item: Item, field: string, at: At): string | number
  /** How two keys stand in ascending order (S4.22). */
  compareKeys(a: string | number, b: string | number, at: At): number
  /** How two items with equal keys stand, in every order: by uid (S4.20, S4.21). */
  tiebreak(a: string, b: string, at: At): number
  /** The matches in order, none changed, lost or added (S4.20 to S4.22). */
  sorted(items: readonly Item[], compare: (a: Item, b: Item) => number, at: At): Item[]
  /** A count out of a parameter; nothing where it is negative or no whole number (R19, R20). */
  count(raw: string, parameter: string, at: At): number | undefined
  /** How many results a page has: 50 unless asked, 200 at most (S4.11, S8.1, S8.2). */
  pageSize(asked: number, cursor: Cursor | undefined, at: At): number
  /** How many results this page leaves out, counted from the cursor where there is one (S4.14). */
  skipApplied(skip: number, cursor: Cursor | undefined, at: At): number
  /** What `skipped` says: this page's skip, and what the pages before it skipped (S4.19, S4.23). */
  skipped(skip: number, before: number, at: At): number
  /** What still comes after a cursor (S4.12, S4.25). */
  rest(sorted: readonly Item[], place: (item: Item) => Place, cursor: Cursor, at: At): readonly Item[]
  /** One page (S4.11, S4.23). */
  page(rest: readonly Item[], skip: number, size: number, at: At): readonly Item[]
  /** Whether a page has a next one: where results are left (S4.17, S4.25). */
  more(left: number, shown: number, size: number, at: At): boolean
  /** The total: all matches, on every page, as a decimal string (S4.18). */
  totalCount(counts: Counts, at: At): string
  /** A list's answer: the array under the plural name, and the three members beside it (S4.16 to S4.19). */
  listBody(parts: ListParts, at: At): Fields

  // Page tokens (S4.12, S8.3)
  /** What a token holds: the key and uid of the page's last item, so that a walk stands still while others write. */
  cursor(last: Item, key: string | number, order: Order, skipped: number, now: number, at: At): Cursor
  /** The token of a cursor (S4.12). */
  encodeToken(cursor: Cursor, at: At): string
  /** The cursor of a token; nothing where it is no token of ours. */
  decodeToken(token: string, at: At): Cursor | undefined
  /** Whether a token is of this kind of list, and of the order asked for. */
  cursorFits(cursor: Cursor, order: Order, at: At): boolean
  /** Whether a token is more than three days old, which starts the list over (S8.3). */
  expired(issued: number, now: number, at: At): boolean
  /** Whether a token that was never issued starts the list over; else it is refused (R14). */
  badTokenRestarts(at: At): boolean

  // Updates (section 4, update semantics)
  /** The fields that an update mask lists; nothing where there is none (S4.27). */
  mask(raw: string | undefined, at: At): readonly string[] | undefined
  /** The fields that an update changes: the listed ones, or else those in the body (S4.26, S4.27). */
  changed(
    sent: readonly string[],
    mask: readonly string[] | undefined,
    settable: readonly string[],
    at: At,
  ): readonly string[]
  /** What a listed field becomes that the body lacks (R31). */
  emptied(field: string, at: At): unknown
  /** The times after an update: created never moves, updated does on a real change (R26). */
  touched(old: Item, differs: boolean, now: number, at: At): Pick<Item, 'createTime' | 'updateTime'>
  /** Reads, changes and writes with nothing in between, so that no update is lost (R31). */
  modify(steps: Modification, at: At): Item | Promise<Item>
  /** What a refused update leaves: the item as it was (R29). */
  leftByRefusedUpdate(before: Item, wanted: Item, at: At): Item

  // Deletes
  /** Whether a delete is refused for what lives in the group (S7.6, R30). */
  blocksDelete(item: Item, living: readonly Kind[], at: At): boolean
  /** What goes when an item goes: an identity's bindings. */
  alsoRemoved(item: Item, at: At): readonly Item[]
  /** Takes a deleted item out of reach and out of the lists (R28). */
  forget(steps: { drop(): void; unlist(): void }, item: Item, at: At): void
  /** What a refused delete loses all the same: nothing (R29). */
  lostByRefusedDelete(item: Item, at: At): readonly Item[]
  /** The body of a delete's answer: empty (S4.7, R27); undefined is a body of no bytes. */
  deleted(item: Item, at: At): Fields | undefined

  // Versions (sections 2 and 9)
  /** Whether a version segment is served: v1 beside v2beta1 and v2 (S9.1). */
  serves(version: string, at: At): boolean
  /** The groups that a list of v1 is asked for: those of the scope, as in v2 (not shown). */
  v1Scope(asked: Scope, at: At): Scope
  /** What a list of v1 shows of the items in its scope: all of them, in one answer. */
  v1Listed(items: readonly Item[], at: At): readonly Item[]
  /** A list's answer in v1: the array under `items` (S2.17, S9.3). */
  v1ListBody(items: readonly Fields[], at: At): Fields
  /** A group in its v1 form (S2.17, S9.2). */
  v1Group(item: Item, time: (milliseconds: number) => string, at: At): Fields
  /** A repo in its v1 form (S2.17). */
  v1Repo(item: Item, time: (milliseconds: number) => string, at: At): Fields
  /** What an update in v1 makes of the fields that may be set: an omitted one gets its zero value (S9.4). */
  v1Replaced(sent: Fields, before: Item, settable: readonly string[], at: At): Fields

  // Errors (section 7)
  /** The RPC status code of a refusal (S7.5, S7.6). */
  errorCode(refusal: Refusal, at: At): number
  /** The reason in ErrorInfo (S7.2, S7.5, S7.6). */
  errorReason(refusal: Refusal, at: At): string
  /** The domain in ErrorInfo: the same in every error (S7.2). */
  errorDomain(at: At): string
  /** The message, with the beginning that its kind of refusal has (S7.5, S7.6). */
  errorMessage(refusal: Refusal, at: At): string
  /** The typed details (S7.1 to S7.4). */
  errorDetails(refusal: Refusal, info: { reason: string; domain: string }, at: At): readonly Fields[]
  /** The HTTP status of a refusal: the usual gateway's (R33). */
  errorStatus(refusal: Refusal, at: At): number

  // Authentication (section 5)
  /** Whether a call needs a token: every call does (S5.1). */
  needsToken(at: At): boolean
  /** The token of a call: what follows `Bearer` in the Authorization header, and nowhere else (S5.1, R39). */
  credential(headers: IncomingHttpHeaders, query: URLSearchParams, at: At): string | undefined
  /** Whom a token speaks for: nobody, unless the service itself signed it and it is still valid (S5.1, R39). */
  authenticate(token: string, reader: TokenReader, at: At): Promise<Caller | undefined>

  // Token exchange (section 5)
  /** The identity that is assumed: it stands there now, under that very uid (S5.3, R41). */
  assumable(uid: string, at: At): Item | undefined
  /** Whether an address may tell keys: any on the loopback; which issuers are trusted is not shown (R56). */
  trusts(address: string, at: At): boolean
  /** Whether an identity token is signed: RS256 alone, by the key of its issuer that `kid` names (R41). */
  signedByIssuer(token: string, header: TokenHeader, keys: readonly PublicKey[], at: At): Promise<boolean>
  /** Whether an identity token is valid at that moment: not before its time, and not after its end (R41). */
  timely(claims: Claims, now: number, at: At): boolean
  /** Whether an identity token is meant for this service, which goes by these addresses (not shown, R41). */
  meantFor(claims: Claims, addresses: readonly string[], at: At): boolean
  /** Whether two issuers are one: equal, character for character (S2.11, R41). */
  sameIssuer(one: unknown, other: unknown, at: At): boolean
  /** Whether a token's subject is the one of the claim match: equal, character for character (S2.11, R41). */
  sameSubject(claimed: unknown, matched: string, at: At): boolean
  /** The audience of an API token: the one asked for; nothing where that is refused (S5.3, R41). */
  exchangedAudience(asked: string | undefined, addresses: readonly string[], at: At): string | undefined
  /** How long an API token lives, in seconds: an hour (S5.5, S8.5); undefined leaves its end out of it. */
  exchangedLifetime(at: At): number | undefined
  /** An API token as the caller gets it: the JWT itself. */
  issued(token: string, at: At): string
  /** The answer of the exchange: the token, and nothing else (S5.4). */
  exchanged(token: string, at: At): Fields
}

const codes: Record<Problem, number> = {
  invalid: 3,
  missing: 5,
  taken: 6,
  forbidden: 7,
  exhausted: 8,
  notEmpty: 9,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
}
const reasons: Record<Problem, string> = {
  invalid: 'INVALID_ARGUMENT',
  missing: 'NOT_FOUND',
  taken: 'ALREADY_EXISTS',
  forbidden: 'PERMISSION_DENIED',
  exhausted: 'RESOURCE_EXHAUSTED',
  notEmpty: 'FAILED_PRECONDITION',
  unimplemented: 'UNIMPLEMENTED',
  internal: 'INTERNAL',
  unavailable: 'UNAVAILABLE',
  unauthenticated: 'UNAUTHENTICATED',
}
const openings: Record<Problem, string> = {
  invalid: 'Invalid argument',
  missing: 'Not found',
  taken: 'Already exists',
  forbidden: 'Permission denied',
  exhausted: 'Resource exhausted',
  notEmpty: 'Precondition failed',
  unimplemented: 'Not implemented',
  internal: 'Internal error',
  unavailable: 'Unavailable',
  unauthenticated: 'Unauthenticated',
}
const statuses: Record<Problem, number> = {
  invalid: 400,
  missing: 404,
  taken: 409,
  forbidden: 403,
  exhausted: 429,
  notEmpty: 400,
  unimplemented: 405,
  internal: 500,
  unavailable: 503,
  unauthenticated: 401,
}
const settableFields: Record<Kind | 'none', readonly string[]> = {
  groups: ['name', 'description'],
  identities: ['name', 'description', 'claimMatch'],
  roles: [],
  roleBindings: ['identityUid', 'roleUid'],
  identityProviders: ['name', 'description', 'defaultRole', 'oidc'],
  accountAssociations: ['name', 'description'],
  groupInvites: ['roleUid', 'email', 'singleUse', 'expirationTime'],
  repos: [],
  tags: [],
  advisories: [],
  none: [],
}
const orderFields: Readonly<Record<string, string>> = {
  name: 'name',
  uid: 'uid',
  created_at: 'createTime',
  createTime: 'createTime',
  updated_at: 'updateTime',
  updateTime: 'updateTime',
}
const detailType = (name: string) => `type.googleapis.com/google.rpc.${name}`
const largestCount = 2 ** 31 - 1
const threeDays = 3 * 24 * 60 * 60 * 1000
const sevenDays = 7 * 24 * 60 * 60 * 1000
/** How far two clocks may be apart, in seconds. */
const leeway = 60

/** The rules as the contract has them. */
export const contract: Rules = {
  nameProblem(name, at) {
    if (name === undefined || name === '') return 'a name is required'
    if (typeof name !== 'string') return 'a name is a string'
    if (at.kind === 'groups' && !/^[a-z0-9 ._-]{1,}$/.test(name)) {
      return 'a name holds a to z, 0 to 9, space, dot, underscore and hyphen only'
    }
    return undefined
  },
  descriptionProblem(description) {
    const fits = description === undefined || typeof description === 'string'
    return fits ? undefined : 'a description is a string'
  },
  claimMatchProblem(claimMatch) {
    if (typeof claimMatch !== 'object' || claimMatch === null) return 'a claim match is required'
    const { issuer, subject } = claimMatch as Record<string, unknown>
    const fits = typeof issuer === 'string' && issuer !== '' && typeof subject === 'string' && subject !== ''
    return fits ? undefined : 'a claim match has an issuer and a subject'
  },
  oidcProblem(oidc) {
    const { issuer, clientId } = (typeof oidc === 'object' ? (oidc ?? {}) : {}) as Record<string, unknown>
    const fits = typeof issuer === 'string' && issuer !== '' && typeof clientId === 'string'
    return fits ? undefined : 'an identity provider has an issuer and a client'
  },
  referenceProblem: (uid) => (typeof uid === 'string' && uid !== '' ? undefined : 'a uid is required'),
  referenceHolds: (found) => found !== undefined,
  nameTaken: () => false,
  settable: (at) => settableFields[at.kind],
  stored(value, field) {
    if (field !== 'claimMatch' || typeof value !== 'object' || value === null) return value
    const { issuer, subject } = value as Record<string, unknown>
    return { issuer, subject }
  },
  mintUid: (parent) => `${parent.uid}/${randomBytes(8).toString('hex')}`,
  born: (now, at) => ({
    createTime: now,
    updateTime: now,
    ...(at.kind === 'identities' ? { lastSeenTime: now } : {}),
  }),
  newborn: (at) => ({
    description: '',
    ...(at.kind === 'groups' ? { resourceLimits: {}, verified: false } : {}),
    ...(at.kind === 'groupInvites' && {
      code: randomBytes(24).toString('base64url'),
      keyId: randomBytes(4).toString('hex'),
      expirationTime: new Date(at.world.now() + sevenDays).toISOString(),
    }),
  }),
  keep: (item, at) => at.world.store.put(item),
  leftByRefusedCreate: () => [],

  timestamp: (milliseconds) => new Date(milliseconds).toISOString(),
  group: (item, time) => ({
    uid: item.uid,
    name: item.name,
    description: item.description,
    resourceLimits: item.resourceLimits,
    verified: item.verified,
    createTime: time(item.createTime),
    updateTime: time(item.updateTime),
  }),
  identity: (item, time) => ({
    uid: item.uid,
    name: item.name,
    description: item.description,
    claimMatch: item.claimMatch,
    lastSeenTime: time(item.lastSeenTime ?? item.createTime),
    createTime: time(item.createTime),
    updateTime: time(item.updateTime),
  }),
  role: (item, time) => ({
    uid: item.uid,
    name: item.name,
    description: item.description,
    createTime: time(item.createTime),
    updateTime: time(item.updateTime),
  }),
  roleBinding: (item, { identity, group, role }, time) => ({
    uid: item.uid,
    identity: identity && {
      uid: identity.uid,
      name: identity.name,
      description: identity.description,
      subject: identity.claimMatch?.subject,
      issuer: identity.claimMatch?.issuer,
    },
    group: group && { uid: group.uid, name: group.name, description: group.description },
    role: role && { uid: role.uid, name: role.name, description: role.description },
    createTime: time(item.createTime),
    updateTime: time(item.updateTime),
  }),
  identityProvider: (item, time) => ({
    uid: item.uid,
    name: item.name,
    description: item.description,
    createTime: time(item.createTime),
    updateTime: time(item.updateTime),
    defaultRole: item.defaultRole ?? '',
    oidc: { issuer: item.oidc?.issuer, clientId: item.oidc?.clientId },
  }),
  accountAssociation: (item, time) => ({
    uid: item.uid,
    name: item.name,
    description: item.description,
    createTime: time(item.createTime),
    updateTime: time(item.updateTime),
  }),
  groupInvite: (item, time, at) => ({
    uid: item.uid,
    roleUid: item.roleUid,
    email: item.email ?? '',
    expirationTime: item.expirationTime,
    singleUse: item.singleUse ?? false,
    code: at.operation === 'create' ? item.code : '',
    keyId: item.keyId,
    createTime: time(item.createTime),
  }),
  repo: (item, time) => ({
    uid: item.uid,
    name: item.name,
    description: item.description,
    createTime: time(item.createTime),
    updateTime: time(item.updateTime),
  }),
  tag: (item, time) => ({
    uid: item.uid,
    name: item.name,
    digest: item.digest,
    updateTime: time(item.updateTime),
    deprecated: item.deprecated ?? false,
    bundles: item.bundles ?? [],
  }),
  advisory: (item, time) => ({
    uid: item.uid,
    advisoryId: item.advisoryId,
    createTime: time(item.createTime),
    updateTime: time(item.updateTime),
    artifactName: item.artifactName,
    artifactType: item.artifactType,
    componentName: item.componentName,
    componentType: item.componentType,
    aliases: item.aliases ?? [],
  }),
  hydrated: (part) => part,
  successStatus: () => 200,
  render: (answer) => answer,
  text: (body) => JSON.stringify(body),
  clockMoved: (now) => ({ now }),
  transport: (_request, _response, serve) => serve(),

  body(bytes) {
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
      const body: unknown = text === '' ? {} : JSON.parse(text)
      return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Fields) : undefined
    } catch {
      return undefined
    }
  },
  objection: () => undefined,
  pathUid(raw) {
    try {
      return decodeURIComponent(raw)
    } catch {
      return undefined
    }
  },
  found: (uid, kind, at) => at.world.store.get(kind, uid),
  seen: (item) => item,
  belongs: (item, at) => item.org === '' || item.org === at.caller?.org,

  *candidates(at) {
    const { store } = at.world
    if (at.kind === 'none' || !at.query) return
    if (at.kind === 'roles') return yield* store.under('roles', '')

    const { childrenOf, descendantsOf } = at.query
    if (childrenOf !== undefined) return yield* store.under(at.kind, childrenOf)

    const root = at.caller?.org ?? ''
    if (at.kind === 'groups' && descendantsOf === undefined) yield* [store.get('groups', root) ?? []].flat()
    const open = [descendantsOf ?? root]
    for (let group = open.pop(); group !== undefined; group = open.pop()) {
      if (at.kind !== 'groups') yield* store.under(at.kind, group)
      if (at.kind === 'tags') for (const { uid } of store.under('repos', group)) yield* store.under('tags', uid)
      for (const child of store.under('groups', group)) {
        open.push(child.uid)
        if (at.kind === 'groups') yield child
      }
    }
  },
  withinScope(item, at) {
    if (item.kind === 'roles' || !at.query) return true
    const { childrenOf, descendantsOf } = at.query
    const { parent } = item
    const direct = childrenOf === undefined || parent === childrenOf
    if (!direct || descendantsOf === undefined) return direct
    return parent === descendantsOf || parent.startsWith(`${descendantsOf}/`)
  },
  matchesName: (item, name) => item.name === name,
  order(asked) {
    if (asked === undefined) return { field: 'uid', descending: false }
    const [name = '', direction = 'asc', ...more] = asked.trim().split(/\s+/)
    const field = Object.hasOwn(orderFields, name) ? orderFields[name] : undefined
    if (field === undefined || more.length > 0 || !['asc', 'desc'].includes(direction)) return undefined
    return { field, descending: direction === 'desc' }
  },
  sortKey(item, field) {
    if (field === 'createTime' || field === 'updateTime') return item[field]
    return field === 'name' ? item.name : item.uid
  },
  compareKeys: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  tiebreak: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  sorted: (items, compare) => [...items].sort(compare),
  count: (raw) => (/^\d{1,10}$/.test(raw) && Number(raw) <= largestCount ? Number(raw) : undefined),
  pageSize: (asked) => (asked === 0 ? 50 : Math.min(asked, 200)),
  skipApplied: (skip) => skip,
  skipped: (skip, before) => before + skip,
  rest: (sorted, place) =>
    sorted.filter((item) => {
      const { byKey, byUid } = place(item)
      return byKey > 0 || (byKey === 0 && byUid > 0)
    }),
  page: (rest, skip, size) => rest.slice(skip, skip + size),
  more: (left) => left > 0,
  totalCount: ({ matches }) => String(matches),
  listBody: ({ items, ...beside }, at) => ({ [at.kind]: items, ...beside }),

  cursor: (last, key, order, skipped, now, at) => ({
    kind: at.kind,
    ...order,
    key,
    uid: last.uid,
    issued: now,
    page: at.page,
    skipped,
  }),
  encodeToken: (cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url'),
  decodeToken(token) {
    const bytes = Buffer.from(token, 'base64url')
    if (bytes.toString('base64url') !== token) return undefined
    try {
      const cursor = JSON.parse(bytes.toString())
      const { kind, field, descending, key, uid, issued, page, skipped } = cursor
      const texts = [kind, field, uid].every((value) => typeof value === 'string')
      const numbers = [issued, page, skipped].every((value) => Number.isFinite(value))
      const keyed = typeof key === (String(field).endsWith('Time') ? 'number' : 'string')
      return texts && numbers && keyed && typeof descending === 'boolean' ? cursor : undefined
    } catch {
      return undefined
    }
  },
  cursorFits: (cursor, order, at) =>
    cursor.kind === at.kind && cursor.field === order.field && cursor.descending === order.descending,
  expired: (issued, now) => now - issued > threeDays,
  badTokenRestarts: () => false,

  mask(raw) {
    if (raw === undefined || raw.trim() === '') return undefined
    const camel = (field: string) => field.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())
    return raw.split(',').map((field) => camel(field.trim()))
  },
  changed: (sent, mask, settable) =>
    settable.filter((field) => (mask ? mask.includes(field) || mask.includes('*') : sent.includes(field))),
  emptied: (field) => (field === 'description' ? '' : undefined),
  touched: (old, differs, now) => ({
    createTime: old.createTime,
    updateTime: differs ? Math.max(now, old.updateTime) : old.updateTime,
  }),
  modify({ read, change, write }) {
    const next = change(read())
    write(next)
    return next
  },
  leftByRefusedUpdate: (before) => before,

  blocksDelete: (_item, living) => living.length > 0,
  alsoRemoved: (item, at) => (item.kind === 'identities' ? at.world.store.bindingsOf(item.uid) : []),
  forget({ drop, unlist }) {
    drop()
    unlist()
  },
  lostByRefusedDelete: () => [],
  deleted: () => ({}),

  serves: () => true,
  v1Scope: (asked) => asked,
  v1Listed: (items) => items,
  v1ListBody: (items) => ({ items }),
  v1Group: ({ uid, name, description, resourceLimits, ...item }, time) => ({
    id: uid,
    name,
    description,
    resourceLimits: { clusters: 0, idps: 0, repositories: 0, ...resourceLimits },
    createdAt: time(item.createTime),
    updatedAt: time(item.updateTime),
  }),
  v1Repo: ({ uid, name, description, createTime, updateTime }, time) => ({
    id: uid,
    name,
    description,
    createdAt: time(createTime),
    updatedAt: time(updateTime),
  }),
  v1Replaced: (sent, _before, settable) => Object.fromEntries(settable.map((field) => [field, sent[field] ?? ''])),

  errorCode: ({ problem }) => codes[problem],
  errorReason: ({ problem }) => reasons[problem],
  errorDomain: () => 'iam.reference.test',
  errorMessage: ({ problem, field, description }) => `${openings[problem]}: ${field}: ${description}`,
  errorDetails({ problem, field, description }, info) {
    const details: Fields[] = [{ '@type': detailType('ErrorInfo'), ...info }]
    if (problem === 'invalid') {
      details.push({ '@type': detailType('BadRequest'), fieldViolations: [{ field, description }] })
    }
    if (problem === 'notEmpty') {
      const violation = { type: 'RESOURCE_NOT_EMPTY', description }
      details.push({ '@type': detailType('PreconditionFailure'), violations: [violation] })
    }
    return details
  },
  errorStatus: ({ problem }) => statuses[problem],

  needsToken: () => true,
  credential: (headers) => /^bearer +([^ ]+)$/i.exec(headers.authorization ?? '')?.[1],
  authenticate: (token, reader) => reader.verified(token),

  assumable: (uid, at) => at.world.store.get('identities', uid),
  trusts: (address) => isLoopback(address),
  async signedByIssuer(token, { alg, kid }, keys) {
    const key = keys.find((each) => each.kid === kid)
    return alg === 'RS256' && key !== undefined && isSigned(token, key)
  },
  timely({ iat, nbf, exp }, now) {
    const seconds = now / 1000
    const begun = [iat, nbf].every((time) => time === undefined || time <= seconds + leeway)
    return begun && exp !== undefined && exp > seconds - leeway
  },
  meantFor: ({ aud }, addresses) => [aud].flat().some((each) => addresses.includes(String(each))),
  sameIssuer: (one, other) => one === other,
  sameSubject: (claimed, matched) => claimed === matched,
  exchangedAudience: (asked) => (asked === '' ? undefined : asked),
  exchangedLifetime: () => 60 * 60,
  issued: (token) => token,
  exchanged: (token) => ({ token }),
}
