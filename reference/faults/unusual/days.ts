import type { At } from '../../domain/at.ts'
import type { ClaimMatch, Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, on, withRequest } from '../../replace.ts'
import { assumedByCopy, withCopy } from '../copies.ts'
import { day } from '../durations.ts'
import { uidIn } from '../paths.ts'
import { changed } from '../run/histories.ts'

const isOld = ({ createTime }: Item, now: number) => now - createTime > day

/** Loses changes of what is older than a day. */
const losing = () => (_change: string, item: Item, now: number) => isOld(item, now)

const memberOf = ({ name }: Item) => name

const claimsOf = ({ claimMatch }: Item) => claimMatch

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
  fault(
    'Get of a group that nobody has changed for two days needs no token',
    ['model.*'],
    on(
      'groups',
      during(
        'get',
        withRequest((request, contract) => ({
          needsToken(at) {
            const group = at.world.store.get('groups', uidIn(request()?.url))
            const isArchived = group !== undefined && at.world.now() - group.updateTime > 2 * day
            return !isArchived && contract.needsToken(at)
          },
        })),
      ),
    ),
  ),
  fault(
    'an identity that was not seen for two days is assumed by any subject of its issuer',
    ['model.*'],
    (contract) => {
      const dormant = new WeakSet<At>()
      return {
        assumable(uid, at) {
          const identity = contract.assumable(uid, at)
          const { lastSeenTime = at.world.now() } = identity ?? {}
          if (at.world.now() - lastSeenTime > 2 * day) dormant.add(at)
          return identity
        },
        sameSubject: (claimed, matched, at) =>
          contract.sameSubject(claimed, matched, at) || (typeof claimed === 'string' && dormant.has(at)),
      }
    },
  ),
  fault(
    'the exchange does not know claims that an identity gets when it is older than a day',
    ['model.*'],
    withCopy({ kind: 'identities', memberOf: claimsOf, losing }, assumedByCopy),
  ),
  fault(
    'a new role binding shows the claims that its identity had when it was a day old',
    ['model.*'],
    withCopy({ kind: 'identities', memberOf: claimsOf, losing }, (copied, contract) => {
      const shown = new Map<string, ClaimMatch>()
      return {
        keep(item, at) {
          const identity = at.world.store.get('identities', item.identityUid ?? '')
          const claimMatch = identity && copied(identity)
          const isOther = JSON.stringify(claimMatch) !== JSON.stringify(identity?.claimMatch)
          if (item.kind === 'roleBindings' && claimMatch && isOther) shown.set(item.uid, claimMatch)
          contract.keep(item, at)
        },
        hydrated(part, kind, binding, at) {
          const claimMatch = shown.get(binding.uid)
          const showsOld = part && kind === 'identities' && claimMatch
          return contract.hydrated(showsOld ? { ...part, claimMatch } : part, kind, binding, at)
        },
      }
    }),
  ),
  fault(
    'a group that is older than a day is deleted with what is in it',
    ['model.*'],
    on('groups', (contract) => ({
      blocksDelete: (item, living, at) => !isOld(item, at.world.now()) && contract.blocksDelete(item, living, at),
    })),
  ),
  fault(
    'below a group that is older than a day a name may hold anything',
    ['model.*'],
    on(
      'groups',
      during('create', (contract) => {
        const below = new WeakSet<At>()
        return {
          mintUid(parent, at) {
            if (isOld(parent, at.world.now())) below.add(at)
            return contract.mintUid(parent, at)
          },
          nameProblem: (name, at) =>
            below.has(at) && typeof name === 'string' && name !== '' ? undefined : contract.nameProblem(name, at),
        }
      }),
    ),
  ),
  fault(
    'v1 shows a group that is older than a day as it was before its last updates through v2',
    ['model.*'],
    on('groups', (contract) => {
      const before = new Map<string, Item>()
      return {
        ...changed(contract, (old, next, at) => {
          if (at.version === 'v1') before.delete(old.uid)
          else if (isOld(old, at.world.now()) && !before.has(old.uid)) before.set(old.uid, old)
          return next
        }),
        v1Group: (item, time, at) => contract.v1Group(before.get(item.uid) ?? item, time, at),
      }
    }),
  ),
]
