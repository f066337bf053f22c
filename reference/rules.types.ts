import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { At, Caller, Cursor, Order } from './domain/at.ts'
import type { Fields, Item, Kind } from './domain/item.ts'
import type { Refusal } from './domain/refusal.ts'
import type { GrpcRules } from './grpc.types.ts'
import type { Claims, PublicKey, TokenHeader } from './identity/tokens.ts'
import type { Answer, BindingParts, Counts, ListParts, Modification, Place, TokenReader } from './rules/values.ts'
import type { VersionRules } from './versions.types.ts'

/**
 * Every decision that the contract makes. The domain and the HTTP handlers ask these and decide nothing themselves; a
 * fault or a variant replaces some. No rule calls another. The last argument is the call that the rule decides for.
 */
export interface Rules extends GrpcRules, VersionRules {
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
  /** What is stored of a value that was sent: the value, character for character (R6). */
  stored(value: unknown, field: string, at: At): unknown
  /** The uid of a new resource: its group's uid and one more hexadecimal segment (S2.1, S2.2). */
  mintUid(parent: Item, at: At): string
  /** The times of a new resource (S2.4, S2.12). */
  born(now: number, at: At): Pick<Item, 'createTime' | 'updateTime' | 'lastSeenTime'>
  /** The defaults of a new resource: unverified, without limits (S2.8, S2.9). */
  newborn(at: At): Pick<Item, 'description'> & Partial<Item>
  /** Stores what was just created (S4.1). */
  keep(item: Item, at: At): void
  /** What a refused create still stores: nothing (R29). */
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
  /** A group invite as an answer shows it, its code only after its create; its members are published only (S1.2). */
  groupInvite(item: Item, time: (milliseconds: number) => string, at: At): Fields
  /** A repo as an answer shows it (S2.16). */
  repo(item: Item, time: (milliseconds: number) => string, at: At): Fields
  /** A tag as an answer shows it; its members are published, not shown (S1.3). */
  tag(item: Item, time: (milliseconds: number) => string, at: At): Fields
  /** An advisory as an answer shows it; its members are published, not shown (S1.4). */
  advisory(item: Item, time: (milliseconds: number) => string, at: At): Fields
  /** Which state of a part a binding shows: the present one (S2.14, R7). */
  hydrated(part: Item | undefined, kind: Kind, binding: Item, at: At): Item | undefined
  /** The HTTP status of a success (R57). */
  successStatus(at: At): number
  /** The last change to an answer. */
  render(answer: Answer, at: At): Answer
  /** The body as text: JSON (S1.6). */
  text(body: unknown, at: At): string | Uint8Array
  /** How the hook that moves the clock answers: with the time (R2); undefined is a body of no bytes. */
  clockMoved(now: string, at: At): Fields | undefined
  /** Runs one exchange; `serve` answers it (R57). */
  transport(request: IncomingMessage, response: ServerResponse, serve: () => Promise<void>, at: At): Promise<void>

  // Reading
  /** The JSON object in a body: empty if there are no bytes (S7.5), undefined if it is not one (S1.6, R37). */
  body(bytes: Uint8Array, at: At): Fields | undefined
  /** Any other reason to refuse a call on a uid or a scope: none, for permissions and limits are not shown (R56). */
  objection(uid: string, at: At): Refusal | undefined
  /** The uid in a path: slashes as they are or as `%2F`; undefined if it cannot be read (R48). */
  pathUid(raw: string, at: At): string | undefined
  /** The item under a uid, byte for byte (S2.1). */
  found(uid: string, kind: Kind, at: At): Item | undefined
  /** What a reader sees of a stored item: its present state; undefined hides it (S4.28, R52). */
  seen(item: Item, at: At): Item | undefined
  /** Whether the caller may see an item: its own organization's, and what belongs to all (S5.8). */
  belongs(item: Item, at: At): boolean

  // Lists (section 4, list parameters and list response shape)
  /** The items that a list looks at, found by the groups that hold them, so that other items cost nothing. */
  candidates(at: At): Iterable<Item>
  /** Whether an item is within both scopes asked for (S4.8, S4.9); roles live in no group (R21). */
  withinScope(item: Item, at: At): boolean
  /** Whether an item has the name asked for, exactly (S4.10). */
  matchesName(item: Item, name: string, at: At): boolean
  /** The order asked for, by uid where none is (S4.13, S4.20); undefined if it cannot be read. */
  order(asked: string | undefined, cursor: Cursor | undefined, at: At): Order | undefined
  /** What an item is ordered by (S4.13). */
  sortKey(item: Item, field: string, at: At): string | number
  /** Compares two keys in ascending order (S4.22). */
  compareKeys(a: string | number, b: string | number, at: At): number
  /** Compares two items with equal keys, in every order: by uid (S4.20, S4.21). */
  tiebreak(a: string, b: string, at: At): number
  /** The matches in order, none changed, lost or added (S4.20 to S4.22). */
  sorted(items: readonly Item[], compare: (a: Item, b: Item) => number, at: At): Item[]
  /** The count in a parameter; undefined if it is negative or not a whole number (R19, R20). */
  count(raw: string, parameter: string, at: At): number | undefined
  /** How many results a page has: 50 unless asked, 200 at most (S4.11, S8.1, S8.2). */
  pageSize(asked: number, cursor: Cursor | undefined, at: At): number
  /** How many results this page leaves out, counted from the cursor where there is one (S4.14). */
  skipApplied(skip: number, cursor: Cursor | undefined, at: At): number
  /** The value of `skipped`: this page's skip, and what the pages before it skipped (S4.19, S4.23). */
  skipped(skip: number, before: number, at: At): number
  /** The items after a cursor (S4.12, S4.25). */
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
  /** What a token holds: the key and uid of the page's last item, so that a walk keeps its place while others write. */
  cursor(last: Item, key: string | number, order: Order, skipped: number, now: number, at: At): Cursor
  /** The token of a cursor (S4.12). */
  encodeToken(cursor: Cursor, at: At): string
  /** The cursor of a token; undefined if it is not one of our tokens. */
  decodeToken(token: string, at: At): Cursor | undefined
  /** Whether a token is of this kind of list, and of the order asked for. */
  cursorFits(cursor: Cursor, order: Order, at: At): boolean
  /** Whether a token is more than three days old, which restarts the list (S8.3). */
  expired(issued: number, now: number, at: At): boolean
  /** Whether a token that was never issued restarts the list; otherwise it is refused (R14). */
  badTokenRestarts(at: At): boolean

  // Updates (section 4, update semantics)
  /** The fields that an update mask lists; undefined if there is none (S4.27). */
  mask(raw: string | undefined, at: At): readonly string[] | undefined
  /** The fields that an update changes: the listed ones, otherwise those in the body (S4.26, S4.27). */
  changed(
    sent: readonly string[],
    mask: readonly string[] | undefined,
    settable: readonly string[],
    at: At,
  ): readonly string[]
  /** The value of a listed field that the body lacks (R31). */
  emptied(field: string, at: At): unknown
  /** The times after an update: createTime never moves, updateTime does on a real change (R26). */
  touched(old: Item, differs: boolean, now: number, at: At): Pick<Item, 'createTime' | 'updateTime'>
  /** Reads, changes and writes with nothing in between, so that no update is lost (R31). */
  modify(steps: Modification, at: At): Item | Promise<Item>
  /** What a refused update stores: the item as it was (R29). */
  leftByRefusedUpdate(before: Item, wanted: Item, at: At): Item

  // Deletes
  /** Whether a delete is refused because of what lives in the group (S7.6, R30). */
  blocksDelete(item: Item, living: readonly Kind[], at: At): boolean
  /** What is deleted together with an item: an identity's bindings. */
  alsoRemoved(item: Item, at: At): readonly Item[]
  /** Removes a deleted item from the uids and from the lists (R28). */
  forget(steps: { drop(): void; unlist(): void }, item: Item, at: At): void
  /** What a refused delete still removes: nothing (R29). */
  lostByRefusedDelete(item: Item, at: At): readonly Item[]
  /** The body that answers a delete: empty (S4.7, R27); undefined is a body of no bytes. */
  deleted(item: Item, at: At): Fields | undefined

  // Errors (section 7)
  /** The RPC status code of a refusal (S7.5, S7.6). */
  errorCode(refusal: Refusal, at: At): number
  /** The reason in ErrorInfo (S7.2, S7.5, S7.6). */
  errorReason(refusal: Refusal, at: At): string
  /** The domain in ErrorInfo: the same in every error (S7.2). */
  errorDomain(at: At): string
  /** The message, with the opening of its kind of refusal (S7.5, S7.6). */
  errorMessage(refusal: Refusal, at: At): string
  /** The typed details (S7.1 to S7.4). */
  errorDetails(refusal: Refusal, info: { reason: string; domain: string }, at: At): readonly Fields[]
  /** The HTTP status of a refusal: the usual gateway's (R33). */
  errorStatus(refusal: Refusal, at: At): number

  // Authentication (section 5)
  /** What a call with a bad credential does: nothing, now or later (R39). */
  unauthenticated(rawUid: string, body: Uint8Array, at: At): void
  /** Whether a call needs a token: every call does (S5.1). */
  needsToken(at: At): boolean
  /** The token of a call: what follows `Bearer` in the Authorization header, and nowhere else (S5.1, R39). */
  credential(headers: IncomingHttpHeaders, query: URLSearchParams, at: At): string | undefined
  /** The caller of a token: undefined unless the service itself signed it and it is still valid (S5.1, R39). */
  authenticate(token: string, reader: TokenReader, at: At): Promise<Caller | undefined>

  // Token exchange (section 5)
  /** The identity that is assumed: it exists now, under exactly that uid (S5.3, R41). */
  assumable(uid: string, at: At): Item | undefined
  /** Whether keys are fetched from an address: any on the loopback; which issuers are trusted is not shown (R56). */
  trusts(address: string, at: At): boolean
  /** Whether an identity token is signed: RS256 alone, by the key of its issuer that `kid` names (R41). */
  signedByIssuer(token: string, header: TokenHeader, keys: readonly PublicKey[], at: At): Promise<boolean>
  /** Whether an identity token is valid now: not before its time, and not after its end (R41). */
  timely(claims: Claims, now: number, at: At): boolean
  /** Whether an identity token is meant for this service, which has these addresses (not shown, R41). */
  meantFor(claims: Claims, addresses: readonly string[], at: At): boolean
  /** Whether two issuers are equal, character for character (S2.11, R41). */
  sameIssuer(one: unknown, other: unknown, at: At): boolean
  /** Whether a token's subject equals that of the claim match, character for character (S2.11, R41). */
  sameSubject(claimed: unknown, matched: string, at: At): boolean
  /** The audience of an API token: the one asked for; undefined if that is refused (S5.3, R41). */
  exchangedAudience(asked: string | undefined, addresses: readonly string[], at: At): string | undefined
  /** How long an API token lives, in seconds: an hour (S5.5, S8.5); undefined gives it no `exp`. */
  exchangedLifetime(at: At): number | undefined
  /** When an assumed identity was seen: at its exchange (S2.12, R41). */
  seenAt(claims: Claims, kept: Item, now: number, at: At): number
  /** An API token as the caller gets it: the JWT itself. */
  issued(token: string, at: At): string
  /** The answer of the exchange: the token, and nothing else (S5.4). */
  exchanged(token: string, at: At): Fields
}
