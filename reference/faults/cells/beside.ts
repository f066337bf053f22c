import type { At } from '../../domain/at.ts'
import type { Item, Kind } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { inV1, on, type Replacement, underMask, withBody } from '../../replace.ts'
import type { Scope } from '../../rules/values.ts'
import { type Door, doorOf, foundByDoors } from '../doors/doors.ts'
import { foundByModel } from '../run/histories.ts'
import { revoking } from '../sts/revoking.ts'
import { type Change, isRename, remembering } from './past.ts'

/** What is of a kind in a full group goes when some door refuses to delete the group. */
const lostWhenRefused =
  (kind: Kind, by: Door): Replacement =>
  (contract) => ({
    lostByRefusedDelete: (item, at) => [
      ...contract.lostByRefusedDelete(item, at),
      ...(doorOf(at) === by ? at.world.store.under(kind, item.uid) : []),
    ],
  })

/** Changes that end the API tokens of some identities. */
const endingTokens =
  (owners: (change: Change, at: At) => Iterable<string>): Replacement =>
  (contract) => {
    const { end, rules } = revoking(contract)
    let now: At | undefined
    return remembering(
      (change) => {
        if (now) for (const uid of owners(change, now)) end(uid)
        return undefined
      },
      () => ({
        ...rules,
        modify(steps, at) {
          now = at
          return contract.modify(steps, at)
        },
      }),
    )(contract)
  }

const identitiesIn = ({ uid }: Item, { world }: At) => [...world.store.under('identities', uid)].map((one) => one.uid)

/** Faults that a refused call, a mask or another door leaves around a thing (R29, R40, R44, R55). */
export const besideCellFaults: readonly Fault[] = [
  fault('v1 lists the children of a group where all below it are asked for after those', foundByModel, (contract) => {
    const [shallow, asked] = [new Set<string>(), new WeakMap<At, Scope>()]
    return {
      v1Scope(scope, at) {
        const found = contract.v1Scope(scope, at)
        asked.set(at, found)
        if (found.childrenOf !== undefined) shallow.add(found.childrenOf)
        return found
      },
      v1Listed(items, at) {
        const { descendantsOf = '' } = asked.get(at) ?? {}
        const listed = contract.v1Listed(items, at)
        return shallow.has(descendantsOf) ? listed.filter(({ parent }) => parent === descendantsOf) : listed
      },
    }
  }),
  fault('an exchange that was accepted is remembered by its identity and its subject', foundByModel, (contract) => {
    const [good, asked] = [new Set<string>(), new WeakMap<At, string>()]
    return {
      assumable(uid, at) {
        asked.set(at, uid)
        return contract.assumable(uid, at)
      },
      sameIssuer(one, other, at) {
        const uid = asked.get(at)
        return contract.sameIssuer(one, other, at) || (uid !== undefined && good.has(uid))
      },
      seenAt(claims, kept, now, at) {
        good.add(kept.uid)
        return contract.seenAt(claims, kept, now, at)
      },
    }
  }),
  fault(
    'an identity whose role binding was refused cannot be bound after that',
    foundByModel,
    on(
      'roleBindings',
      withBody((sent, contract) => {
        const refused = new Set<unknown>()
        return {
          referenceHolds(found, kind, at) {
            const { identityUid } = sent(at)
            const holds = contract.referenceHolds(found, kind, at)
            if (kind === 'roles' && !holds) refused.add(identityUid)
            return holds && !(kind === 'identities' && refused.has(identityUid))
          },
        }
      }),
    ),
  ),
  fault('an identity that is made in a group where a create was refused is in no list', foundByModel, (contract) => {
    const [refused, lost] = [new Set<string>(), new Set<string>()]
    return {
      leftByRefusedCreate(draft, at) {
        if (draft.kind === 'groups') refused.add(draft.parent)
        return contract.leftByRefusedCreate(draft, at)
      },
      keep(item, at) {
        if (item.kind === 'identities' && refused.has(item.parent)) lost.add(item.uid)
        contract.keep(item, at)
      },
      withinScope: (item, at) => contract.withinScope(item, at) && !lost.has(item.uid),
    }
  }),
  fault('a delete that v1 refuses takes the invites of the group', foundByModel, lostWhenRefused('groupInvites', 'v1')),
  fault(
    'a delete that gRPC refuses takes the account associations of the group',
    foundByDoors,
    lostWhenRefused('accountAssociations', 'grpc'),
  ),
  fault(
    'a group that gRPC has changed shows no limits over HTTP',
    foundByDoors,
    remembering(
      ({ before, after, by }) => (before.kind !== 'groups' ? undefined : by === 'grpc' ? after : 'nothing'),
      (known, contract) => ({
        group(item, time, at) {
          const { resourceLimits, ...others } = contract.group(item, time, at)
          return known.has(item.uid) && doorOf(at) === 'http' ? others : { ...others, resourceLimits }
        },
      }),
    ),
  ),
  fault(
    'an update over gRPC of a role binding ends the API tokens of its identity',
    foundByDoors,
    endingTokens(({ after, by }) => (after.kind === 'roleBindings' && by === 'grpc' ? [after.identityUid ?? ''] : [])),
  ),
  fault(
    'a rename under a mask of a group ends the API tokens of its identities',
    foundByModel,
    endingTokens((change, at) =>
      change.after.kind === 'groups' && isRename(change) && change.mask ? identitiesIn(change.after, at) : [],
    ),
  ),
  fault(
    'a rename over gRPC of a group ends the API tokens of its identities',
    foundByDoors,
    endingTokens((change, at) =>
      change.after.kind === 'groups' && isRename(change) && change.by === 'grpc' ? identitiesIn(change.after, at) : [],
    ),
  ),
  fault('what a mask empties comes back in v1 with the next child of the group', foundByModel, (contract) =>
    remembering(
      ({ before, after, mask }) =>
        before.kind !== 'groups' ? undefined : before.description && !after.description && mask ? before : 'nothing',
      (known, rules) => {
        const back = new Set<string>()
        return {
          keep(item, at) {
            if (item.kind === 'groups' && known.has(item.parent)) back.add(item.parent)
            rules.keep(item, at)
          },
          ...inV1({
            v1Group(item, time, at) {
              const before = back.has(item.uid) ? known.get(item.uid) : undefined
              return rules.v1Group(before ? { ...item, description: before.description } : item, time, at)
            },
          })(rules),
        }
      },
    )(contract),
  ),
  fault(
    'a bad name in an update under a mask is a fault of the server',
    { turnsRed: ['service.faults'], spreadsTo: ['error.name.update', 'model.*'] },
    underMask((contract) => ({
      errorStatus: (refusal, at) =>
        refusal.problem === 'invalid' && refusal.field === 'name' ? 500 : contract.errorStatus(refusal, at),
      errorCode: (refusal, at) =>
        refusal.problem === 'invalid' && refusal.field === 'name' ? 13 : contract.errorCode(refusal, at),
    })),
  ),
  fault(
    'a role binding of an identity that was renamed under a mask is not in the list of its group',
    foundByModel,
    (contract) =>
      remembering(
        (change) =>
          change.before.kind !== 'identities' || !isRename(change) ? undefined : change.mask ? change.after : 'nothing',
        (known, rules) => ({
          withinScope: (item, at) =>
            rules.withinScope(item, at) &&
            !(item.kind === 'roleBindings' && at.query?.childrenOf !== undefined && known.has(item.identityUid ?? '')),
        }),
      )(contract),
  ),
]
