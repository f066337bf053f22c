import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on } from '../../replace.ts'

const segments = (uid: string) => uid.split('/').length

/** The mask of a call, as it was read. */
const masks = new WeakMap<At, readonly string[] | undefined>()

/** Faults that only some histories of a resource show (S4.28, R25, R28). */
export const unusualHistoryFaults: readonly Fault[] = [
  fault(
    'an update of an identity far down is answered and forgotten',
    ['model.*'],
    on('identities', (contract) => ({
      modify(steps, at) {
        const old = steps.read()
        return segments(old.uid) > 10 ? steps.change(old) : contract.modify(steps, at)
      },
    })),
  ),
  fault(
    'an identity is bound at most eight levels below its own group',
    ['model.*'],
    on('roleBindings', (contract) => ({
      roleBinding(item, parts, time, at) {
        const shown = contract.roleBinding(item, parts, time, at)
        const far = parts.identity && parts.group && segments(parts.group.uid) - segments(parts.identity.parent) > 6
        return far ? { ...shown, identity: undefined } : shown
      },
    })),
  ),
  fault(
    'a binding that is made for the third time is in no list',
    ['model.*'],
    on('roleBindings', (contract) => {
      const made = new Map<string, number>()
      const lost = new Set<string>()
      return {
        keep(item, at) {
          const key = `${item.parent} ${item.identityUid} ${item.roleUid}`
          const count = (made.get(key) ?? 0) + 1
          made.set(key, count)
          if (count > 2) lost.add(item.uid)
          contract.keep(item, at)
        },
        withinScope: (item, at) => contract.withinScope(item, at) && !lost.has(item.uid),
      }
    }),
  ),
  fault(
    'an identity with the claims of a deleted one gets its description',
    ['model.*'],
    on('identities', (contract) => {
      const gone = new Map<string, Item>()
      return {
        forget(steps, item, at) {
          gone.set(JSON.stringify(item.claimMatch), item)
          contract.forget(steps, item, at)
        },
        keep(item, at) {
          const before = gone.get(JSON.stringify(item.claimMatch))
          contract.keep(before && item.description === '' ? { ...item, description: before.description } : item, at)
        },
      }
    }),
  ),
  fault(
    'of a mask of several fields all are answered and the first is kept',
    ['group.update.mask.several'],
    (contract) => ({
      mask(raw, at) {
        const fields = contract.mask(raw, at)
        masks.set(at, fields)
        return fields
      },
      modify(steps, at) {
        const fields = masks.get(at) ?? []
        const old = steps.read()
        if (fields.length < 2) return contract.modify(steps, at)
        const next = steps.change(old)
        const [first] = fields as (keyof Item)[]
        steps.write({ ...old, ...(first ? { [first]: next[first] } : {}), updateTime: next.updateTime } as Item)
        return next
      },
    }),
  ),
  fault(
    'an empty description without a mask is answered and not kept',
    ['group.update.clears-unmasked'],
    (contract) => ({
      mask(raw, at) {
        const fields = contract.mask(raw, at)
        masks.set(at, fields)
        return fields
      },
      modify(steps, at) {
        const old = steps.read()
        const next = steps.change(old)
        const hit =
          at.version !== 'v1' && masks.get(at) === undefined && next.description === '' && old.description !== ''
        if (!hit) return contract.modify(steps, at)
        steps.write({ ...next, description: old.description })
        return next
      },
    }),
  ),
  fault(
    'a claim match that a mask lists is answered and not kept',
    ['model.*'],
    on('identities', (contract) => ({
      mask(raw, at) {
        const fields = contract.mask(raw, at)
        masks.set(at, fields)
        return fields
      },
      modify(steps, at) {
        const old = steps.read()
        const next = steps.change(old)
        if (!masks.get(at)?.includes('claimMatch')) return contract.modify(steps, at)
        steps.write({ ...next, claimMatch: old.claimMatch! })
        return next
      },
    })),
  ),
  fault('a name that went with a deleted group finds nothing that is renamed to it', ['model.*'], (contract) => {
    const gone = new Set<string>()
    const lost = new Map<string, string>()
    return {
      forget(steps, item, at) {
        if (item.kind === 'groups') gone.add(`${item.parent} ${item.name}`)
        contract.forget(steps, item, at)
      },
      keep(item, at) {
        gone.delete(`${item.parent} ${item.name}`)
        contract.keep(item, at)
      },
      modify(steps, at) {
        const old = steps.read()
        return contract.modify(
          {
            ...steps,
            write(next) {
              if (next.kind === 'groups' && next.name !== old.name && gone.has(`${next.parent} ${next.name}`))
                lost.set(next.uid, next.name)
              else if (next.name !== old.name) lost.delete(next.uid)
              steps.write(next)
            },
          },
          at,
        )
      },
      matchesName: (item, name, at) => contract.matchesName(item, name, at) && lost.get(item.uid) !== name,
    }
  }),
  fault(
    'an identity whose claims were changed is bound as it was at first where it is bound below',
    ['model.*'],
    (contract) => {
      const first = new Map<string, Item>()
      return {
        keep(item, at) {
          if (item.kind === 'identities') first.set(item.uid, item)
          contract.keep(item, at)
        },
        roleBinding(item, parts, time, at) {
          const old = parts.identity && first.get(parts.identity.uid)
          const below = parts.identity && item.parent.split('/').length - parts.identity.parent.split('/').length > 1
          return contract.roleBinding(
            item,
            below && old ? { ...parts, identity: { ...parts.identity!, claimMatch: old.claimMatch! } } : parts,
            time,
            at,
          )
        },
      }
    },
  ),
  fault(
    'a rename of a group with more than a hundred children is answered and forgotten',
    ['model.*'],
    on('groups', (contract) => ({
      modify(steps, at) {
        const old = steps.read()
        let count = 0
        for (const _ of at.world.store.under('groups', old.uid)) count++
        return count > 100 ? steps.change(old) : contract.modify(steps, at)
      },
    })),
  ),
  fault('a change of claims reaches the first ten bindings of an identity', ['model.*'], (contract) => {
    const first = new Map<string, Item>()
    return {
      keep(item, at) {
        contract.keep(item, at)
        if (item.kind !== 'roleBindings') return
        const identity = at.world.store.get('identities', item.identityUid ?? '')
        if (identity && at.world.store.bindingsOf(identity.uid).length > 10) first.set(item.uid, identity)
      },
      hydrated(part, kind, binding, at) {
        const old = first.get(binding.uid)
        return contract.hydrated(
          part && kind === 'identities' && old ? { ...part, claimMatch: old.claimMatch! } : part,
          kind,
          binding,
          at,
        )
      },
    }
  }),
  fault('an update brings a deleted identity back', ['model.*'], (contract) => {
    const gone = new Map<string, Item>()
    return {
      forget(steps, item, at) {
        if (item.kind === 'identities') gone.set(item.uid, item)
        contract.forget(steps, item, at)
      },
      found: (uid, kind, at) =>
        contract.found(uid, kind, at) ??
        (at.kind === 'identities' && at.operation === 'update' && kind === 'identities' ? gone.get(uid) : undefined),
    }
  }),
]
