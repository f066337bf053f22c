import { type Fault, fault } from '../../fault.ts'
import { on, overGrpc, type Replacement, when } from '../../replace.ts'
import { day } from '../durations.ts'
import { foundByModel, onGroups } from './histories.ts'

/** Walks that end after so many pages. */
const endingAfter =
  (pages: number): Replacement =>
  (contract) => ({
    more: (left, shown, size, at) => at.page < pages && contract.more(left, shown, size, at),
  })

/** Lists that read so many matches, and order only these. */
const readingFirst =
  (most: number): Replacement =>
  (contract) => ({
    sorted: (items, compare, at) => contract.sorted(items.slice(0, most), compare, at),
  })

/** Faults that show from some number, age or depth on, or with one form of a name beside one parameter. */
export const runQuantityFaults: readonly Fault[] = [
  fault('an identity has at most ten bindings', foundByModel, (contract) => ({
    keep(item, at) {
      const { store } = at.world
      const bound = item.kind === 'roleBindings' ? store.bindingsOf(item.identityUid ?? '') : []
      const [oldest] = [...bound].sort((a, b) => a.createTime - b.createTime)
      if (oldest && bound.length >= 10) {
        store.drop(oldest)
        store.unlist(oldest)
      }
      contract.keep(item, at)
    },
  })),
  fault('a binding of a role that is on no first page shows the viewer', foundByModel, (contract) => ({
    hydrated(part, kind, binding, at) {
      const role = contract.hydrated(part, kind, binding, at)
      if (kind !== 'roles' || role === undefined) return role
      const roles = [...at.world.store.under('roles', '')].sort((a, b) => (a.uid < b.uid ? -1 : 1))
      const isKnown = roles.slice(0, 50).some(({ uid }) => uid === role.uid)
      return isKnown ? role : roles.find(({ name }) => name === 'viewer')
    },
  })),
  fault('a walk of identities ends after twenty-five pages', foundByModel, on('identities', endingAfter(25))),
  fault('a walk of roles ends after twenty-five pages', foundByModel, on('roles', endingAfter(25))),
  fault('a walk of repos ends after ten pages', foundByModel, on('repos', endingAfter(10))),
  fault('a walk of role bindings ends after sixteen pages', foundByModel, on('roleBindings', endingAfter(16))),
  fault(
    'a name finds at most twenty-five groups',
    foundByModel,
    onGroups(when(({ query }) => query?.name !== undefined, readingFirst(25))),
  ),
  fault(
    'of the account associations right in a group only twenty-five are listed',
    foundByModel,
    on(
      'accountAssociations',
      when(({ query }) => query?.childrenOf !== undefined, readingFirst(25)),
    ),
  ),
  fault(
    'in the order of names a list has at most a hundred identities',
    foundByModel,
    on(
      'identities',
      when(
        ({ query }) => query?.order.field === 'name',
        (contract) => ({ sorted: (...given) => contract.sorted(...given).slice(0, 100) }),
      ),
    ),
  ),
  fault('the exchange knows the first fifty identities of a group', foundByModel, (contract) => ({
    assumable(uid, at) {
      const identity = contract.assumable(uid, at)
      const beside = identity ? [...at.world.store.under('identities', identity.parent)] : []
      return beside.slice(0, 50).some((one) => one.uid === uid) ? identity : undefined
    },
  })),
  fault('an identity that lies seven levels down is not assumed', foundByModel, (contract) => ({
    assumable: (uid, at) => (uid.split('/').length > 7 ? undefined : contract.assumable(uid, at)),
  })),
  fault('an identity that was not seen for two days is assumed no more', foundByModel, (contract) => ({
    assumable(uid, at) {
      const identity = contract.assumable(uid, at)
      const seen = identity?.lastSeenTime ?? 0
      return at.world.now() - seen > 2 * day ? undefined : identity
    },
  })),
  fault(
    'a delete of a group that is a day old is answered and forgotten',
    foundByModel,
    onGroups((contract) => ({
      forget(steps, item, at) {
        if (at.world.now() - item.createTime < day) contract.forget(steps, item, at)
      },
    })),
  ),
  fault(
    'page tokens of identities live for ever over gRPC',
    foundByModel,
    overGrpc(on('identities', { expired: () => false })),
  ),
  fault(
    'below a group a name with a dot is not found',
    foundByModel,
    onGroups((contract) => ({
      matchesName: (item, name, at) =>
        contract.matchesName(item, name, at) && !(at.query?.descendantsOf !== undefined && name.includes('.')),
    })),
  ),
  fault(
    'from page two on a name with a blank is not found',
    foundByModel,
    onGroups((contract) => ({
      matchesName: (item, name, at) => contract.matchesName(item, at.page > 1 ? name.replaceAll(' ', '+') : name, at),
    })),
  ),
]
