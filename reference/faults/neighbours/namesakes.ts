import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, on, withBody } from '../../replace.ts'

/** The uid of the group above. */
const above = (uid: string) => uid.slice(0, Math.max(0, uid.lastIndexOf('/')))

/** A name among its siblings. */
const keyOf = ({ parent, name }: Item) => `${parent} ${name}`

/** The groups above a scope that have the name asked for. */
function namedAbove(at: At): Item[] {
  const { descendantsOf = '', name } = at.query ?? {}
  const found: Item[] = []
  if (at.kind !== 'groups' || name === undefined) return found
  for (let uid = above(descendantsOf); uid !== ''; uid = above(uid)) {
    const group = at.world.store.get('groups', uid)
    if (group?.name === name) found.push(group)
  }
  return found
}

/** Faults that show where several things have one name or one body, or had it. */
export const namesakeFaults: readonly Fault[] = [
  fault(
    'a create with the name and the description of a living sibling answers that sibling and makes nothing',
    ['model.*'],
    withBody((sent, contract) => {
      const twins = new WeakMap<At, Item>()
      return {
        mintUid(parent, at) {
          const { name, description } = sent(at)
          const isTwin = (item: Item) => item.name === name && item.description === description
          const twin = description ? [...at.world.store.under('groups', parent.uid)].find(isTwin) : undefined
          if (at.kind !== 'groups' || at.version === 'v1' || twin === undefined) return contract.mintUid(parent, at)
          twins.set(at, twin)
          return twin.uid
        },
        keep: (item, at) => (twins.has(at) ? undefined : contract.keep(item, at)),
        group: (item, time, at) => contract.group(twins.get(at) ?? item, time, at),
      }
    }),
  ),
  fault('a group is deleted though a child lives in it whose namesake there was deleted', ['model.*'], (contract) => {
    const gone = new Set<string>()
    return {
      keep(item, at) {
        gone.delete(keyOf(item))
        contract.keep(item, at)
      },
      forget(steps, item, at) {
        if (item.kind === 'groups') gone.add(keyOf(item))
        contract.forget(steps, item, at)
      },
      blocksDelete(item, living, at) {
        const children = [...at.world.store.under('groups', item.uid)]
        const isOnly = living.length === 1 && living[0] === 'groups'
        return !(isOnly && children.every((child) => gone.has(keyOf(child)))) && contract.blocksDelete(item, living, at)
      },
    }
  }),
  fault(
    'of identities of one name right in a group, the newest first, the total counts those further below as well',
    ['model.*'],
    (contract) => ({
      totalCount(counts, at) {
        const { childrenOf, name, order } = at.query!
        const isAsked =
          childrenOf !== undefined && name !== undefined && order.field === 'createTime' && order.descending
        if (at.kind !== 'identities' || !isAsked) return contract.totalCount(counts, at)
        const isBelow = ({ parent = '' }: Item) => `${parent}/`.startsWith(`${childrenOf}/`)
        return String(
          [...at.world.store.all('identities')].filter((item) => item.name === name && isBelow(item)).length,
        )
      },
    }),
  ),
  fault('below a group a name also finds the groups above it that have this name', ['model.*'], (contract) => ({
    *candidates(at) {
      yield* contract.candidates(at)
      yield* namedAbove(at)
    },
    withinScope: (item, at) => namedAbove(at).includes(item) || contract.withinScope(item, at),
  })),
  fault(
    'an account association that is renamed to the name of a deleted one in its group gets the description of that one',
    ['model.*'],
    (contract) => {
      const gone = new Map<string, string | undefined>()
      return {
        forget(steps, item, at) {
          if (item.kind === 'accountAssociations') gone.set(keyOf(item), item.description)
          contract.forget(steps, item, at)
        },
        modify(steps, at) {
          const change = (old: Item) => {
            const next = steps.change(old)
            const isConcerned = next.kind === 'accountAssociations' && next.name !== old.name && gone.has(keyOf(next))
            return isConcerned ? { ...next, description: gone.get(keyOf(next)) ?? '' } : next
          }
          return contract.modify({ ...steps, change }, at)
        },
      }
    },
  ),
  fault('a role binding shows the namesake of its identity in the group right above', ['model.*'], (contract) => ({
    hydrated(part, kind, binding, at) {
      const shown = contract.hydrated(part, kind, binding, at)
      if (kind !== 'identities' || shown?.parent !== binding.parent) return shown
      const others = at.world.store.under('identities', above(String(binding.parent)))
      return [...others].find(({ name }) => name === shown?.name) ?? shown
    },
  })),
  fault(
    'Get of a role binding describes an identity that has no description as its group',
    ['model.*'],
    during('get', (contract) => ({
      roleBinding(item, parts, time, at) {
        const { identity } = parts
        const isPlain = identity?.description === ''
        const other = isPlain ? { ...identity, description: parts.group?.description ?? '' } : identity
        return contract.roleBinding(item, { ...parts, identity: other }, time, at)
      },
    })),
  ),
  fault(
    'a second delete of an account association takes the next one of its group',
    ['model.*'],
    on('accountAssociations', (contract) => {
      const parents = new Map<string, string>()
      return {
        forget(steps, item, at) {
          parents.set(item.uid, String(item.parent))
          contract.forget(steps, item, at)
        },
        found(uid, kind, at) {
          const there = contract.found(uid, kind, at)
          const parent = kind === at.kind && at.operation === 'delete' ? parents.get(uid) : undefined
          return there ?? (parent === undefined ? undefined : [...at.world.store.under(kind, parent)][0])
        },
      }
    }),
  ),
  fault('over gRPC a group is deleted whose children v1 has made', ['model.*'], (contract) => {
    const made = new Set<string>()
    return {
      keep(item, at) {
        if (at.version === 'v1') made.add(item.uid)
        contract.keep(item, at)
      },
      blocksDelete(item, living, at) {
        const isOnly = at.over === 'grpc' && living.length === 1 && living[0] === 'groups'
        const children = [...at.world.store.under('groups', item.uid)]
        return !(isOnly && children.every(({ uid }) => made.has(uid))) && contract.blocksDelete(item, living, at)
      },
    }
  }),
]
