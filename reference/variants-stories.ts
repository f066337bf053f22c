import { Refusal } from './domain/refusal.ts'
import { during, on, type Variant, variant } from './replace.ts'

/** Lawful servers on which a history goes its own way. */
export const variantsOfStories: readonly Variant[] = [
  variant(
    'an update to the values that are there already is refused',
    on('groups', (contract) => ({
      modify({ read, change, write }, at) {
        const before = read()
        const next = change(before)
        if (next.name === before.name && next.description === before.description)
          throw new Refusal('invalid', 'body', 'that is how it is already')
        return contract.modify({ read: () => before, change: () => next, write }, at)
      },
    })),
  ),
  variant(
    'what is made and deleted in a group moves its updateTime',
    on('groups', (contract) => {
      const touch = (uid: string, at: Parameters<typeof contract.keep>[1]) => {
        const group = at.world.store.get('groups', uid)
        if (group) at.world.store.put({ ...group, updateTime: Math.max(at.world.now(), group.updateTime) })
      }
      return {
        keep(item, at) {
          contract.keep(item, at)
          touch(item.parent, at)
        },
        forget(steps, item, at) {
          contract.forget(steps, item, at)
          touch(item.parent, at)
        },
      }
    }),
  ),
  variant(
    'without an order a list gives the last changed first',
    during('list', (contract) => ({
      order: (asked, cursor, at) =>
        asked === undefined ? { field: 'updateTime', descending: true } : contract.order(asked, cursor, at),
    })),
    ['group.update.default-order'],
  ),
  variant(
    'no group lies deeper than two below a scratch group',
    on(
      'groups',
      during('create', (contract) => ({
        objection: (uid, at) =>
          uid.split('/').length > 5
            ? new Refusal('forbidden', 'groups', 'no group may lie so deep')
            : contract.objection(uid, at),
      })),
    ),
  ),
]
