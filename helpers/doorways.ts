import type { Call } from './client.ts'
import type { KindName, Operation } from './kinds.ts'
import { kinds } from './kinds.ts'
import type { Names } from './names.ts'
import type { Paths } from './paths.ts'
import { type Api, isObject, type Received } from './resources.ts'
import { claimMatchFor, type Scratch } from './scratch.ts'

/** What the operations of a kind are tried on: one thing of the run's own, and where another could be made. */
export interface Premises {
  kind: KindName
  thing: Received
  home: Received
  /** The name that a create would give; undefined for a kind without names. */
  wouldBe: string
  /** The call of each operation; good and bad credentials send the same. */
  calls: Partial<Record<Operation, Call[]>>
}

/** Makes something of a kind, and the calls that operate on it, with parameters and without (R39). */
export async function openPremises(
  kind: KindName,
  { api, paths, scratch, names }: { api: Api; paths: Paths; scratch: Scratch; names: Names },
): Promise<Premises> {
  const home = await scratch.makeGroup()
  const wouldBe = names.fresh()
  const { thing, body } = await makeThing[kind]({ api, scratch, home, wouldBe })
  if (kind === 'groups') await scratch.emptyOfStrangers(thing.uid)
  const at = (uid?: string) => paths.of(kinds[kind], uid)
  const operation = (name: Operation) => `${kinds[kind].name}.${name}`
  const scope = kind === 'roles' ? {} : { 'uidp.children_of': home.uid }
  const read = (query: Call['query'], uid?: string): Call => ({
    operation: operation(uid ? 'get' : 'list'),
    method: 'GET',
    path: at(uid),
    ...(query && { query }),
  })
  const around = kind === 'roles' ? {} : { 'uidp.descendants_of': scratch.uid }
  const first = await api.attempt[kind].list({ ...around, page_size: 1 })
  const token = isObject(first.json) ? first.json.nextPageToken : undefined
  const listings: NonNullable<Call['query']>[] = [
    scope,
    { ...scope, page_size: 5, order_by: 'created_at' },
    { ...scope, name: String(thing.name) },
    { ...scope, skip: 1 },
    ...(typeof token === 'string' && token !== '' ? [{ ...around, page_size: 1, page_token: token }] : []),
  ]
  const calls: Premises['calls'] = {
    list: listings.map((query) => read(query)),
    get: [read(undefined, thing.uid)],
    ...(kind !== 'roles' && {
      create: [{ operation: operation('create'), method: 'POST', path: at(home.uid), body }],
      update: [
        {
          operation: operation('update'),
          method: 'PATCH',
          path: at(thing.uid),
          body: { description: wouldBe },
        },
        {
          operation: operation('update'),
          method: 'PATCH',
          path: at(thing.uid),
          body: { description: wouldBe },
          query: { updateMask: 'description' },
        },
      ],
      delete: [{ operation: operation('delete'), method: 'DELETE', path: at(thing.uid) }],
    }),
  }
  return { kind, thing, home, wouldBe, calls }
}

interface Making {
  api: Api
  scratch: Scratch
  home: Received
  wouldBe: string
}

const makeThing: Record<KindName, (making: Making) => Promise<{ thing: Received; body: unknown }>> = {
  groups: async ({ scratch, home, wouldBe }) => ({
    thing: await scratch.makeGroup({ description: 'as it was' }, home.uid),
    body: { name: wouldBe },
  }),
  identities: async ({ scratch, home, wouldBe }) => ({
    thing: await scratch.makeIdentity({}, home.uid),
    body: { name: wouldBe, description: wouldBe, claimMatch: claimMatchFor(wouldBe) },
  }),
  roles: async ({ api }) => ({ thing: (await api.roles.list({})).items[0] ?? { uid: 'none' }, body: {} }),
  roleBindings: async ({ api, scratch, home }) => {
    const identity = await scratch.makeIdentity()
    const roles = (await api.roles.list({})).items
    const thing = await scratch.makeBinding(identity, home.uid, roles[0]?.uid)
    return { thing, body: { identityUid: (await scratch.makeIdentity()).uid, roleUid: roles[0]?.uid } }
  },
}
