import type { At } from '../../domain/at.ts'
import type { Item, Kind } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, inV1, on, type Replacement } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

/** How many groups are above a group, its organization included. */
const depthOf = (uid: string) => uid.split('/').length - 1

/** How many levels a thing lies below a scope: 0 right in it. */
const levelsIn = ({ parent }: Item, scope: string) => depthOf(parent) - depthOf(scope)

/** Lists of what is below a group that end so many levels down. */
const noDeeper =
  (levels: number): Replacement =>
  (contract) => ({
    withinScope: (item, at) =>
      contract.withinScope(item, at) &&
      (at.query?.descendantsOf === undefined || levelsIn(item, at.query.descendantsOf) < levels),
  })

/** A group so many levels below an organization. */
const isDeep = (uid: string, levels: number) => depthOf(uid) >= levels

const inV2 = (at: At) => at.version !== 'v1'

const called = {
  identityProviders: 'identity providers',
  accountAssociations: 'account associations',
  groupInvites: 'invites',
  roleBindings: 'role bindings',
}

/** What a server does otherwise where groups lie a dozen levels deep. */
export const depthFaults: readonly Fault[] = [
  ...Object.entries(called).map(([kind, many]) =>
    fault(`${many} more than nine levels below are not listed`, foundByModel, on(kind as Kind, noDeeper(9))),
  ),
  fault('a list of v1 goes nine levels down', foundByModel, (contract) => {
    const scopes = new WeakMap<At, string>()
    return {
      v1Scope(asked, at) {
        const scope = contract.v1Scope(asked, at)
        if (scope.descendantsOf !== undefined) scopes.set(at, scope.descendantsOf)
        return scope
      },
      v1Listed(items, at) {
        const scope = scopes.get(at)
        const near = scope === undefined ? items : items.filter((item) => levelsIn(item, scope) < 9)
        return contract.v1Listed(near, at)
      },
    }
  }),
  fault(
    'an identity that lies nine levels below is not found by its name',
    foundByModel,
    on('identities', (contract) => ({
      matchesName: (item, name, at) =>
        contract.matchesName(item, name, at) && levelsIn(item, at.query?.descendantsOf ?? item.parent) < 9,
    })),
  ),
  fault('the total of what is below counts ten levels', foundByModel, (contract) => {
    const deep = new WeakMap<At, number>()
    return {
      sorted(items, compare, at) {
        const { descendantsOf } = at.query!
        const far = descendantsOf === undefined ? [] : items.filter((item) => levelsIn(item, descendantsOf) >= 10)
        deep.set(at, at.kind === 'identities' ? far.length : 0)
        return contract.sorted(items, compare, at)
      },
      totalCount: (counts, at) => contract.totalCount({ ...counts, matches: counts.matches - (deep.get(at) ?? 0) }, at),
    }
  }),
  fault('a role binding eleven levels down shows the group above its own', foundByModel, (contract) => ({
    roleBinding(item, parts, time, at) {
      const { group } = parts
      const above = group && isDeep(group.uid, 12) ? at.world.store.get('groups', group.parent) : group
      return contract.roleBinding(item, { ...parts, group: above ?? group }, time, at)
    },
  })),
  fault(
    'twelve levels down a group is deleted with what is in it',
    foundByModel,
    on('groups', (contract) => ({
      blocksDelete: (item, living, at) => !isDeep(item.uid, 12) && contract.blocksDelete(item, living, at),
    })),
  ),
  fault('twelve levels down Get in v1 finds a group that was deleted', foundByModel, (contract) => {
    const gone = new Map<string, Item>()
    return {
      forget(steps, item, at) {
        if (item.kind === 'groups' && isDeep(item.uid, 12)) gone.set(item.uid, item)
        contract.forget(steps, item, at)
      },
      found: (uid, kind, at) =>
        contract.found(uid, kind, at) ??
        (kind === 'groups' && at.version === 'v1' && at.operation === 'get' ? gone.get(uid) : undefined),
    }
  }),
  fault(
    'eleven levels down an update by v1 is written to the group above',
    foundByModel,
    inV1(
      during('update', (contract) => ({
        modify(steps, at) {
          const old = steps.read()
          const above = isDeep(old.uid, 12) ? at.world.store.get('groups', old.parent) : undefined
          if (!above) return contract.modify(steps, at)
          const { name, description } = steps.change(old)
          at.world.store.put({ ...above, name, description })
          return { ...old, name, description }
        },
      })),
    ),
  ),
  fault('the children of a group ten levels down are also those of its children', foundByModel, (contract) => ({
    *candidates(at) {
      yield* contract.candidates(at)
      const { childrenOf } = at.query!
      if (at.kind !== 'identities' || childrenOf === undefined || !isDeep(childrenOf, 11)) return
      for (const { uid } of at.world.store.under('groups', childrenOf)) yield* at.world.store.under('identities', uid)
    },
    withinScope(item, at) {
      const { childrenOf } = at.query!
      const isBelow = childrenOf !== undefined && isDeep(childrenOf, 11) && item.parent.startsWith(`${childrenOf}/`)
      return contract.withinScope(item, at) || (at.kind === 'identities' && isBelow)
    },
  })),
  fault(
    'what lies twelve levels down has no description in lists',
    foundByModel,
    during('list', (contract) => ({
      identity: (item, time, at) =>
        contract.identity(inV2(at) && isDeep(item.parent, 12) ? { ...item, description: '' } : item, time, at),
    })),
  ),
]
