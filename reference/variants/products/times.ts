import type { At } from '../../domain/at.ts'
import { type Item, type Kind, keyOf } from '../../domain/item.ts'
import { type Variant, variant } from '../../fault.ts'
import { type Replacement, when } from '../../replace.ts'
import { lagging } from '../lists/lagging.ts'
import { several } from './databases.ts'

/** A job changes what is new, so many milliseconds after it was made, and that moves its updateTime. */
const job =
  (lag: number, kinds: readonly Kind[], change: (item: Item) => Item = (item) => item): Replacement =>
  (contract) => ({
    keep(item, at) {
      contract.keep(item, at)
      if (!kinds.includes(item.kind)) return
      const { store, now } = at.world
      const run = () => {
        const old = store.get(item.kind, item.uid)
        if (old) store.put(change({ ...old, updateTime: Math.max(now(), old.updateTime + 1) }))
      }
      setTimeout(run, lag).unref()
    },
  })

/** Moves the updateTime of a group to now. */
const touch = (uid: string, { world: { store, now } }: At) => {
  const group = store.get('groups', uid)
  if (group && group.updateTime < now()) store.put({ ...group, updateTime: now() })
}

/** Whatever is new is shown so many milliseconds late, by Get and in lists. */
const lateEverywhere =
  (lag: number): Replacement =>
  (contract) => {
    const born = new Map<string, number>()
    const isNew = (item: Item) => performance.now() - (born.get(keyOf(item)) ?? Number.NEGATIVE_INFINITY) < lag
    return {
      keep(item, at) {
        contract.keep(item, at)
        born.set(keyOf(item), performance.now())
      },
      ...when(({ operation }) => operation === 'get' || operation === 'list', {
        seen: (item, at) => (item.kind === at.kind && isNew(item) ? undefined : contract.seen(item, at)),
      })(contract),
    }
  }

/** Lawful targets that move an updateTime by themselves (R26). */
export const productTimeVariants: readonly Variant[] = [
  variant(
    'a job sets the limits of every new group after four tenths of a second, which is a change and moves its updateTime',
    job(400, ['groups'], (group) => ({ ...group, resourceLimits: { groups: 5_000 } })),
  ),
  variant(
    'what is made in a group moves its updateTime to when its transaction began, which an update may have passed',
    (contract) => ({
      keep(item, at) {
        contract.keep(item, at)
        const { store, now } = at.world
        const group = store.get('groups', item.parent)
        if (group) store.put({ ...group, updateTime: Math.max(now() - 8, group.createTime) })
      },
    }),
  ),
  variant(
    'a job scores every new identity four tenths of a second after it was made, which shows in a member of its own and moves its updateTime',
    (contract) => {
      const scored = new Map<string, number>()
      return {
        ...job(400, ['identities'], (identity) => {
          scored.set(identity.uid, identity.updateTime)
          return identity
        })(contract),
        identity(item, time, at) {
          const shown = contract.identity(item, time, at)
          const isScored = item.updateTime >= (scored.get(item.uid) ?? Number.POSITIVE_INFINITY)
          return isScored && at.over !== 'grpc' ? { ...shown, risk: { score: 12, level: 'low' } } : shown
        },
      }
    },
  ),
  variant('a create of a group moves the updateTime of the groups beside it, as nested sets do', (contract) => ({
    keep(item, at) {
      contract.keep(item, at)
      if (item.kind !== 'groups') return
      for (const { uid } of [...at.world.store.under('groups', item.parent)]) if (uid !== item.uid) touch(uid, at)
    },
  })),
  variant('an exchange moves the updateTime of the group in which its identity lives', (contract) => ({
    seenAt(claims, kept, now, at) {
      touch(kept.parent, at)
      return contract.seenAt(claims, kept, now, at)
    },
  })),
  lagging(
    'what is new shows two seconds late everywhere, by when a job has classified it, which moved its updateTime',
    several(job(1_200, ['groups', 'identities']), lateEverywhere(2_000)),
  ),
]
