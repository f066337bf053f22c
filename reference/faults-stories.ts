import type { Item } from './domain/item.ts'
import { type Fault, fault, on } from './replace.ts'

/** What goes wrong only after some history, which no single case goes through. */
export const faultsOfStories: readonly Fault[] = [
  fault(
    'the third change of one group is answered and forgotten',
    ['group.story.*'],
    on('groups', (contract) => {
      const changes = new Map<string, number>()
      return {
        modify({ read, change, write }, at) {
          const { uid } = read()
          const count = (changes.get(uid) ?? 0) + 1
          changes.set(uid, count)
          return contract.modify({ read, change, write: count === 3 ? () => {} : write }, at)
        },
      }
    }),
  ),
  fault(
    'a group that was renamed and then deleted stays in the index of names',
    ['group.story.*'],
    on('groups', (contract) => {
      const renamed = new Set<string>()
      const ghosts = new Map<string, Item>()
      return {
        modify({ read, change, write }, at) {
          const old = read()
          const put = (next: Item) => {
            if (next.name !== old.name) renamed.add(next.uid)
            write(next)
          }
          return contract.modify({ read, change, write: put }, at)
        },
        forget(steps, item, at) {
          if (renamed.has(item.uid)) ghosts.set(item.uid, item)
          contract.forget(steps, item, at)
        },
        *candidates(at) {
          yield* contract.candidates(at)
          if (at.query?.name !== undefined) yield* ghosts.values()
        },
      }
    }),
  ),
]
