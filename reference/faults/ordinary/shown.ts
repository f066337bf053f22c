import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during } from '../../replace.ts'
import { day } from '../durations.ts'
import { foundByModel } from '../run/histories.ts'

/** Faults of what an answer shows of what is stored (S2.4, S2.14, R55). */
export const ordinaryShownFaults: readonly Fault[] = [
  fault(
    'on a page of role bindings those of groups of one name all show the first of these groups',
    foundByModel,
    during('list', (contract) => {
      const loaded = new WeakMap<At, Map<string, Item>>()
      return {
        hydrated(part, kind, binding, at) {
          const shown = contract.hydrated(part, kind, binding, at)
          if (kind !== 'groups' || !shown) return shown
          const known = loaded.get(at) ?? new Map<string, Item>()
          loaded.set(at, known)
          if (!known.has(shown.name)) known.set(shown.name, shown)
          return known.get(shown.name)
        },
      }
    }),
  ),
  fault(
    'in the order of created_at a role binding has the createTime of its identity',
    { turnsRed: ['model.*'], spreadsTo: ['list.*@roleBindings'] },
    during('list', (contract) => ({
      roleBinding(item, parts, time, at) {
        const isJoined = at.query?.order.field === 'createTime'
        const { createTime } = (isJoined && parts.identity) || item
        return contract.roleBinding({ ...item, createTime }, parts, time, at)
      },
    })),
  ),
  fault('what was made more than a day ago has its createTime to the second', foundByModel, (contract) => {
    const aged = (item: Item, at: At) => {
      const isOld = item.org !== '' && at.world.now() - item.createTime > day
      return isOld ? { ...item, createTime: Math.floor(item.createTime / 1000) * 1000 } : item
    }
    return {
      group: (item, time, at) => contract.group(aged(item, at), time, at),
      identity: (item, time, at) => contract.identity(aged(item, at), time, at),
      roleBinding: (item, parts, time, at) => contract.roleBinding(aged(item, at), parts, time, at),
    }
  }),
  fault(
    'in lists an identity was last changed when it was last seen',
    foundByModel,
    during('list', (contract) => ({
      identity(item, time, at) {
        const updateTime = Math.max(item.updateTime, item.lastSeenTime ?? 0)
        return contract.identity({ ...item, updateTime }, time, at)
      },
    })),
  ),
  fault('a role binding shows the first 128 characters of the uid of its group', foundByModel, (contract) => ({
    roleBinding(item, parts, time, at) {
      const group = parts.group && { ...parts.group, uid: parts.group.uid.slice(0, 128) }
      return contract.roleBinding(item, { ...parts, group }, time, at)
    },
  })),
  // S2.14, R55
  fault(
    'a role binding shows sixty-four characters of the names of its identity and its group',
    foundByModel,
    (contract) => ({
      hydrated(part, kind, binding, at) {
        const shown = contract.hydrated(part, kind, binding, at)
        return shown && kind !== 'roles' ? { ...shown, name: shown.name.slice(0, 64) } : shown
      },
    }),
  ),
  // R38
  fault('an invite to a role that is not there is made', foundByModel, (contract) => ({
    referenceHolds: (found, kind, at) => at.kind === 'groupInvites' || contract.referenceHolds(found, kind, at),
  })),
  // S2.16, R1
  fault('in a list by name repos have no createTime', foundByModel, (contract) => ({
    repo(item, time, at) {
      const { createTime, ...others } = contract.repo(item, time, at)
      return at.query?.name === undefined ? { ...others, createTime } : others
    },
  })),
]
