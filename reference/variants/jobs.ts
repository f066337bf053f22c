import type { At } from '../domain/at.ts'
import type { Item } from '../domain/item.ts'
import { type Variant, variant } from '../fault.ts'
import { job, on, type Replacement } from '../replace.ts'
import type { Rules } from '../rules.types.ts'
import { sparing } from './groups-contents.ts'

/** Takes away what is there, without a delete. */
export const remove = ({ world: { store } }: At, item: Item) => {
  if (store.get(item.kind, item.uid) === undefined) return
  store.drop(item)
  store.unlist(item)
}

/** The target keeps an identity of its own in every group: it is deleted with the group and never prevents it. */
const keepsAgent =
  (contract: Rules, own: Set<string>, made: (agent: Item, at: At) => void = () => {}) =>
  (): Partial<Rules> => ({
    ...sparing(contract, own),
    keep(item, at) {
      contract.keep(item, at)
      if (item.kind !== 'groups') return
      const uid = contract.mintUid(item, at)
      own.add(uid)
      const agent: Item = {
        ...item,
        kind: 'identities',
        uid,
        parent: item.uid,
        name: 'agent',
        description: 'Works for every group.',
        claimMatch: { issuer: 'https://issuer.reference.test', subject: uid },
        lastSeenTime: item.createTime,
      }
      at.world.store.put(agent)
      made(agent, at)
    },
  })

/** The bindings of a deleted identity go so much later, in milliseconds, and keep no group. */
const bindingsGoLater =
  (lag: number, isEmptied = false): Replacement =>
  (contract) => {
    const dead = new Map<string, Item>()
    const orphans = new Set<string>()
    return {
      blocksDelete: sparing(contract, orphans).blocksDelete,
      alsoRemoved: (item, at) => (item.kind === 'identities' ? [] : contract.alsoRemoved(item, at)),
      forget(steps, item, at) {
        const bound = item.kind === 'identities' ? at.world.store.bindingsOf(item.uid) : []
        contract.forget(steps, item, at)
        dead.set(item.uid, item)
        for (const one of bound) {
          orphans.add(one.uid)
          setTimeout(() => remove(at, one), lag).unref()
        }
      },
      hydrated(part, kind, binding, at) {
        const gone = part === undefined && kind === 'identities' ? dead.get(binding.identityUid ?? '') : undefined
        const shown = contract.hydrated(part ?? gone, kind, binding, at)
        return gone && shown && isEmptied ? { ...shown, uid: '', name: '', description: '' } : shown
      },
    }
  }

/** Lawful targets that change things by themselves, a moment later. */
export const jobVariants: readonly Variant[] = [
  variant('a job has an identity in every new group for two seconds', (contract) => {
    const own = new Set<string>()
    return keepsAgent(contract, own, (agent, at) => void setTimeout(() => remove(at, agent), 2_000).unref())()
  }),
  variant('an agent in every group is seen all the time', (contract) => {
    const own = new Set<string>()
    return {
      ...keepsAgent(contract, own)(),
      identity(item, time, at) {
        const shown = contract.identity(item, time, at)
        if (!own.has(item.uid)) return shown
        const now = at.world.now()
        return { ...shown, description: `Seen ${now}.`, lastSeenTime: time(now), updateTime: time(now) }
      },
    }
  }),
  variant(
    'bindings of a deleted identity go two seconds later',
    bindingsGoLater(2_000),
    ['service.lag.deletion', 'binding.lag.embedded'],
    'may warn',
  ),
  variant(
    'bindings of a deleted identity go two seconds later, and are empty until then',
    bindingsGoLater(2_000, true),
    ['service.lag.deletion', 'binding.lag.embedded'],
    'may warn',
  ),
  variant('a group is verified for four seconds', (contract) => ({
    group(item, time, at) {
      const age = at.world.now() - item.createTime
      return contract.group({ ...item, verified: at.operation !== 'create' && age > 2_000 && age < 6_000 }, time, at)
    },
  })),
  variant('the limits of a group say how many groups it still has room for', (contract) => ({
    group: (item, time, at) => ({
      ...contract.group(item, time, at),
      resourceLimits: { groups: 5_000 - [...at.world.store.under('groups', item.uid)].length },
    }),
  })),
  variant('a job sets the limits of a group a second after it was made', (contract) => ({
    group: (item, time, at) => ({
      ...contract.group(item, time, at),
      resourceLimits: at.operation === 'create' || at.world.now() - item.createTime < 1_000 ? {} : { groups: 5_000 },
    }),
  })),
  variant(
    'a rename moves the updateTime of all that is in the group',
    on('groups', () => ({
      modify({ read, change, write }, at) {
        const { store, now } = at.world
        const old = read()
        const next = change(old)
        write(next)
        const below = (uid: string): Item[] =>
          (['groups', 'identities', 'roleBindings'] as const)
            .flatMap((kind) => [...store.under(kind, uid)])
            .flatMap((item) => (item.kind === 'groups' ? [item, ...below(item.uid)] : [item]))
        if (old.name !== next.name)
          for (const item of below(next.uid)) store.put({ ...item, updateTime: Math.max(now(), item.updateTime) })
        return next
      },
    })),
  ),
  variant(
    'a job goes over all groups and identities every three seconds, which moves their updateTime',
    job(3_000, (at) => {
      const { store, operator, now } = at.world
      const below = (uid: string): Item[] =>
        (['groups', 'identities'] as const)
          .flatMap((kind) => [...store.under(kind, uid)])
          .flatMap((item) => (item.kind === 'groups' ? [item, ...below(item.uid)] : [item]))
      for (const item of below(operator.org)) store.put({ ...item, updateTime: Math.max(now(), item.updateTime) })
    }),
  ),
]
