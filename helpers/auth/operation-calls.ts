import { present } from '../../schemas/present.ts'
import type { Api, Attempts, Body } from '../api/api.ts'
import type { Journal } from '../api/journal.ts'
import { isOfRegistry, type KindName, kinds, type Operation, type RegistryKind } from '../api/kinds.ts'
import type { Names } from '../api/names.ts'
import { isObject, isReceived, type Received } from '../api/received.ts'
import type { Paths } from '../api/resource-path.ts'
import { standingRoles } from '../api/roles.ts'
import { bodyFor, makeOne, readFirst, registryGroupIn } from '../arrange/populations.ts'
import { NoneMade } from '../arrange/published-bodies.ts'
import type { Run } from '../arrange/run.ts'
import { childrenOf, descendantsOf, type Scratch } from '../arrange/scratch.ts'
import { type Answer, type Call, overGrpc as callOverGrpc, isNotFound, type Log, succeeded } from '../http/call.ts'
import { Inconclusive, NotOffered } from '../http/case-errors.ts'
import type { Query } from '../http/url.ts'

/** What a kind's operations are tried on: one thing of the run's own, and where another could be made. */
export interface OperationCalls {
  kind: KindName
  thing: Received
  /** Why nothing could be made or listed, in which case nobody issued the uid of `thing`. */
  unmade?: Inconclusive
  home: Received
  /** The name that a create would give; undefined for a kind without names. */
  wouldBe: string
  /** The call of each operation; good and bad credentials send the same. */
  calls: Partial<Record<Operation, Call[]>>
  seen: Seen
}

/** What exists, as far as the target shows it: a list, and the resource that the bad calls name. */
export interface Snapshot {
  items?: Received[]
  thing?: Received
}

/** What the good token has seen so far: what existed last, and the answer to each read. */
export interface Seen {
  snapshot?: Snapshot
  reads: Map<string, Answer>
  /** When the thing was made, or found, as `performance.now()` gives it. */
  since: number
  /** Set where something was written, or got through: what exists may not be what was made. */
  changed?: true
}

interface OperationContext {
  api: Api
  paths: Paths
  scratch: Scratch
  names: Names
  journal: Journal
  registryGroup: string | undefined
}

/** Makes something of a kind, and the calls that operate on it, with parameters and without (R39). */
export async function openOperationCalls(kind: KindName, context: OperationContext): Promise<OperationCalls> {
  const { api, paths, scratch, names, registryGroup } = context
  const home = isOfRegistry(kind) ? { uid: registryGroupIn(registryGroup) } : await scratch.makeGroup()
  const wouldBe = names.fresh()
  const { thing, unmade } = await thingOf(kind, api, scratch, home).then(
    (found) => ({ thing: found, unmade: undefined }),
    (error: unknown) => unknownThing(kind, error, home, context),
  )
  const body = kinds[kind].foreign ? {} : await bodyFor(api, scratch, kind, wouldBe)
  if (kind === 'groups') await scratch.deleteForeign(thing.uid)
  const at = (uid?: string) => paths.of(kinds[kind], uid)
  const operation = (name: Operation) => `${kinds[kind].name}.${name}`
  const read = (query: Call['query'], uid?: string): Call => ({
    operation: operation(uid ? 'get' : 'list'),
    method: 'GET',
    path: at(uid),
    ...present({ query }),
  })
  const listings = await listingsOf(kind, context, home, thing)
  const patch = (patched: unknown, query?: Call['query']): Call => ({
    operation: operation('update'),
    method: 'PATCH',
    path: at(thing.uid),
    body: patched,
    ...present({ query }),
  })
  const usual = { description: wouldBe }
  const all: Record<Operation, Call[]> = {
    list: listings.map((query) => read(query)),
    get: [read(undefined, thing.uid)],
    create: [{ operation: operation('create'), method: 'POST', path: at(home.uid), body }],
    update:
      kind === 'roleBindings'
        ? (await rolesFor(thing, api)).map((roleUid) => patch({ roleUid }))
        : [patch(usual), patch(usual, { updateMask: 'description' })],
    delete: [{ operation: operation('delete'), method: 'DELETE', path: at(thing.uid) }],
  }
  const calls = Object.fromEntries(kinds[kind].offered.map((name) => [name, all[name]]))
  return {
    kind,
    thing,
    home,
    wouldBe,
    calls,
    seen: { reads: new Map(), since: performance.now() },
    ...present({ unmade }),
  }
}

/** The queries of a list that shows the thing: each may reach another guard (R39). */
async function listingsOf(
  kind: KindName,
  { api, scratch }: OperationContext,
  home: { uid: string },
  thing: Received,
): Promise<Query[]> {
  const { foreign, named } = kinds[kind]
  const around = kind === 'roles' ? {} : descendantsOf(foreign ? home.uid : scratch.uid)
  const scope = foreign ? around : childrenOf(home.uid)
  const first = await api.attempt[kind].list({ ...around, page_size: 1 })
  const token = isObject(first.json) ? first.json.nextPageToken : undefined
  return [
    scope,
    { ...scope, page_size: 5, order_by: 'created_at' },
    ...(named ? [{ ...scope, name: String(thing.name) }] : []),
    // a token without rights in the registry may still read what the run made
    foreign ? descendantsOf(scratch.uid) : { ...scope, skip: 1 },
    { ...around, page_size: 200, order_by: 'created_at desc' },
    ...(typeof token === 'string' && token !== '' ? [{ ...around, page_size: 1, page_token: token }] : []),
  ]
}

/** The calls in their gRPC form, where a binding has no description to change, and all lists go to one path. */
export function overGrpc(opened: OperationCalls): OperationCalls {
  const { list = [], ...others } = opened.calls
  const some = list.filter((_, at) => at === 0 || at === list.length - 1)
  const calls = Object.entries({ list: some, ...others }).map(([name, all]) => [name, all.map(callOverGrpc)])
  return { ...opened, calls: Object.fromEntries(calls) }
}

/** The reads of some kinds that v1 answers; not offered where it has none, whatever a gateway answers. */
export async function servedInV1(
  opened: readonly OperationCalls[],
  context: { run: Pick<Run, 'client' | 'paths'>; log: Log },
): Promise<OperationCalls[]> {
  const served = await Promise.all(opened.map((calls) => readsInV1(calls, context)))
  const found = served.flatMap((calls) => calls ?? [])
  const labels = opened.map(({ kind }) => `${kinds[kind].label.many} in v1`)
  if (found.length === 0) throw new NotOffered(labels, 'no read there shows any')
  return found
}

/** The reads of a kind in which v1 shows the thing; undefined where there are none. */
async function readsInV1(
  opened: OperationCalls,
  { run, log }: { run: Pick<Run, 'client' | 'paths'>; log: Log },
): Promise<OperationCalls | undefined> {
  const { kind, thing } = opened
  const [{ query } = {}] = opened.calls.list ?? []
  const at = (uid?: string) => run.paths.of(kinds[kind], uid, 'v1')
  const reads: Record<'list' | 'get', Call> = {
    list: { operation: `v1.${kinds[kind].name}.list`, method: 'GET', path: at(), ...present({ query }) },
    get: { operation: `v1.${kinds[kind].name}.get`, method: 'GET', path: at(thing.uid) },
  }
  const answers = await Promise.all(Object.values(reads).map((call) => run.client.send(call, log)))
  const shows = ({ json }: Answer) => JSON.stringify(json ?? '').includes(`"${thing.uid}"`)
  const served = Object.entries(reads).filter((_, index) => succeeded(answers[index]!) && shows(answers[index]!))
  if (served.length === 0) return undefined
  return { ...opened, calls: Object.fromEntries(served.map(([operation, call]) => [operation, [call]])) }
}

/** Makes the plainest call of an operation, whatever the answer; ends the case where that is about nothing. */
export async function attempt(
  attempts: Attempts,
  { calls, home, thing, unmade, seen }: OperationCalls,
  operation: Operation,
): Promise<Answer> {
  if (operation !== 'list' && operation !== 'get') seen.changed = true
  const [{ query, body } = {}] = calls[operation] ?? []
  const does: Record<Operation, () => Promise<Answer>> = {
    list: () => attempts.list(query ?? {}),
    get: () => attempts.get(thing.uid),
    create: () => attempts.create(home.uid, body as Body),
    update: () => attempts.update(thing.uid, body as Body),
    delete: () => attempts.delete(thing.uid),
  }
  const answer = await does[operation]()
  // a uid that nobody issued is not found wherever the operation is offered (R38)
  if (unmade && isNotFound(answer) && operation !== 'list' && operation !== 'create') throw unmade
  return answer
}

/** The roles that an Update gives a binding: another one, and its own, since the other may not be given (R56). */
async function rolesFor({ role }: Received, api: Api): Promise<unknown[]> {
  const own = isReceived(role) ? role.uid : undefined
  const other = (await standingRoles(api)).find(({ uid }) => uid !== own)
  return [other?.uid, own].filter((uid) => uid !== undefined)
}

/**
 * A uid that nobody issued, where nothing can be made or listed: even operations that are not offered must be refused
 * without a token, and there may still be a list (R49).
 */
function unknownThing(
  kind: KindName,
  error: unknown,
  home: Received,
  { names, journal }: OperationContext,
): { thing: Received; unmade: Inconclusive } {
  // a create without an answer says nothing of the next
  if (!(error instanceof NotOffered || error instanceof NoneMade)) throw error
  const uid = `${home.uid}/00000000000000ae`
  return { thing: { uid: kinds[kind].foreign ? uid : journal.lend(uid), name: names.fresh() }, unmade: error }
}

/** What calls may name: made by the run, except for the kinds that it can only read. */
async function thingOf(kind: KindName, api: Api, scratch: Scratch, home: Received): Promise<Received> {
  if (isOfRegistry(kind)) return readOne(kind, api, home.uid)
  if (kind === 'roles') return (await standingRoles(api))[0] ?? { uid: 'none' }
  if (kind === 'groups') return scratch.makeGroup({ description: 'as it was' }, home.uid)
  return makeOne(scratch, kind, home.uid)
}

async function readOne(kind: RegistryKind, api: Api, group: string): Promise<Received> {
  const [thing] = (await readFirst(api, kind, group)).items
  if (thing !== undefined) return thing
  throw new Inconclusive(`the group ${group} that RMAPI_REGISTRY_GROUP_UID names holds no ${kind}`)
}
