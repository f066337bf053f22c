import type { Item } from '../../domain/item.ts'
import { basicFault, type Fault, fault } from '../../fault.ts'
import { during, inV1, on, overGrpc, withBody } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

/** What a Get of a deleted group turns red. */
const getsTheDead = { turnsRed: ['group.delete.gone-from-get'], spreadsTo: ['group.delete.unshown'] }

/** What a group that is empty again and stays turns red. */
const emptiedInVain = { turnsRed: ['group.delete.emptied.whatever'], spreadsTo: ['grpc.delete.emptied'] }

/** A Delete that takes what the longest known part of a uid names. */
const takesTheOneAbove = during('delete', (contract) => ({
  found: (uid, kind, at) =>
    contract.found(uid, kind, at) ?? contract.found(uid.slice(0, Math.max(0, uid.lastIndexOf('/'))), kind, at),
}))

/** Faults in Delete of a group (S4.7, R28). */
export const groupDeleteFaults: readonly Fault[] = [
  fault(
    'a delete of a group is a fault of the server',
    ['group.delete.answers', 'service.faults'],
    on('groups', during('delete', { successStatus: () => 500 })),
  ),
  fault(
    'a group that ever held another cannot be deleted',
    ['group.delete.emptied'],
    on('groups', (contract) => {
      const parents = new Set<string>()
      return {
        keep(item, at) {
          contract.keep(item, at)
          parents.add(item.parent)
        },
        blocksDelete: (item, living) => living.length > 0 || parents.has(item.uid),
      }
    }),
  ),
  fault('a group that ever held an identity cannot be deleted', ['group.delete.emptied.identities'], (contract) => {
    const homes = new Set<string>()
    return {
      keep(item, at) {
        contract.keep(item, at)
        if (item.kind === 'identities') homes.add(item.parent)
      },
      blocksDelete: (item, living, at) =>
        contract.blocksDelete(item, living, at) || (item.kind === 'groups' && homes.has(item.uid)),
    }
  }),
  fault('a group in which a binding was refused cannot be deleted', emptiedInVain, (contract) => {
    const homes = new Set<string>()
    return {
      leftByRefusedCreate(draft, at) {
        if (draft.kind === 'roleBindings') homes.add(draft.parent)
        return contract.leftByRefusedCreate(draft, at)
      },
      blocksDelete: (item, living, at) => contract.blocksDelete(item, living, at) || homes.has(item.uid),
    }
  }),
  fault('a group whose identity was changed and deleted cannot be deleted', emptiedInVain, (contract) => {
    const homes = new Set<string>()
    return {
      forget(steps, item, at) {
        contract.forget(steps, item, at)
        if (item.kind === 'identities' && item.updateTime > item.createTime) homes.add(item.parent)
      },
      blocksDelete: (item, living, at) => contract.blocksDelete(item, living, at) || homes.has(item.uid),
    }
  }),
  fault(
    'a group that was made over gRPC and deleted over HTTP still keeps its parent',
    ['grpc.delete.emptied'],
    on('groups', (contract) => {
      const [made, homes] = [new Set<string>(), new Set<string>()]
      return {
        keep(item, at) {
          contract.keep(item, at)
          if (at.over === 'grpc' && at.operation === 'create') made.add(item.uid)
        },
        forget(steps, item, at) {
          contract.forget(steps, item, at)
          if (at.over !== 'grpc' && made.has(item.uid)) homes.add(item.parent)
        },
        blocksDelete: (item, living, at) => contract.blocksDelete(item, living, at) || homes.has(item.uid),
      }
    }),
  ),
  fault(
    'a delete answers the group',
    ['group.delete.empty-body'],
    on('groups', {
      deleted: ({ uid, name }) => ({ uid, name }),
    }),
  ),
  fault(
    'a deleted group is still found',
    { turnsRed: ['group.delete.gone-*'], spreadsTo: ['group.delete.unshown'] },
    on('groups', {
      forget: ({ unlist }) => unlist(),
    }),
  ),
  fault('identities can be made in a deleted group', ['group.delete.gone-as-home'], (contract) => {
    const dead = new Map<string, Item>()
    return {
      forget(steps, item, at) {
        contract.forget(steps, item, at)
        if (item.kind === 'groups') dead.set(item.uid, item)
      },
      found: (uid, kind, at) =>
        contract.found(uid, kind, at) ??
        (kind === 'groups' && at.kind === 'identities' && at.operation === 'create' ? dead.get(uid) : undefined),
    }
  }),
  basicFault('a delete deletes nothing', ['group.delete.gone-from-get'], () => ({ forget: () => {} })),
  fault('a group that Get has shown outlives its delete', getsTheDead, (contract) => {
    const shown = new Map<string, Item>()
    return on(
      'groups',
      during('get', (contract) => ({
        found(uid, kind, at) {
          const item = contract.found(uid, kind, at) ?? shown.get(uid)
          if (item) shown.set(uid, item)
          return item
        },
      })),
    )(contract)
  }),
  fault(
    'an update brings a deleted group back',
    ['group.delete.gone-from-get'],
    on('groups', (contract) => {
      const dead = new Map<string, Item>()
      return {
        forget({ drop, unlist }, item) {
          drop()
          unlist()
          dead.set(item.uid, item)
        },
        found: (uid, kind, at) =>
          contract.found(uid, kind, at) ?? (at.operation === 'update' ? dead.get(uid) : undefined),
      }
    }),
  ),
  fault(
    'a deleted group is still listed',
    {
      turnsRed: ['group.delete.gone-from-lists'],
      spreadsTo: ['group.delete.gone-from-lists', 'group.delete.*', 'list.total.follows'],
    },
    on('groups', {
      forget: ({ drop }) => drop(),
    }),
  ),
  fault(
    'deleted groups are counted',
    ['group.delete.gone-from-lists'],
    on('groups', (contract) => {
      const gone = new Map<string, number>()
      return {
        forget({ drop, unlist }, { parent }) {
          drop()
          unlist()
          gone.set(parent, (gone.get(parent) ?? 0) + 1)
        },
        totalCount(counts, at) {
          const more = at.query?.name === undefined ? (gone.get(at.query?.childrenOf ?? '') ?? 0) : 0
          return contract.totalCount({ ...counts, matches: counts.matches + more }, at)
        },
      }
    }),
  ),
  fault(
    'where ten live in a group every fifth delete leaves the list as it was',
    ['group.delete.many'],
    on('groups', (contract) => {
      let deletes = 0
      return {
        forget({ drop, unlist }, item, at) {
          const crowded = [...at.world.store.under('groups', item.parent)].length >= 10
          const forgotten = crowded && ++deletes % 5 === 0
          contract.forget({ drop, unlist: forgotten ? () => {} : unlist }, item, at)
        },
      }
    }),
  ),
  fault(
    'a delete takes what is below the siblings',
    ['group.delete.neighbours'],
    on('groups', {
      alsoRemoved: (item, at) =>
        [...at.world.store.under('groups', item.parent)].flatMap(({ uid }) => [...at.world.store.under('groups', uid)]),
    }),
  ),
  fault(
    'a uid is made from the parent and the name',
    ['group.delete.uid-stays-dead'],
    on(
      'groups',
      withBody((sent, contract) => ({
        mintUid: (parent, at) =>
          typeof sent(at).name === 'string'
            ? `${parent.uid}/${Buffer.from(`${sent(at).name}`).toString('hex')}`
            : contract.mintUid(parent, at),
      })),
    ),
  ),
  fault('a delete of what is missing takes the one above', foundByModel, takesTheOneAbove),
  fault('a delete of what is missing takes the one above in v1', foundByModel, inV1(takesTheOneAbove)),
  fault(
    'a delete of what is missing takes the one above over gRPC',
    { ...foundByModel, spreadsTo: ['grpc.error.*'] },
    overGrpc(takesTheOneAbove),
  ),
]
