import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, on, overGrpc, type Replacement } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'
import { doorOf } from '../doors/doors.ts'
import { foundByModel } from '../run/histories.ts'
import { revoking } from '../sts/revoking.ts'
import { beforeFirstIf, beforeIf, isEmptied, isRename, remembering } from './past.ts'

/** Identities that nothing opens. */
const closedIf = (contract: Rules, isClosed: (identity: Item) => boolean): Partial<Rules> => ({
  assumable(uid, at) {
    const identity = contract.assumable(uid, at)
    return identity && isClosed(identity) ? undefined : identity
  },
})

/** An exchange that writes back what it has kept of the identity. */
const puttingBack = (known: Map<string, Item>, contract: Rules): Partial<Rules> => {
  const asked = new WeakMap<At, string>()
  return {
    assumable(uid, at) {
      asked.set(at, uid)
      return contract.assumable(uid, at)
    },
    issued(token, at) {
      const uid = asked.get(at) ?? ''
      const [now, kept] = [at.world.store.get('identities', uid), known.get(uid)]
      if (now && kept) at.world.store.put({ ...now, name: kept.name, description: kept.description })
      known.delete(uid)
      return contract.issued(token, at)
    },
  }
}

const claimsDiffer = (one: Item, other: Item) => JSON.stringify(one.claimMatch) !== JSON.stringify(other.claimMatch)

/** An exchange that knows the claims which some changes replaced. */
const withClaimsBefore = (known: Map<string, Item>, contract: Rules): Partial<Rules> => ({
  assumable(uid, at) {
    const identity = contract.assumable(uid, at)
    const claimMatch = known.get(uid)?.claimMatch
    return identity && claimMatch ? { ...identity, claimMatch } : identity
  },
})

const closedWhereKnown = (known: Map<string, Item>, contract: Rules) => closedIf(contract, ({ uid }) => known.has(uid))

const closedInKnown = (known: Map<string, Item>, contract: Rules) =>
  closedIf(contract, ({ parent }) => known.has(parent))

/** Lists over gRPC that show when an identity was made as the time when it was last seen. */
const seenAtCreate: Replacement = (contract) => ({
  identity: (item, time, at) => contract.identity({ ...item, lastSeenTime: item.createTime }, time, at),
})

/** Faults of exchanges after some change of the identity, of its group or of its role bindings (R41). */
export const assumedCellFaults: readonly Fault[] = [
  fault(
    'an identity whose group was renamed under a mask is not assumed',
    foundByModel,
    remembering(
      beforeIf('groups', (change) => isRename(change) && change.by === 'http' && change.mask !== undefined),
      closedInKnown,
    ),
  ),
  fault(
    'an identity whose group gRPC renamed is not assumed',
    foundByModel,
    remembering(
      beforeIf('groups', (change) => isRename(change) && change.by === 'grpc'),
      closedInKnown,
    ),
  ),
  fault(
    'an identity whose description was emptied under a mask is not assumed until it changes again',
    foundByModel,
    remembering(
      beforeIf('identities', (change) => isEmptied(change) && change.mask !== undefined),
      closedWhereKnown,
    ),
  ),
  fault('an identity that got an earlier name back is not assumed', foundByModel, (contract) => {
    const had = new Map<string, Set<string>>()
    return remembering(
      beforeIf('identities', ({ before, after }) => {
        const names = had.get(after.uid) ?? new Set()
        had.set(after.uid, names.add(before.name))
        return names.has(after.name) && before.name !== after.name
      }),
      closedWhereKnown,
    )(contract)
  }),
  fault(
    'an identity that gRPC renamed is not assumed until it changes again',
    foundByModel,
    remembering(
      beforeIf('identities', (change) => isRename(change) && change.by === 'grpc'),
      closedWhereKnown,
    ),
  ),
  fault(
    'claims that a mask lists are not known to the exchange',
    foundByModel,
    remembering(
      beforeFirstIf('identities', ({ before, after, mask }) => mask !== undefined && claimsDiffer(before, after)),
      withClaimsBefore,
    ),
  ),
  fault(
    'claims that change together with the description are not known to the exchange',
    foundByModel,
    remembering(
      beforeFirstIf(
        'identities',
        ({ before, after }) => claimsDiffer(before, after) && before.description !== after.description,
      ),
      withClaimsBefore,
    ),
  ),
  fault('an update under a mask ends the API tokens of its identity', foundByModel, (contract) => {
    const { end, rules } = revoking(contract)
    return {
      ...remembering(
        (change) => {
          if (change.before.kind === 'identities' && change.mask !== undefined) end(change.after.uid)
          return undefined
        },
        () => rules,
      )(contract),
    }
  }),
  fault(
    'an exchange puts back the name and the description that gRPC changed',
    foundByModel,
    remembering(
      beforeFirstIf('identities', ({ by }) => by === 'grpc'),
      puttingBack,
    ),
  ),
  fault(
    'an exchange puts back the description that was emptied under a mask',
    foundByModel,
    remembering(
      beforeIf('identities', (change) => isEmptied(change) && change.mask !== undefined),
      puttingBack,
    ),
  ),
  fault(
    'an identity that has its only role by an update of a role binding is not assumed',
    foundByModel,
    (contract) => ({
      keep(item, at) {
        contract.keep(item, at)
      },
      ...remembering(
        ({ before, after }) =>
          before.kind === 'roleBindings' && before.identityUid !== after.identityUid ? after : undefined,
        (given, rules) => ({
          assumable(uid, at) {
            const bound = at.world.store.bindingsOf(uid)
            const isGiven = bound.length > 0 && bound.every((one) => given.has(one.uid))
            return isGiven ? undefined : rules.assumable(uid, at)
          },
        }),
      )(contract),
    }),
  ),
  fault('a group that v1 was refused to delete closes its identities', foundByModel, (contract) => {
    const closed = new Set<string>()
    return {
      lostByRefusedDelete(item, at) {
        if (doorOf(at) === 'v1') closed.add(item.uid)
        return contract.lostByRefusedDelete(item, at)
      },
      ...closedIf(contract, ({ parent }) => closed.has(parent)),
    }
  }),
  fault(
    'with an identity go the claims of those that have its subject from another issuer',
    foundByModel,
    (contract) => {
      const closed = new Set<string>()
      return {
        forget(steps, item, at) {
          if (item.kind === 'identities')
            for (const other of at.world.store.all('identities'))
              if (other.uid !== item.uid && other.claimMatch?.subject === item.claimMatch?.subject)
                closed.add(other.uid)
          contract.forget(steps, item, at)
        },
        ...closedIf(contract, ({ uid }) => closed.has(uid)),
      }
    },
  ),
  fault('Get still finds a deleted identity that was assumed', foundByModel, (contract) => {
    const [seen, gone] = [new Set<string>(), new Map<string, Item>()]
    return {
      seenAt(claims, kept, now, at) {
        seen.add(kept.uid)
        return contract.seenAt(claims, kept, now, at)
      },
      forget(steps, item, at) {
        if (seen.has(item.uid)) gone.set(item.uid, item)
        contract.forget(steps, item, at)
      },
      ...on(
        'identities',
        during('get', {
          found: (uid, kind, at) =>
            contract.found(uid, kind, at) ?? (kind === 'identities' ? gone.get(uid) : undefined),
        }),
      )(contract),
    }
  }),
  fault(
    'lists over gRPC show identities as last seen when they were made',
    foundByModel,
    overGrpc(during('list', seenAtCreate)),
  ),
  fault('an update over gRPC of an identity says that it was last seen when it was made', foundByModel, (contract) => ({
    modify: ({ read, change, write }, at) =>
      contract.modify(
        {
          read,
          change(old) {
            const next = change(old)
            const isOne = next.kind === 'identities' && at.over === 'grpc'
            return isOne ? { ...next, lastSeenTime: next.createTime } : next
          },
          write,
        },
        at,
      ),
  })),
]
