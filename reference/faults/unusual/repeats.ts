import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { assumedByCopy, withCopy } from '../copies.ts'

/** Loses a change that was made before. */
function losing(): (change: string) => boolean {
  const made = new Set<string>()
  return (change) => made.has(change) || !made.add(change)
}

const memberOf = ({ name }: Item) => name

/** Faults in copies made by events: an event that is equal to an earlier one is dropped. */
export const repeatedChangeFaults: readonly Fault[] = [
  fault(
    'a group is not found by a name that it gets a second time in place of the same one',
    ['model.*'],
    withCopy({ kind: 'groups', memberOf, losing }, (copied) => ({
      matchesName: (item, name) => copied(item) === name,
    })),
  ),
  fault(
    'an identity is not assumed by claims that it gets a second time in place of the same ones',
    ['model.*'],
    withCopy({ kind: 'identities', memberOf: ({ claimMatch }) => claimMatch, losing }, assumedByCopy),
  ),
]
