import type { Fields, Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, inV1, on, type Replacement } from '../../replace.ts'
import { keptUntilMade } from '../cached-lists.ts'
import { foundByModel } from '../run/histories.ts'
import { depthOf } from '../scopes.ts'

/** Groups that lists of v1 show differently. */
const listedGroups = (...given: Parameters<typeof groupsShown>) => during('list', groupsShown(...given))

/** Groups that v1 shows differently. */
export const groupsShown =
  (change: (fields: Fields, item: Item) => Fields): Replacement =>
  (contract) => ({
    v1Group: (item, time, at) => change(contract.v1Group(item, time, at), item),
  })

const iso = (milliseconds: number) => new Date(milliseconds).toISOString()

/** Members of a group that v1 always shows as it first did. */
const remembered =
  (...members: string[]): Replacement =>
  (contract) => {
    const said = new Map<string, Fields>()
    return {
      v1Group(item, time, at) {
        const fields = contract.v1Group(item, time, at)
        const first = said.get(item.uid) ?? fields
        said.set(item.uid, first)
        return { ...fields, ...Object.fromEntries(members.map((member) => [member, first[member]])) }
      },
    }
  }

/** Faults in groups of v1 (S2.17, S9.2, S9.3). */
export const v1GroupsFaults: readonly Fault[] = [
  fault(
    'v1 shows no description',
    ['v1.group.agrees', 'v1.group.follows'],
    listedGroups(({ description: _, ...fields }) => fields),
  ),
  fault(
    'v1 shows the description where the name belongs',
    ['v1.group.agrees', 'v1.group.follows'],
    listedGroups((fields, { name, description }) => ({ ...fields, name: description || name })),
  ),
  fault(
    'a group that is created through v1 is kept without its description',
    ['v1.group.create'],
    inV1(
      during('create', (contract) => ({
        keep: (item, at) => contract.keep({ ...item, description: '' }, at),
      })),
    ),
  ),
  fault(
    'two levels down a list of v1 shows no createdAt',
    foundByModel,
    during('list', (contract) => {
      const shallowest = new WeakMap<object, number>()
      return {
        v1Listed(items, at) {
          shallowest.set(at, Math.min(...items.map(({ uid }) => depthOf(uid))))
          return contract.v1Listed(items, at)
        },
        v1Group(item, time, at) {
          const { createdAt, ...fields } = contract.v1Group(item, time, at)
          return depthOf(item.uid) > (shallowest.get(at) ?? Infinity) ? fields : { ...fields, createdAt }
        },
      }
    }),
  ),
  fault('v1 goes on to show a group that was deleted', foundByModel, (contract) => {
    const gone = new Map<string, Item>()
    return {
      forget(steps, item, at) {
        if (item.kind === 'groups') gone.set(item.uid, item)
        contract.forget(steps, item, at)
      },
      ...inV1(during('get', { found: (uid, kind, at) => contract.found(uid, kind, at) ?? gone.get(uid) }))(contract),
    }
  }),
  fault(
    'createdAt shows the hour of another zone',
    ['v1.group.created-at'],
    listedGroups((fields, { createTime }) => ({ ...fields, createdAt: iso(createTime + 7_200_000) })),
  ),
  fault(
    'createdAt is the time of the last update',
    ['v1.group.created-at'],
    listedGroups((fields) => ({ ...fields, createdAt: fields.updatedAt })),
  ),
  fault(
    'v1 names its times as v2 does',
    ['v1.group.created-at', 'v1.group.updated-at'],
    listedGroups(({ createdAt, updatedAt, ...fields }) => ({
      ...fields,
      createTime: createdAt,
      updateTime: updatedAt,
    })),
  ),
  fault('a v1 list keeps the name from before a rename', ['v1.group.follows'], during('list', remembered('name'))),
  fault(
    'a v1 list keeps the description from before an update',
    ['v1.group.follows'],
    during('list', remembered('description')),
  ),
  fault(
    'Get in v1 shows another group',
    ['v1.group.get'],
    during(
      'get',
      groupsShown((fields) => ({ ...fields, id: String(fields.id).replace(/.$/, 'z') })),
    ),
  ),
  fault(
    'Get in v1 shows its times in whole days',
    ['v1.group.get'],
    during(
      'get',
      groupsShown((fields, { createTime }) => ({
        ...fields,
        createdAt: iso(createTime - (createTime % 86_400_000)),
      })),
    ),
  ),
  fault(
    'v1 shows uid in place of id',
    ['v1.group.id'],
    listedGroups(({ id, ...fields }) => ({ uid: id, ...fields })),
  ),
  fault(
    'an id of v1 is only the last segment of the uid',
    ['v1.group.id'],
    listedGroups((fields, { uid }) => ({ ...fields, id: uid.slice(uid.lastIndexOf('/') + 1) })),
  ),
  fault(
    'a v1 list forgets the oldest group of several',
    ['v1.group.id'],
    on('groups', { v1Listed: (items) => (items.length > 2 ? items.slice(1) : items) }),
  ),
  fault(
    'a v1 list shows its last group twice',
    ['v1.group.id'],
    on('groups', { v1Listed: (items) => [...items, ...items.slice(-1)] }),
  ),
  fault(
    'the limits of v1 are strings',
    ['v1.group.limits'],
    listedGroups((fields) => ({ ...fields, resourceLimits: { clusters: '0', idps: '0', repositories: '0' } })),
  ),
  fault(
    'the limits of v1 are a list',
    ['v1.group.limits'],
    listedGroups((fields) => ({ ...fields, resourceLimits: [{ clusters: 0 }] })),
  ),
  fault('v1 is gone', ['v1.group.list.answers', 'v1.repo.list.answers'], () => ({
    serves: (version) => version !== 'v1',
  })),
  fault(
    'the v1 list of groups is a fault of the server',
    ['v1.group.list.answers', 'service.faults'],
    on('groups', {
      v1Listed: () => {
        throw new Error('no such column')
      },
    }),
  ),
  fault(
    'updatedAt stays the same after an update through v2',
    ['v1.group.updated-at'],
    listedGroups((fields) => ({ ...fields, updatedAt: fields.createdAt })),
  ),
  fault('a v1 list still shows what was deleted through v2', ['v1.list.deleted'], (contract) => {
    const gone: Item[] = []
    return {
      forget(steps, item, at) {
        contract.forget(steps, item, at)
        if (item.kind === 'groups') gone.push(item)
      },
      v1Listed: (items) => [...items, ...gone.filter(({ parent }) => items.some((item) => item.parent === parent))],
    }
  }),
  fault(
    'v1 lists their groups under groups',
    ['v1.list.items'],
    on('groups', {
      v1ListBody: (items) => ({ groups: items }),
    }),
  ),
  fault(
    'a v1 list of groups is a map by id',
    ['v1.list.items'],
    on('groups', {
      v1ListBody: (items) => ({ items: Object.fromEntries(items.map((item) => [String(item.id), item])) }),
    }),
  ),
  fault(
    'a v1 list shows groups with children twice',
    ['model.v1.members'],
    on('groups', (contract) => ({
      v1Listed: (items, at) =>
        contract
          .v1Listed(items, at)
          .flatMap((item) => (at.world.store.isEmpty('groups', item.uid) ? [item] : [item, item])),
    })),
  ),
  fault(
    'what a list of v1 showed stays until something is made or deleted',
    foundByModel,
    keptUntilMade(({ version, operation }) => version === 'v1' && operation === 'list'),
  ),
]
