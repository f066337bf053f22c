import type { Fields } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, inV1 } from '../../replace.ts'

function picked(sent: Fields): Fields {
  return Object.fromEntries(Object.entries(sent).filter(([field]) => ['name', 'description'].includes(field)))
}

/** Faults in Update of v1 (S9.4). */
export const v1UpdateFaults: readonly Fault[] = [
  fault(
    'an update through v1 is lost',
    ['v1.update.*'],
    inV1(during('update', () => ({ modify: ({ read, change }) => change(read()) }))),
  ),
  fault('an update through v1 keeps what it leaves out', ['v1.update.resets'], () => ({
    v1Replaced: (sent, { name, description }) => ({ name, description, ...picked(sent) }),
  })),
  fault(
    'an Update of v2 resets what it leaves out once v1 has updated the group',
    ['v1.update.then-partial'],
    (contract) => {
      const replaced = new Set<string>()
      return {
        v1Replaced(sent, before, settable, at) {
          replaced.add(before.uid)
          return contract.v1Replaced(sent, before, settable, at)
        },
        modify: ({ read, change, write }, at) =>
          contract.modify(
            {
              read,
              change: (old) => {
                const next = change(old)
                const kept = at.version === 'v1' || !replaced.has(old.uid) || next.description !== old.description
                return kept ? next : { ...next, description: '' }
              },
              write,
            },
            at,
          ),
      }
    },
  ),
]
