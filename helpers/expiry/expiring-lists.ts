import { apiOver } from '../api/api.ts'
import type { KindName } from '../api/kinds.ts'
import { isReceived } from '../api/received.ts'
import { mustBeThere } from '../arrange/populations.ts'
import type { Run } from '../arrange/run.ts'
import { makeScratch, type RunGroup } from '../arrange/scratch.ts'
import { type Log, succeeded } from '../http/call.ts'
import { Inconclusive } from '../http/case-errors.ts'
import type { Query } from '../http/url.ts'

/** The queries whose page tokens grow old: kinds in their default order, groups in an order, by a name and over gRPC. */
export const expiringQueries = [
  'groups',
  'identities',
  'roles',
  'roleBindings',
  'ordered',
  'filtered',
  'overGrpc',
] as const
/** The name of such a query. */
export type ExpiringQuery = (typeof expiringQueries)[number]

/** A list, and its protocol where that is not the run's own. */
export interface Aged {
  kind: KindName
  query: Query
  over?: 'grpc'
}

/** Makes a list with at least four items, and returns how to query it. */
export type MakeList = (log: Log) => Promise<Aged>

/** The API over the protocol of a list. */
export const apiFor = (run: Run, log: Log, { over }: Pick<Aged, 'over'>) =>
  apiOver({ ...run, ...(over && { over }) }, log)

/** How each query gets a list with at least four items. */
export function listsIn(run: Run, runGroup: RunGroup, common: Log) {
  const ofTheirOwn = (log: Log) => makeScratch(apiOver(run, log), { ...run, runGroup })
  const home = ofTheirOwn(common).then(async (scratch) => ({
    scratch,
    branches: await scratch.makeGroups(4),
  }))
  // each user awaits it, and reports a failure then
  home.catch(() => {})
  const children = async (query: Query) => {
    const { scratch } = await home
    return { kind: 'groups' as const, query: { ...scratch.children, ...query } }
  }
  const inhabitants = async (kind: 'identities' | 'roleBindings', log: Log) => {
    const own = await ofTheirOwn(log)
    await mustBeThere(apiOver(run, log), own, kind)
    const identities = await Promise.all([1, 2, 3, 4].map(() => own.makeIdentity()))
    const bind = () => Promise.all(identities.map((identity) => own.makeBinding(identity)))
    await own.settled(kind, own.children, kind === 'roleBindings' ? await bind() : identities)
    return { kind, query: own.children }
  }
  return {
    groups: () => children({}),
    // if the order is forgotten, another item must come first
    ordered: async (log) => {
      const { scratch } = await home
      const { groups } = apiOver(run, log)
      const first = async (query: Query) => {
        const { items } = await groups.list({ ...scratch.children, ...query, page_size: 1 })
        return items[0]?.uid
      }
      const [plain, descending] = await Promise.all([first({}), first({ order_by: 'name desc' })])
      return children({ order_by: plain === descending ? 'name' : 'name desc' })
    },
    filtered: async (log) => {
      const api = apiOver(run, log)
      const name = run.names.fresh()
      const { scratch, branches } = await home
      const made = await Promise.all(branches.map(({ uid }) => api.attempt.groups.create(uid, { name })))
      if (!made.every(succeeded))
        throw new Inconclusive('four groups of one name, under different parents, are refused (R3)')
      const query = { ...scratch.descendants, name }
      await scratch.settled('groups', query, made.map(({ json }) => json).filter(isReceived))
      return { kind: 'groups' as const, query }
    },
    overGrpc: async () => {
      await run.grpcSupport.mustBeServed()
      return { ...(await children({ order_by: 'name desc' })), over: 'grpc' as const }
    },
    identities: (log) => inhabitants('identities', log),
    roleBindings: (log) => inhabitants('roleBindings', log),
    roles: async () => ({ kind: 'roles' as const, query: {} }),
  } satisfies Record<ExpiringQuery, MakeList>
}
