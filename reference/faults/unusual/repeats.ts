import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { assumedByCopy, withCopy } from '../copies.ts'

/** Loses a change that was made before. */
function losing(): (change: string) => boolean {
  const made = new Set<string>()
  return (change) => made.has(change) || !made.add(change)
}

const memberOf = ({ name }: Item) => name

/** Faults of what is done or sent a second time; in copies made by events, an event equal to an earlier one is dropped. */
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
  fault('a bad name that is sent a second time is refused as taken', ['error.name.steady'], (contract) => {
    const reserved = new Set<string>()
    const again = new WeakSet<At>()
    return {
      nameProblem(name, at) {
        const problem = contract.nameProblem(name, at)
        if (problem === undefined || at.kind !== 'groups' || at.operation !== 'create') return problem
        if (typeof name !== 'string' || name === '' || !reserved.has(name)) {
          reserved.add(String(name))
          return problem
        }
        again.add(at)
        return undefined
      },
      nameTaken: (wanted, at) => again.has(at) || contract.nameTaken(wanted, at),
    }
  }),
]
