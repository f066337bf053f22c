import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during } from '../../replace.ts'
import { Counts, changed, foundByModel, onGroups, watching } from './histories.ts'

/** Faults in the tree of groups, its lists and its pages that need a history to show. */
export const runModelTreeFaults: readonly Fault[] = [
  fault(
    'a group made below one that was renamed twice is missing among its children',
    foundByModel,
    onGroups((contract) => {
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
    foundByModel,
    onGroups((contract) => {
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
    foundByModel,
    onGroups((contract) => {
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
    foundByModel,
    onGroups((contract) => {
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
    foundByModel,
    onGroups((contract) => {
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
    ['group.delete.uid-stays-dead'],
    onGroups((contract) => {
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
  fault(
    'a refused create counts where something was deleted',
    foundByModel,
    onGroups((contract) => {
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
    foundByModel,
    onGroups((contract) => {
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
  fault(
    'skip counts what was deleted',
    foundByModel,
    onGroups((contract) => {
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
    foundByModel,
    onGroups((contract) => {
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
  fault(
    'a rename takes the children from the 51st on out of the lists of the groups above',
    foundByModel,
    onGroups((contract) => {
      const lost = new Set<string>()
      return {
        ...changed(contract, (old, next, at) => {
          const children = old.name === next.name ? [] : [...at.world.store.under('groups', next.uid)]
          for (const { uid } of children.slice(50)) lost.add(uid)
          return next
        }),
        withinScope(item, at) {
          const isFromAbove = ![undefined, item.parent].includes(at.query?.descendantsOf)
          return contract.withinScope(item, at) && !(isFromAbove && lost.has(item.uid))
        },
      }
    }),
  ),
]
