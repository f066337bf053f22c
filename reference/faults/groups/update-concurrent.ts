import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on } from '../../replace.ts'
import { pause } from '../pause.ts'
import { writtenLate } from '../run/histories.ts'

/** Faults in updates at the same time, and in many of them (R31). */
export const groupUpdateConcurrentFaults: readonly Fault[] = [
  fault('an update is lost when two arrive at once', ['group.update.concurrent'], writtenLate(5)),
  fault('of two updates at once the second gets the answer of the first', ['group.update.concurrent'], () => {
    const running = new Map<string, Promise<Item>>()
    return {
      modify({ read, change, write }) {
        const { uid } = read()
        const mine =
          running.get(uid) ??
          pause(2).then(() => {
            const next = change(read())
            write(next)
            running.delete(uid)
            return next
          })
        running.set(uid, mine)
        return mine
      },
    }
  }),
  fault(
    'where twenty live in a group every seventh update is answered and forgotten',
    ['group.update.many'],
    on('groups', (contract) => {
      const updates = new Map<string, number>()
      return {
        modify({ read, change, write }, at) {
          const { parent } = read()
          const count = (updates.get(parent) ?? 0) + 1
          updates.set(parent, count)
          const crowded = [...at.world.store.under('groups', parent)].length >= 20
          return contract.modify({ read, change, write: crowded && count % 7 === 0 ? () => {} : write }, at)
        },
      }
    }),
  ),
]
