import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Fault, fault } from '../../fault.ts'
import { inV1, on, withRequest } from '../../replace.ts'
import { pause } from '../pause.ts'
import { changed, foundByModel, onGroups, watching } from './histories.ts'

const keptForever = {
  turnsRed: ['group.delete.emptied.identities'],
  spreadsTo: ['grpc.delete.emptied', 'identity.delete.*', 'service.faults', 'roleBinding.*'],
}

/** Faults that appear because of something else that happened before or at the same moment. */
export const runAftermathFaults: readonly Fault[] = [
  fault(
    'a group with several children is refused without a description',
    foundByModel,
    onGroups((contract) => {
      const crowded = new WeakSet<At>()
      return {
        blocksDelete(item, living, at) {
          if ([...at.world.store.under('groups', item.uid)].length > 1) crowded.add(at)
          return contract.blocksDelete(item, living, at)
        },
        errorDetails(refusal, info, at) {
          const details = contract.errorDetails(refusal, info, at)
          if (refusal.problem !== 'notEmpty' || !crowded.has(at)) return details
          return details.map((detail) =>
            'violations' in detail ? { ...detail, violations: [{ type: 'RESOURCE_NOT_EMPTY' }] } : detail,
          )
        },
      }
    }),
  ),
  fault('an identity that was bound once can no longer be deleted', keptForever, (contract) => {
    const bound = new Set<string>()
    return {
      keep(item, at) {
        if (item.identityUid !== undefined) bound.add(item.identityUid)
        contract.keep(item, at)
      },
      objection(uid, at) {
        const isFree = at.world.store.bindingsOf(uid).length === 0
        const isAsked = at.kind === 'identities' && at.operation === 'delete'
        return isAsked && isFree && bound.has(uid)
          ? new Refusal('internal', 'identities', 'a foreign key is violated')
          : contract.objection(uid, at)
      },
    }
  }),
  fault('an identity that lost a binding cannot be bound again', foundByModel, (contract) => {
    const lost = new Set<string>()
    return {
      forget(steps, item, at) {
        if (item.identityUid !== undefined) lost.add(item.identityUid)
        contract.forget(steps, item, at)
      },
      referenceHolds: (found, kind, at) => contract.referenceHolds(found, kind, at) && !lost.has(found?.uid ?? ''),
    }
  }),
  fault('a new binding shows what its identity was described as before that was emptied', foundByModel, (contract) => {
    const described = new Map<string, string>()
    const note = ({ uid, description }: Item) => void (description !== '' && described.set(uid, description))
    return {
      ...on('identities', (inner) => ({
        ...watching(inner, (old, next) => {
          note(old)
          note(next)
        }),
      }))(contract),
      hydrated(part, kind, binding, at) {
        const shown = contract.hydrated(part, kind, binding, at)
        if (kind !== 'identities' || shown === undefined || shown.description !== '') return shown
        return { ...shown, description: described.get(shown.uid) ?? '' }
      },
    }
  }),
  fault('an identity that is made while its group is renamed is not listed', foundByModel, (contract) => {
    const renaming = new Set<string>()
    const hidden = new Set<string>()
    return {
      ...onGroups((groups) => ({
        async modify(steps, at) {
          const old = steps.read()
          if (steps.change(old).name === old.name) return groups.modify(steps, at)
          renaming.add(old.uid)
          await pause(5)
          renaming.delete(old.uid)
          return groups.modify(steps, at)
        },
      }))(contract),
      ...on('identities', (identities) => ({
        keep(item, at) {
          if (renaming.has(item.parent)) hidden.add(item.uid)
          identities.keep(item, at)
        },
        withinScope: (item, at) => identities.withinScope(item, at) && !hidden.has(item.uid),
      }))(contract),
    }
  }),
  fault(
    'v1 shows the limits of what it has updated as text',
    foundByModel,
    inV1(
      onGroups((contract) => {
        const updated = new Set<string>()
        return {
          ...changed(contract, (_old, next, at) => {
            if (at.version === 'v1') updated.add(next.uid)
            return next
          }),
          v1Group(item, time, at) {
            const group = contract.v1Group(item, time, at)
            return updated.has(item.uid) ? { ...group, resourceLimits: { clusters: '0' } } : group
          },
        }
      }),
    ),
  ),
  fault(
    'v1 lists the repos of a group only where groups are in it',
    ['v1.repo.id'],
    inV1(
      on('repos', (contract) => ({
        v1Scope(asked, at) {
          const scope = contract.v1Scope(asked, at)
          const isLeaf = at.world.store.isEmpty('groups', scope.descendantsOf ?? '')
          return isLeaf ? { childrenOf: 'none' } : scope
        },
      })),
    ),
  ),
  fault(
    'what lies ten levels down is read without a token',
    foundByModel,
    withRequest((request, contract) => ({
      needsToken: (at) =>
        contract.needsToken(at) && !(request()?.method === 'GET' && (request().url ?? '').split('/').length > 13),
    })),
  ),
  fault('a token in the parameter token will do', foundByModel, (contract) => ({
    credential: (headers, query, at) => contract.credential(headers, query, at) ?? query.get('token') ?? undefined,
  })),
]
