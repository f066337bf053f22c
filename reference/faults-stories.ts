import type { Item } from './domain/item.ts'
import type { At } from './domain/world.ts'
import { during, type Fault, fault, on, type Replacement } from './replace.ts'
import type { Rules } from './rules.ts'

/** A story that shows it may be told as one of lists, too. */
const inStories = { turnsRed: ['group.story.changes'], spreadsTo: ['group.story.lists'] }

/** How often something happened, by the uid that it happened to. */
class Counts {
  readonly #counts = new Map<string, number>()

  of(uid: string): number {
    return this.#counts.get(uid) ?? 0
  }

  /** One more; gives how many there are now. */
  add(uid: string): number {
    this.#counts.set(uid, this.of(uid) + 1)
    return this.of(uid)
  }
}

/** Updates that come out otherwise than they were asked for. */
const changed = (contract: Rules, twist: (old: Item, next: Item, at: At) => Item): Partial<Rules> => ({
  modify: ({ read, change, write }, at) =>
    contract.modify({ read, change: (old) => twist(old, change(old), at), write }, at),
})

/** Told of every update when it is made. */
const watching = (contract: Rules, seen: (old: Item, next: Item) => void) =>
  changed(contract, (old, next) => {
    seen(old, next)
    return next
  })

/** Groups that the filter by name does not find, or finds under other names. */
const indexed = (contract: Rules, nameOf: (item: Item) => string | undefined): Partial<Rules> => ({
  matchesName: (item, name, at) => contract.matchesName({ ...item, name: nameOf(item) ?? '' }, name, at),
})

const groups = (change: Replacement) => on('groups', change)

/** What goes wrong only after some history, which no single case goes through. */
export const faultsOfStories: readonly Fault[] = [
  // Updates
  fault(
    'the third change of one group is answered and forgotten',
    inStories,
    groups((contract) => {
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
    inStories,
    groups((contract) => {
      const changes = new Counts()
      return changed(contract, (_old, next) =>
        changes.add(next.uid) === 3 ? { ...next, updateTime: next.createTime - 1 } : next,
      )
    }),
  ),
  fault(
    'a description that was cleared comes back with the next rename',
    inStories,
    groups((contract) => {
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
    inStories,
    groups((contract) => {
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
    inStories,
    groups((contract) => {
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

  // The index of names
  fault(
    'a group that was renamed and then deleted stays in the index of names',
    inStories,
    groups((contract) => {
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
    inStories,
    groups((contract) => {
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
    inStories,
    groups((contract) => {
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

  // What hangs together
  fault(
    'a group made below one that was renamed twice is missing among its children',
    inStories,
    groups((contract) => {
      const renames = new Counts()
      const lost = new Set<string>()
      return {
        ...watching(contract, (old, next) => {
          if (next.name !== old.name) renames.add(old.uid)
        }),
        keep(item, at) {
          if (renames.of(item.parent) >= 2) lost.add(item.uid)
          contract.keep(item, at)
        },
        withinScope: (item, at) =>
          contract.withinScope(item, at) && !(at.query?.childrenOf !== undefined && lost.has(item.uid)),
      }
    }),
  ),
  fault(
    'to delete a group that was renamed takes a sibling out of the lists',
    inStories,
    groups((contract) => {
      const renamed = new Set<string>()
      const hidden = new Set<string>()
      return {
        ...watching(contract, (old, next) => {
          if (next.name !== old.name) renamed.add(old.uid)
        }),
        forget(steps, item, at) {
          contract.forget(steps, item, at)
          const [sibling] = at.world.store.under('groups', item.parent)
          if (renamed.has(item.uid) && sibling) hidden.add(sibling.uid)
        },
        ...during('list', {
          seen: (item, at) => (hidden.has(item.uid) ? undefined : contract.seen(item, at)),
        })(contract),
      }
    }),
  ),
  fault(
    'what is made in a group whose delete was refused is not listed',
    inStories,
    groups((contract) => {
      const refused = new Set<string>()
      const hidden = new Set<string>()
      return {
        lostByRefusedDelete(item) {
          refused.add(item.uid)
          return []
        },
        keep(item, at) {
          if (refused.has(item.parent)) hidden.add(item.uid)
          contract.keep(item, at)
        },
        withinScope: (item, at) => contract.withinScope(item, at) && !hidden.has(item.uid),
      }
    }),
  ),
  fault(
    'after a refused delete a group is shown below no more than its parent',
    inStories,
    groups((contract) => {
      const pending = new Set<string>()
      return {
        lostByRefusedDelete(item) {
          pending.add(item.uid)
          return []
        },
        ...watching(contract, ({ uid }) => void pending.delete(uid)),
        withinScope: (item, at) =>
          contract.withinScope(item, at) &&
          !(pending.has(item.uid) && ![undefined, item.parent].includes(at.query?.descendantsOf)),
      }
    }),
  ),
  fault(
    'a group whose last child was deleted is no longer listed below its parent',
    inStories,
    groups((contract) => {
      const emptied = new Set<string>()
      return {
        forget(steps, item, at) {
          contract.forget(steps, item, at)
          if (at.world.store.isEmpty('groups', item.parent)) emptied.add(item.parent)
        },
        withinScope: (item, at) => contract.withinScope(item, at) && !emptied.has(item.uid),
      }
    }),
  ),
  fault(
    'where two were deleted the next one gets the uid of the second',
    inStories,
    groups((contract) => {
      const deleted = new Map<string, string[]>()
      return {
        forget(steps, item, at) {
          contract.forget(steps, item, at)
          deleted.set(item.parent, [...(deleted.get(item.parent) ?? []), item.uid])
        },
        mintUid(parent, at) {
          const free = deleted.get(parent.uid) ?? []
          return free.length === 2 ? free.pop()! : contract.mintUid(parent, at)
        },
      }
    }),
  ),

  // Refused creates
  fault(
    'a refused create counts where something was deleted',
    inStories,
    groups((contract) => {
      const deletes = new Counts()
      const ghosts = new Counts()
      return {
        forget(steps, item, at) {
          contract.forget(steps, item, at)
          deletes.add(item.parent)
        },
        leftByRefusedCreate(draft) {
          if (deletes.of(draft.parent) > 0) ghosts.add(draft.parent)
          return []
        },
        totalCount: (counts, at) => {
          const more = ghosts.of(at.query?.childrenOf ?? at.query?.descendantsOf ?? '')
          return contract.totalCount({ ...counts, matches: counts.matches + more }, at)
        },
      }
    }),
  ),
  fault(
    'a refused create is carried out when the group above is next renamed',
    inStories,
    groups((contract) => {
      const drafts = new Map<string, Item>()
      return {
        leftByRefusedCreate(draft) {
          drafts.set(draft.parent, draft)
          return []
        },
        modify(steps, at) {
          const { uid } = steps.read()
          const draft = drafts.get(uid)
          if (draft) at.world.store.put(draft)
          drafts.delete(uid)
          return contract.modify(steps, at)
        },
      }
    }),
  ),

  // Pages
  fault(
    'skip counts what was deleted',
    ['group.story.lists'],
    groups((contract) => {
      const deletes = new Counts()
      return {
        forget(steps, item, at) {
          contract.forget(steps, item, at)
          deletes.add(item.parent)
        },
        skipApplied(skip, cursor, at) {
          const ghosts = deletes.of(at.query?.descendantsOf ?? '')
          return contract.skipApplied(Math.max(0, skip - ghosts), cursor, at)
        },
      }
    }),
  ),
  fault(
    'a walk ends a page early where groups were renamed and deleted',
    inStories,
    groups((contract) => {
      const [deletes, renames] = [new Counts(), new Counts()]
      return {
        ...watching(contract, (old, next) => {
          if (next.name !== old.name) renames.add(old.parent)
        }),
        forget(steps, item, at) {
          contract.forget(steps, item, at)
          deletes.add(item.parent)
        },
        more(left, shown, size, at) {
          const scope = at.query?.descendantsOf ?? ''
          const tired = deletes.of(scope) > 0 && renames.of(scope) > 0
          return contract.more(left, shown, size, at) && !(tired && left <= size)
        },
      }
    }),
  ),
]
