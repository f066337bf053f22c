import type { At } from '../../domain/at.ts'
import type { Kind } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'
import { pause } from '../pause.ts'
import { foundByModel } from '../run/histories.ts'
import { whileUnderWay } from './under-way.ts'

/** How long a call is under way that locks nothing, in milliseconds. */
const slow = 30

const isDelete =
  (...kinds: readonly Kind[]) =>
  (at: At): boolean =>
    at.operation === 'delete' && kinds.includes(at.kind as Kind)

const called = {
  identities: 'an identity',
  roleBindings: 'a role binding',
  identityProviders: 'an identity provider',
  accountAssociations: 'an account association',
} as const

/** Something of a kind that is made in a group while the group is being deleted, which looked for it before. */
const survives = (kind: Kind): Replacement =>
  whileUnderWay(isDelete('groups'), slow, (underWay, contract) => {
    const late = new Set<string>()
    return {
      keep(item, at) {
        contract.keep(item, at)
        if (item.kind === kind && underWay(item.parent) > 0) late.add(item.uid)
      },
      blocksDelete(item, living, at) {
        const there = [...at.world.store.under(kind, item.uid)]
        const left = there.every(({ uid }) => late.has(uid)) ? living.filter((one) => one !== kind) : living
        return contract.blocksDelete(item, left, at)
      },
    }
  })

/** Something of a kind that an update writes back after it was deleted. */
const revived =
  (kind: Kind): Replacement =>
  (contract) => ({
    async modify(steps, at) {
      const before = steps.read()
      if (before.kind !== kind) return contract.modify(steps, at)
      const next = steps.change(before)
      await pause(slow)
      steps.write(at.world.store.get(kind, before.uid) ? steps.change(steps.read()) : next)
      return next
    },
  })

/** Deletes that come at the same moment as another call on the same thing, on its group or in it. */
export const deletesTogetherFaults: readonly Fault[] = [
  fault(
    'of two deletes of one account association at once none takes effect',
    foundByModel,
    whileUnderWay(isDelete('accountAssociations'), slow, (underWay, contract) => ({
      forget(steps, item, at) {
        if (item.kind !== 'accountAssociations' || underWay(item.uid) < 2) contract.forget(steps, item, at)
      },
    })),
  ),
  ...(Object.keys(called) as (keyof typeof called)[]).map((kind) =>
    fault(`a group is deleted that gets ${called[kind]} at the same moment`, foundByModel, survives(kind)),
  ),
  ...(['identityProviders', 'accountAssociations', 'roleBindings'] as const).map((kind) =>
    fault(`an update of ${called[kind]} beside its delete brings it back`, foundByModel, revived(kind)),
  ),
  fault(
    'a role binding that is made beside the delete of its identity stays',
    foundByModel,
    whileUnderWay(isDelete('identities'), slow, (underWay, contract) => {
      const late = new Set<string>()
      return {
        keep(item, at) {
          contract.keep(item, at)
          if (item.kind === 'roleBindings' && underWay(String(item.identityUid)) > 0) late.add(item.uid)
        },
        alsoRemoved: (item, at) => contract.alsoRemoved(item, at).filter(({ uid }) => !late.has(uid)),
      }
    }),
  ),
  fault(
    'two deletes at once of one identity count twice in the total of its group',
    foundByModel,
    whileUnderWay(isDelete('identities'), slow, (underWay, contract) => {
      const less = new Map<string, number>()
      return {
        forget(steps, item, at) {
          contract.forget(steps, item, at)
          if (item.kind !== 'identities' || underWay(item.uid) < 2) return
          less.set(item.parent, (less.get(item.parent) ?? 0) + 1)
        },
        totalCount(counts, at) {
          const { childrenOf, name } = at.query!
          const lost = at.kind === 'identities' && name === undefined ? (less.get(childrenOf ?? '') ?? 0) : 0
          return contract.totalCount({ ...counts, matches: Math.max(0, counts.matches - lost) }, at)
        },
      }
    }),
  ),
  fault(
    'of two identity providers of a group that are deleted at once one stays in lists',
    foundByModel,
    whileUnderWay(isDelete('identityProviders'), slow, (underWay, contract) => ({
      forget({ drop, unlist }, item, at) {
        const others = [...at.world.store.under('identityProviders', item.parent)].filter(({ uid }) => uid !== item.uid)
        const isBeside = item.kind === 'identityProviders' && others.some(({ uid }) => underWay(uid) > 0)
        contract.forget({ drop, unlist: isBeside ? () => {} : unlist }, item, at)
      },
    })),
  ),
]
