import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, underMask, withBody } from '../../replace.ts'

/** Faults in the times of an updated group (S2.4, R26). */
export const groupUpdateTimeFaults: readonly Fault[] = [
  fault(
    'without an order the last one updated comes last',
    ['group.update.default-order'],
    on('groups', (contract) => ({
      sortKey: (item, field, at) => (field === 'uid' ? String(item.updateTime) : contract.sortKey(item, field, at)),
    })),
  ),
  fault('a rename moves a group in the order of creation', ['group.update.order-of-creation'], (contract) => {
    const moved = new Map<string, number>()
    return {
      modify(steps, at) {
        const write = (next: Item) => {
          if (next.name !== steps.read().name) moved.set(next.uid, at.world.now())
          steps.write(next)
        }
        return contract.modify({ ...steps, write }, at)
      },
      sortKey: (item, field, at) =>
        field === 'createTime' ? (moved.get(item.uid) ?? item.createTime) : contract.sortKey(item, field, at),
    }
  }),
  fault('created_at goes by the time of the last update', ['group.update.order-of-creation'], (contract) => ({
    sortKey: (item, field, at) => (field === 'createTime' ? item.updateTime : contract.sortKey(item, field, at)),
  })),
  fault('updateTime stays', ['group.update.time.advances'], () => ({
    touched: ({ createTime, updateTime }) => ({ createTime, updateTime }),
  })),
  fault(
    'updateTime follows names only',
    ['group.update.time.advances'],
    on(
      'groups',
      withBody((sent, contract) => ({
        touched: (old, differs, now, at) => contract.touched(old, differs && 'name' in sent(at), now, at),
      })),
    ),
  ),
  fault(
    'updateTime follows descriptions only',
    ['group.update.time.advances'],
    on(
      'groups',
      withBody((sent, contract) => ({
        touched: (old, differs, now, at) => contract.touched(old, differs && 'description' in sent(at), now, at),
      })),
    ),
  ),
  fault(
    'a rename moves createTime',
    ['group.update.time.advances'],
    on(
      'groups',
      withBody((sent) => ({
        touched: (old, differs, now, at) => ({
          createTime: differs && 'name' in sent(at) ? now : old.createTime,
          updateTime: now,
        }),
      })),
    ),
  ),
  fault(
    'updateTime stays under a mask',
    ['group.update.time.advances'],
    on('groups', underMask({ touched: ({ createTime, updateTime }) => ({ createTime, updateTime }) })),
  ),
  fault(
    'a new group was updated when time began',
    ['model.group.time'],
    on('groups', (contract) => ({
      born: (now, at) => ({ ...contract.born(now, at), updateTime: Date.UTC(1970, 0, 1) }),
    })),
  ),
]
