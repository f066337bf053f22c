import { randomBytes } from 'node:crypto'
import type { At } from '../../domain/at.ts'
import type { Item, Kind } from '../../domain/item.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Variant, variant } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'
import { bindsCreators } from '../bindings.ts'
import { fills, identity } from '../groups-contents.ts'
import { lateInV1 } from './caches.ts'
import { several } from './databases.ts'

/** Every three seconds something is there for half of them. */
const isAway = () => Math.floor(performance.now() / 1_500) % 2 === 1

/** Something of the target's own comes and goes in every group. */
const comesAndGoes = (kind: Kind, thing: (group: Item) => Partial<Item>): Replacement =>
  several(
    fills(
      kind,
      () => 0,
      (group) => ({ ...thing(group), name: 'standby' }),
    ),
    (contract) => ({
      seen: (item, at) =>
        item.kind === kind && item.name === 'standby' && isAway() ? undefined : contract.seen(item, at),
    }),
  )

/** Others make one thing of a kind that a run only reads, and delete it, every three seconds. */
const othersMove =
  (kind: Kind): Replacement =>
  (contract) => {
    let made: Item | undefined
    return {
      transport(request, response, serve, at) {
        const { store, now } = at.world
        if (isAway() && made) {
          store.drop(made)
          store.unlist(made)
          made = undefined
        } else if (!isAway() && !made) {
          const [pattern] = store.all(kind)
          const uid = `${pattern?.parent ? `${pattern.parent}/` : 'c0ffee'}${randomBytes(8).toString('hex')}`
          made = pattern && { ...pattern, uid, name: 'smoke test', createTime: now(), updateTime: now() }
          if (made) store.put(made)
        }
        return contract.transport(request, response, serve, at)
      },
    }
  }

/** A job moves the updateTime of every group every three seconds, and v1 shows all of it later. */
const sweptAndLate: Replacement = several(lateInV1, (contract) => {
  const swept = (item: Item, now: number): Item => {
    const last = Math.floor(now / 3_000) * 3_000
    return last > item.updateTime && item.org !== '' ? { ...item, updateTime: last } : item
  }
  return {
    group: (item, time, at) => contract.group(swept(item, at.world.now()), time, at),
    v1Group: (item, time, at) => contract.v1Group(swept(item, at.world.now() - 3_500), time, at),
  }
})

const isYoung = ({ createTime }: Item, at: At) => at.world.now() - createTime < 2_000

/** Some operations do not know a group yet, and refuse it. */
const unknownTo = (refusal: () => Refusal, ...operations: string[]): Replacement => {
  return (contract) => ({
    objection(uid, at) {
      const group = operations.includes(at.operation) ? at.world.store.get('groups', uid) : undefined
      return group && isYoung(group, at) ? refusal() : contract.objection(uid, at)
    },
  })
}

const invalidGroup = () => new Refusal('invalid', 'parent', 'there is no such group')

/** Some operations call invalid what they do not know yet. */
const newIsInvalidTo =
  (...operations: string[]): Replacement =>
  (contract) => ({
    objection(uid, at) {
      const isAsked = operations.includes(at.operation) && at.kind !== 'none'
      const made = isAsked ? at.world.store.get(at.kind as Kind, uid) : undefined
      return made && isYoung(made, at) ? new Refusal('invalid', 'uid', 'it is not known') : contract.objection(uid, at)
    },
  })

/** What does not know an identity yet says that it is invalid. */
const unknownIdentityIsInvalid: Replacement = (contract) => ({
  nameTaken(wanted, at) {
    const bound = at.world.store.get('identities', wanted.identityUid ?? '')
    if (wanted.kind === 'roleBindings' && bound && isYoung(bound, at))
      throw new Refusal('invalid', 'identityUid', 'there is no such identity')
    return contract.nameTaken(wanted, at)
  },
})

/** The last owner of a group stays its owner until it is deleted, or the group is. */
const keepsLastOwner: Replacement = (contract) => {
  const isOwner = ({ roleUid = '' }: Item, at: At) => at.world.store.get('roles', roleUid)?.name === 'owner'
  const isLast = (binding: Item, at: At) =>
    isOwner(binding, at) &&
    [...at.world.store.under('roleBindings', binding.parent)].filter((one) => isOwner(one, at)).length === 1
  const inside = (item: Item, at: At) => [...at.world.store.under('roleBindings', item.uid)]
  return {
    blocksDelete(item, living, at) {
      if (item.kind === 'roleBindings' && isLast(item, at))
        throw new Refusal('forbidden', 'owner', 'a group has an owner')
      const isEmpty = item.kind === 'groups' && inside(item, at).every((one) => isLast(one, at))
      return contract.blocksDelete(item, isEmpty ? living.filter((kind) => kind !== 'roleBindings') : living, at)
    },
    alsoRemoved: (item, at) => [...contract.alsoRemoved(item, at), ...(item.kind === 'groups' ? inside(item, at) : [])],
  }
}

/** Lawful staging environments: jobs, other teams, late nodes, and deployments (R24, R38, R50, R52). */
export const stagingVariants: readonly Variant[] = [
  variant(
    'v1 shows groups three and a half seconds late, whose updateTime a job moves every three seconds',
    sweptAndLate,
    ['v1.lag'],
    'may warn',
  ),
  variant('an identity comes and goes in every group every three seconds', comesAndGoes('identities', identity)),
  variant(
    'a group comes and goes in every group every three seconds',
    comesAndGoes('groups', () => ({})),
  ),
  variant(
    'the creator of a group is bound in it for half of every three seconds',
    several(bindsCreators(false), (contract) => ({
      seen(item, at) {
        const isOfCreator =
          item.kind === 'roleBindings' && at.world.store.get('identities', item.identityUid ?? '')?.name === 'builder'
        return isOfCreator && isAway() ? undefined : contract.seen(item, at)
      },
    })),
  ),
  variant('others make a repo and delete it again every three seconds', othersMove('repos')),
  variant('others make a role and delete it again every three seconds', othersMove('roles')),
  variant('a group is unknown to creates for two seconds, which calls it invalid', unknownTo(invalidGroup, 'create')),
  variant(
    'a group is unknown to creates and lists for two seconds, which calls it invalid',
    unknownTo(invalidGroup, 'create', 'list'),
    ['list.lag', 'list.lag.descendants'],
    'may warn',
  ),
  variant(
    'what is new is unknown to Get for two seconds, which calls it invalid',
    newIsInvalidTo('get'),
    ['service.lag.get', 'v1.lag'],
    'may warn',
  ),
  variant(
    'what is new is unknown to updates and deletes for two seconds, which calls it invalid',
    newIsInvalidTo('update', 'delete'),
  ),
  variant('an identity is unknown to bindings for two seconds, which calls it invalid', unknownIdentityIsInvalid),
  variant('the last owner of a group stays its owner, unless it is deleted itself', keepsLastOwner),
  variant(
    'a group is unknown to updates and deletes for two seconds',
    unknownTo(() => new Refusal('missing', 'groups', 'there is no such group'), 'update', 'delete'),
  ),
  variant('a job moves the updateTime of every group three times a second', (contract) => ({
    group(item, time, at) {
      const last = Math.floor(at.world.now() / 333) * 333
      return contract.group(last > item.updateTime && item.org ? { ...item, updateTime: last } : item, time, at)
    },
    v1Group(item, time, at) {
      const last = Math.floor(at.world.now() / 333) * 333
      return contract.v1Group(last > item.updateTime && item.org ? { ...item, updateTime: last } : item, time, at)
    },
  })),
  variant('v1 shows its times in milliseconds since 1970', (contract) => ({
    v1Group(item, time, at) {
      const { createdAt, updatedAt, ...others } = contract.v1Group(item, time, at)
      return { ...others, createdAt: Date.parse(String(createdAt)), updatedAt: Date.parse(String(updatedAt)) }
    },
  })),
]
