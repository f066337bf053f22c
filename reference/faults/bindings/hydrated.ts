import type { At } from '../../domain/at.ts'
import type { Fields, Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, type Replacement, when } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

/** Bindings that embed an identity as any binding, or they themselves, first showed it. */
const hydratedOnce =
  (applies: (at: At) => boolean, whose: 'everybody' | 'each binding'): Replacement =>
  () => {
    const first = new Map<string, Item>()
    return {
      hydrated(part, kind, binding, at) {
        if (kind !== 'identities' || !part) return part
        const key = whose === 'everybody' ? part.uid : binding.uid
        if (!first.has(key)) first.set(key, part)
        return applies(at) ? first.get(key) : part
      },
    }
  }

/** Bindings of which a list embeds the first so many things of a kind: it reads them in one batch. */
const hydratedInBatches =
  (embedded: Item['kind'], most: number): Replacement =>
  (contract) => {
    const read = new WeakMap<At, Set<string>>()
    return {
      hydrated(item, kind, binding, at) {
        const part = contract.hydrated(item, kind, binding, at)
        if (kind !== embedded || at.operation !== 'list' || !part) return part
        const seen = read.get(at) ?? new Set()
        read.set(at, seen)
        if (!seen.has(part.uid) && seen.size >= most) return undefined
        seen.add(part.uid)
        return part
      },
    }
  }

/** Faults in the resources that a binding embeds (S2.14, R7). */
export const bindingHydratedFaults: readonly Fault[] = [
  fault('a list of bindings reads its first hundred identities', foundByModel, hydratedInBatches('identities', 100)),
  fault(
    'a list of bindings reads its first hundred and twenty-eight identities',
    foundByModel,
    hydratedInBatches('identities', 128),
  ),
  fault(
    'a binding shows its identity without the subject',
    ['roleBinding.hydrated', 'roleBinding.hydrated.new-claims'],
    (contract) => ({
      roleBinding(item, parts, time, at) {
        const fields = contract.roleBinding(item, parts, time, at)
        return { ...fields, identity: { ...(fields.identity as Fields), subject: '' } }
      },
    }),
  ),
  fault('a binding describes its identity in Latin letters', foundByModel, (contract) => ({
    hydrated(part, kind, binding, at) {
      const shown = contract.hydrated(part, kind, binding, at)
      if (kind !== 'identities' || !shown) return shown
      return { ...shown, description: String(shown.description ?? '').replace(/[^\u0000-\u00ff]/g, '?') }
    },
  })),
  fault(
    'a list of bindings describes all roles like that of its first binding',
    foundByModel,
    during('list', (contract) => {
      const first = new WeakMap<object, Item | undefined>()
      return {
        roleBinding(item, parts, time, at) {
          const list = at.query ?? at
          if (!first.has(list)) first.set(list, parts.role)
          const { description = '' } = first.get(list) ?? {}
          return contract.roleBinding(item, { ...parts, role: parts.role && { ...parts.role, description } }, time, at)
        },
      }
    }),
  ),
  fault(
    'a binding shows the group of its identity',
    ['roleBinding.hydrated', 'roleBinding.hydrated.renamed', 'roleBinding.hydrated.live'],
    when(
      ({ kind }) => kind === 'roleBindings',
      (contract) => ({
        roleBinding: (item, parts, time, at) =>
          contract.roleBinding(
            item,
            { ...parts, group: at.world.store.get('groups', parts.identity?.parent ?? '') },
            time,
            at,
          ),
      }),
    ),
  ),
  fault('a binding shows the first role whatever was asked for', ['roleBinding.hydrated'], (contract) => ({
    hydrated(part, kind, binding, at) {
      if (kind !== 'roles') return contract.hydrated(part, kind, binding, at)
      const [first] = at.world.store.under('roles', '')
      return first
    },
  })),
  fault(
    'a list of bindings shows each identity as it was when it was bound',
    ['roleBinding.hydrated.live-identity'],
    hydratedOnce(({ operation }) => operation === 'list', 'each binding'),
  ),
  fault('bindings show the claim match of the beginning', ['roleBinding.hydrated.new-claims'], (contract) => {
    const first = new Map<string, Item['claimMatch']>()
    return {
      hydrated(part, kind, binding, at) {
        const shown = contract.hydrated(part, kind, binding, at)
        if (kind !== 'identities' || !shown?.claimMatch) return shown
        if (!first.has(shown.uid)) first.set(shown.uid, shown.claimMatch)
        return { ...shown, claimMatch: first.get(shown.uid)! }
      },
    }
  }),
  fault(
    'a binding shows its group as it first saw it',
    ['roleBinding.hydrated.renamed', 'roleBinding.hydrated.live'],
    () => {
      const first = new Map<string, Item>()
      return {
        hydrated(part, kind) {
          if (!part || kind !== 'groups') return part
          if (!first.has(part.uid)) first.set(part.uid, part)
          return first.get(part.uid)
        },
      }
    },
  ),
  fault(
    'a binding shows its identity as it first saw it',
    ['roleBinding.hydrated.renamed-identity', 'roleBinding.hydrated.live-identity'],
    hydratedOnce(() => true, 'everybody'),
  ),
  fault(
    'a list of bindings leaves issuers out',
    ['roleBinding.list.hydrated', 'roleBinding.list.answers'],
    during('list', (contract) => ({
      roleBinding(...given) {
        const { identity, ...fields } = contract.roleBinding(...given)
        const { issuer: _, ...rest } = identity as Record<string, unknown>
        return { ...fields, identity: rest }
      },
    })),
  ),
]
