import { randomBytes } from 'node:crypto'
import type { At } from '../domain/at.ts'
import type { Item, Kind } from '../domain/item.ts'
import { type Variant, variant } from '../fault.ts'
import type { Replacement } from '../replace.ts'

const contentKinds: readonly Kind[] = ['groups', 'identities', 'roleBindings']

const fills =
  (kind: Kind, lag: () => number, more: (group: Item) => Partial<Item>, names: readonly string[] = []): Replacement =>
  (contract) => {
    const own = new Set<string>()
    const fill = (group: Item, at: At, one: Partial<Item> = {}) => {
      const { store } = at.world
      if (!store.get('groups', group.uid)) return
      const uid = contract.mintUid(group, at)
      own.add(uid)
      const time = Math.max(at.world.now(), group.createTime)
      const shown = { createTime: time, updateTime: time, ...more(group), ...one }
      store.put({ ...group, ...shown, kind, uid, parent: group.uid })
    }
    return {
      keep(item, at) {
        contract.keep(item, at)
        if (item.kind !== 'groups') return
        const ms = lag()
        if (names.length > 0) for (const name of names) fill(item, at, { name })
        else if (ms === 0) fill(item, at)
        else setTimeout(() => fill(item, at), ms).unref()
      },
      blocksDelete(item, living, at) {
        const holds = (inside: Kind) => [...at.world.store.under(inside, item.uid)].some(({ uid }) => !own.has(uid))
        return contract.blocksDelete(item, living.filter(holds), at)
      },
      alsoRemoved: (item, at) => [
        ...contract.alsoRemoved(item, at),
        ...contentKinds.flatMap((inside) =>
          [...at.world.store.under(inside, item.uid)].filter(({ uid }) => own.has(uid)),
        ),
      ],
    }
  }

const identity = ({ name, uid, createTime }: Item): Partial<Item> => ({
  name,
  claimMatch: { issuer: 'https://issuer.reference.test', subject: uid },
  lastSeenTime: createTime,
})

/** So many milliseconds, other ones each time, in an order that repeats. */
const scattered = (most: number) => {
  let turn = 0
  return () => 100 + ((turn++ * 7_919) % most)
}

/** Lawful targets that put things of their own beside those of others. */
export const strangerVariants: readonly Variant[] = [
  variant(
    'every new group holds a group of its own name',
    fills(
      'groups',
      () => 0,
      ({ name, description }) => ({ name, description }),
    ),
  ),
  variant(
    'every new group holds a group for each of four stages',
    fills(
      'groups',
      () => 0,
      () => ({ description: 'Made for every group.' }),
      ['development', 'test', 'staging', 'production'],
    ),
  ),
  variant(
    'every new group holds an identity of its own name',
    fills('identities', () => 0, identity),
  ),
  variant('every new group holds a default identity within fifteen seconds', (contract) =>
    fills('identities', scattered(15_000), (group) => ({ ...identity(group), name: 'default' }))(contract),
  ),
  variant('every new group holds a default group within fifteen seconds', (contract) =>
    fills('groups', scattered(15_000), () => ({ name: 'default', description: 'Made for every group.' }))(contract),
  ),
  variant('segments have two hundred digits', (contract) => ({
    mintUid: (parent, at) =>
      at.kind === 'groups' ? `${parent.uid}/${randomBytes(100).toString('hex')}` : contract.mintUid(parent, at),
  })),
]
