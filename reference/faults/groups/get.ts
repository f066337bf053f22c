import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { basicFault, type Fault, fault } from '../../fault.ts'
import { during, on, onceIn, when } from '../../replace.ts'
import { foundBySimilarUid } from '../lookups.ts'
import { groupsShown } from './shown.ts'

const starts = new WeakMap<object, number>()

function startOf({ world }: At): number {
  if (!starts.has(world)) starts.set(world, world.now())
  return starts.get(world)!
}

function parentOf(item: Item | undefined, at: At): Item | undefined {
  return item && (at.world.store.get('groups', item.parent) ?? item)
}

/** Faults in how Get and List show a group (S4.1). */
export const groupGetFaults: readonly Fault[] = [
  basicFault(
    'Get finds nothing but what stood there before',
    ['group.get.answers'],
    during('get', (contract) => ({
      found(uid, kind, at) {
        const item = contract.found(uid, kind, at)
        return item && item.createTime > startOf(at) ? undefined : item
      },
    })),
  ),
  basicFault(
    'Get answers the group above',
    ['group.get.answers', 'group.get.odd-paths'],
    during('get', (contract) => ({
      found: (uid, kind, at) => parentOf(contract.found(uid, kind, at), at),
    })),
  ),
  fault(
    'get finds a group by the beginning of its uid',
    ['group.get.missing'],
    foundBySimilarUid('get', (item, uid) => item.uid.startsWith(uid)),
  ),
  fault(
    'get looks at the first sixteen digits of the last segment only',
    ['group.get.missing'],
    foundBySimilarUid('get', (item, uid) => item.uid.length === uid.length - 1 && uid.startsWith(item.uid)),
  ),
  fault('of twenty Gets of one group one shows it as it was made', ['group.get.repeated'], (contract) => {
    const made = new Map<string, Item>()
    return on('groups', (contract) => ({
      keep(item, at) {
        contract.keep(item, at)
        made.set(item.uid, item)
      },
      ...during('get', onceIn(20, { seen: (item: Item) => made.get(item.uid) ?? item }))(contract),
    }))(contract)
  }),
  fault(
    'Get shows limits that nobody set',
    ['model.group.content'],
    on(
      'groups',
      during('get', (contract) => ({
        group: (...given) => ({ ...contract.group(...given), resourceLimits: { clusters: 1 } }),
      })),
    ),
  ),
  basicFault(
    'Get shows a group as made a second before',
    ['group.get.same'],
    groupsShown('get', (fields) => ({
      ...fields,
      createTime: new Date(Date.parse(String(fields.createTime)) - 1_000).toISOString(),
    })),
  ),
  fault(
    'get leaves empty limits out',
    ['group.get.shape'],
    groupsShown('get', ({ resourceLimits: _, ...fields }) => fields),
  ),
  fault(
    'a list shows verified as text',
    ['group.list.*'],
    groupsShown('list', (fields) => ({ ...fields, verified: String(fields.verified) })),
  ),
  basicFault('every list is empty', ['group.list.answers'], () => ({ *candidates() {} })),
  basicFault('a list has its array under items', ['group.list.answers'], () => ({
    listBody: ({ items, ...beside }) => ({ items, ...beside }),
  })),
  basicFault('a scope is ignored', ['group.list.answers'], () => ({
    *candidates(at) {
      if (at.kind !== 'none')
        yield* at.kind === 'roles' ? at.world.store.under('roles', '') : at.world.store.all(at.kind)
    },
    withinScope: () => true,
  })),
  fault(
    'a list rounds times to the half second',
    ['group.list.same', 'identity.list.answers'],
    when(({ operation, kind }) => operation === 'list' && ['groups', 'identities'].includes(kind), {
      timestamp: (milliseconds) => new Date(Math.floor(milliseconds / 500) * 500).toISOString(),
    }),
  ),
  fault(
    'a list shows the state of groups as numbers',
    ['group.list.shape'],
    on(
      'groups',
      during('list', (contract) => ({
        group: (...given) => ({ ...contract.group(...given), verified: 0 }),
      })),
    ),
  ),
  fault(
    'a group is found by its name, too',
    { turnsRed: ['group.get.missing'], spreadsTo: ['group.*', 'list.*'] },
    (contract) => ({
      found: (uid, kind, at) =>
        contract.found(uid, kind, at) ??
        (kind === 'groups' ? [...at.world.store.all('groups')].find(({ name }) => name === uid) : undefined),
    }),
  ),
  fault(
    'a group is found by its name below the group above it',
    { turnsRed: ['group.get.missing', 'model.group.refusal'], spreadsTo: ['group.*', 'list.*', 'model.*'] },
    (contract) => ({
      found(uid, kind, at) {
        const cut = uid.lastIndexOf('/')
        const [parent, last] = [uid.slice(0, cut), uid.slice(cut + 1)]
        const isNamed = (group: Item) => group.parent === parent && group.name === last
        return (
          contract.found(uid, kind, at) ??
          (kind === 'groups' ? [...at.world.store.all('groups')].find(isNamed) : undefined)
        )
      },
    }),
  ),
]
