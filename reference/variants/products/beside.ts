import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Variant, variant } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'
import { sparing } from '../groups-contents.ts'
import { remove } from '../jobs.ts'

type Puts = (group: Item, called: Pick<Item, 'name' | 'description'>, at: At) => void

/** The target puts groups of its own beside others: each is deleted with the one that it is for, and prevents nothing. */
const putting =
  (rules: (contract: Rules, put: Puts) => Partial<Rules>): Replacement =>
  (contract) => {
    const own = new Set<string>()
    const beside = new Map<string, Item[]>()
    const put: Puts = (group, called, at) => {
      const { store, now } = at.world
      const home = store.get('groups', group.parent)
      if (!home) return
      const uid = contract.mintUid(home, { ...at, kind: 'groups' })
      const times = { createTime: now(), updateTime: now() }
      const item: Item = { ...group, ...called, uid, ...times, resourceLimits: {}, verified: false }
      own.add(uid)
      beside.set(group.uid, [...(beside.get(group.uid) ?? []), item])
      store.put(item)
    }
    return {
      ...sparing(contract, own),
      forget(steps, item, at) {
        contract.forget(steps, item, at)
        for (const one of beside.get(item.uid) ?? []) remove(at, one)
        beside.delete(item.uid)
      },
      ...rules(contract, put),
    }
  }

/** Lawful targets that have groups of their own beside those of others (R50). */
export const besideVariants: readonly Variant[] = [
  variant(
    'every new group has a shadow group beside it, which is deleted with it',
    putting((contract, put) => {
      let shadows = 0
      return {
        keep(item, at) {
          contract.keep(item, at)
          if (item.kind === 'groups') put(item, { name: `shadow ${shadows++}`, description: 'A copy for audits.' }, at)
        },
      }
    }),
  ),
  variant(
    'a rename of a group leaves a placeholder with the old name beside it, which goes with the group',
    putting((contract, put) => ({
      async modify(steps, at) {
        const { name } = steps.read()
        const next = await contract.modify(steps, at)
        if (next.kind === 'groups' && next.name !== name) put(next, { name, description: 'Renamed.' }, at)
        return next
      },
    })),
  ),
]
