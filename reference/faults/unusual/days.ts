import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on } from '../../replace.ts'
import { withCopy } from '../copies.ts'
import { day } from '../durations.ts'

const isOld = ({ createTime }: Item, now: number) => now - createTime > day

/** Loses changes of what is older than a day. */
const losing = () => (_change: string, item: Item, now: number) => isOld(item, now)

const memberOf = ({ name }: Item) => name

/** Faults in what happens to things that are days old. */
export const oldThingFaults: readonly Fault[] = [
  fault(
    'groups that are older than a day come after those that are not',
    ['model.*'],
    on('groups', (contract) => ({
      sorted(items, compare, at) {
        const all = contract.sorted(items, compare, at)
        const now = at.world.now()
        return [...all.filter((item) => !isOld(item, now)), ...all.filter((item) => isOld(item, now))]
      },
    })),
  ),
  fault(
    'a group is not found by a name that it got when it was older than a day',
    ['model.*'],
    withCopy({ kind: 'groups', memberOf, losing }, (copied) => ({
      matchesName: (item, name) => copied(item) === name,
    })),
  ),
  fault(
    'an identity stays where its name was in the order of names, once it is older than a day',
    ['model.*'],
    withCopy({ kind: 'identities', memberOf, losing }, (copied, contract) => ({
      sortKey: (item, field, at) => (field === 'name' ? copied(item) : contract.sortKey(item, field, at)),
    })),
  ),
  fault(
    'a group that was older than a day is found by its name after its deletion',
    ['model.*'],
    on('groups', (contract) => {
      const gone: Item[] = []
      return {
        forget(store, item, at) {
          if (isOld(item, at.world.now())) gone.push(item)
          contract.forget(store, item, at)
        },
        *candidates(at) {
          yield* contract.candidates(at)
          yield* at.query?.name === undefined ? [] : gone
        },
      }
    }),
  ),
]
