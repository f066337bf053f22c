import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import type { Rules } from '../../rules.types.ts'
import { keptUntilMade } from '../cached-lists.ts'
import { Counts, changed, foundByModel, onceEach, onGroups, watching } from './histories.ts'

/** Groups that the filter finds under another name, or not at all. */
const indexed = (contract: Rules, nameOf: (item: Item) => string | undefined): Partial<Rules> => ({
  matchesName: (item, name, at) => contract.matchesName({ ...item, name: nameOf(item) ?? '' }, name, at),
})

/** Faults in updates and the index of names that need a history to show. */
export const runModelUpdatesFaults: readonly Fault[] = [
  fault(
    'the third change of one group is answered and forgotten',
    foundByModel,
    onGroups((contract) => {
      const changes = new Counts()
      return {
        modify({ read, change, write }, at) {
          const third = changes.add(read().uid) === 3
          return contract.modify({ read, change, write: third ? () => {} : write }, at)
        },
      }
    }),
  ),
  fault(
    'the third change of one group sets its updateTime back',
    foundByModel,
    onGroups((contract) => {
      const changes = new Counts()
      return changed(contract, (_old, next) =>
        changes.add(next.uid) === 3 ? { ...next, updateTime: next.createTime - 1 } : next,
      )
    }),
  ),
  fault(
    'a description that was cleared comes back with the next rename',
    foundByModel,
    onGroups((contract) => {
      const cleared = new Map<string, string>()
      return changed(contract, (old, next) => {
        if (next.description === '' && old.description !== '') cleared.set(old.uid, old.description)
        const before = next.name === old.name ? undefined : cleared.get(old.uid)
        return before === undefined ? next : { ...next, description: before }
      })
    }),
  ),
  fault(
    'a rename after a description was changed twice brings the first one back',
    foundByModel,
    onGroups((contract) => {
      const texts = new Map<string, string[]>()
      return changed(contract, (old, next) => {
        const known = texts.get(old.uid) ?? [old.description]
        if (next.description !== old.description) texts.set(old.uid, [...known, next.description])
        else if (known.length >= 3) return { ...next, description: known[0]! }
        return next
      })
    }),
  ),
  fault(
    'a refused rename leaves a group that takes no further name',
    foundByModel,
    onGroups((contract) => {
      const refused = new Set<string>()
      return {
        leftByRefusedUpdate(before) {
          refused.add(before.uid)
          return before
        },
        ...changed(contract, (old, next) => (refused.has(old.uid) ? { ...next, name: old.name } : next)),
      }
    }),
  ),
  fault(
    'a group that was renamed and then deleted stays in the index of names',
    foundByModel,
    onGroups((contract) => {
      const renamed = new Set<string>()
      const ghosts = new Map<string, Item>()
      return {
        ...watching(contract, (old, next) => {
          if (next.name !== old.name) renamed.add(old.uid)
        }),
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
  fault(
    'the second rename of a group does not reach the index of names',
    foundByModel,
    onGroups((contract) => {
      const renames = new Counts()
      const names = new Map<string, string>()
      return {
        ...watching(contract, (old, next) => {
          if (next.name !== old.name && renames.add(old.uid) === 1) names.set(old.uid, next.name)
        }),
        ...indexed(contract, ({ uid, name }) => names.get(uid) ?? name),
      }
    }),
  ),
  fault(
    'a rename takes what is below out of the index of names',
    foundByModel,
    onGroups((contract) => {
      const lost = new Set<string>()
      return {
        modify: (steps, at) =>
          contract.modify(
            {
              ...steps,
              write(next) {
                const renamed = steps.read().name !== next.name
                if (renamed) for (const { uid } of at.world.store.under('groups', next.uid)) lost.add(uid)
                lost.delete(next.uid)
                steps.write(next)
              },
            },
            at,
          ),
        ...indexed(contract, ({ uid, name }) => (lost.has(uid) ? undefined : name)),
      }
    }),
  ),
  fault('a second update of a group with one body is answered as the first', foundByModel, onceEach('groups')),
  fault(
    'a group is shown as it was until something is made or deleted',
    foundByModel,
    keptUntilMade(({ kind, operation }) => kind === 'groups' && operation === 'get'),
  ),
  fault(
    'a list of role bindings shows what it did until something is made or deleted',
    foundByModel,
    keptUntilMade(({ kind, operation }) => kind === 'roleBindings' && operation === 'list'),
  ),
]
