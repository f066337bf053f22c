import type { At } from '../../domain/at.ts'
import type { Item, Kind } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, inV1, on, type Replacement } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'
import { inV1HasAll } from '../../variants/v1.ts'
import { foundByModel } from '../run/histories.ts'

/** The first thing of another kind with the same name in the same group. */
const namesake = ({ parent, name }: Item, kind: Kind, { world: { store } }: At): Item | undefined =>
  [...store.under(kind, parent)].find((other) => other.name === name)

/** The oldest thing of the same kind and name anywhere in the organization. */
const eldest = (item: Item, { world: { store } }: At): Item => {
  const alike = [...store.all(item.kind)].filter(({ name, org }) => name === item.name && org === item.org)
  return alike.reduce((first, other) => (other.createTime < first.createTime ? other : first), item)
}

const withAllOfV1 =
  (broken: (contract: Rules) => Partial<Rules>): Replacement =>
  (contract) => {
    const all = { ...contract, ...inV1HasAll(contract) }
    return { ...all, ...broken(all) }
  }

/** What goes wrong where several things have one name: of one kind or of others, in one group or elsewhere. */
export const alikeFaults: readonly Fault[] = [
  fault(
    'an account association shows the description of the identity provider of its name',
    foundByModel,
    (contract) => ({
      accountAssociation: (item, time, at) =>
        contract.accountAssociation(
          { ...item, description: namesake(item, 'identityProviders', at)?.description ?? item.description },
          time,
          at,
        ),
    }),
  ),
  fault(
    'Get of an identity provider shows the oldest one of its name',
    foundByModel,
    on(
      'identityProviders',
      during('get', (contract) => ({
        identityProvider: (item, time, at) =>
          contract.identityProvider({ ...eldest(item, at), uid: item.uid, createTime: item.createTime }, time, at),
      })),
    ),
  ),
  fault('a delete of an identity provider takes the account association of its name', foundByModel, (contract) => ({
    alsoRemoved(item, at) {
      const other = item.kind === 'identityProviders' ? namesake(item, 'accountAssociations', at) : undefined
      return [...contract.alsoRemoved(item, at), ...(other ? [other] : [])]
    },
  })),
  fault(
    'an update of an identity describes the group of its name beside it',
    foundByModel,
    on('identities', (contract) => ({
      async modify(steps, at) {
        const next = await contract.modify(steps, at)
        const group = namesake(next, 'groups', at)
        if (group) at.world.store.put({ ...group, description: next.description })
        return next
      },
    })),
  ),
  fault(
    'a PUT in v1 changes the oldest group of that name',
    foundByModel,
    inV1(
      during('update', (contract) => ({
        found(uid, kind, at) {
          const group = contract.found(uid, kind, at)
          return group && kind === 'groups' ? eldest(group, at) : group
        },
      })),
    ),
  ),
  fault(
    'a list of v1 shows one group of each name',
    foundByModel,
    inV1((contract) => ({
      v1Listed: (items, at) =>
        contract.v1Listed(
          items.filter(({ name }, at) => items.findIndex((other) => other.name === name) === at),
          at,
        ),
    })),
  ),
  fault(
    'of identities of one name in one group lists show the first',
    foundByModel,
    on('identities', (contract) => ({
      sorted: (items, compare, at) =>
        contract.sorted(
          items.filter(
            ({ name, parent }, at) => items.findIndex((other) => other.name === name && other.parent === parent) === at,
          ),
          compare,
          at,
        ),
    })),
  ),
  fault(
    'v1 shows an identity with the claims of the oldest one of its name',
    foundByModel,
    withAllOfV1((contract) => ({
      v1Other(fields, item, at) {
        const other = item.kind === 'identities' ? eldest(item, at) : item
        return contract.v1Other({ ...fields, ...(fields.claimMatch ? { claimMatch: other.claimMatch } : {}) }, item, at)
      },
    })),
  ),
  fault(
    'v1 shows an identity with the description of the oldest one of its name',
    foundByModel,
    withAllOfV1((contract) => ({
      v1Other(fields, item, at) {
        const other = item.kind === 'identities' ? eldest(item, at) : item
        return contract.v1Other({ ...fields, description: other.description }, item, at)
      },
    })),
  ),
  fault(
    'groups are also found by the last part of their uid as a name',
    foundByModel,
    on('groups', (contract) => ({
      matchesName: (item, name, at) => contract.matchesName(item, name, at) || item.uid.endsWith(`/${name}`),
    })),
  ),
  fault(
    'account associations are found by their name in any case',
    { turnsRed: ['list.filter.exact@accountAssociations'], spreadsTo: [] },
    on('accountAssociations', (contract) => ({
      matchesName: (item, name, at) =>
        contract.matchesName({ ...item, name: item.name.toLowerCase() }, name.toLowerCase(), at),
    })),
  ),
  fault(
    'a Get of an account association finds one by its name',
    foundByModel,
    on(
      'accountAssociations',
      during('get', (contract) => ({
        found: (uid, kind, at) =>
          contract.found(uid, kind, at) ?? [...at.world.store.all(kind)].find(({ name }) => name === uid),
      })),
    ),
  ),
  fault(
    'a role binding is of the identity that has the name of the one it names, in its group',
    foundByModel,
    (contract) => ({
      keep(item, at) {
        const named = at.world.store.get('identities', String(item.identityUid))
        const other =
          named && [...at.world.store.under('identities', item.parent)].find(({ name }) => name === named.name)
        contract.keep(item.kind === 'roleBindings' && other ? { ...item, identityUid: other.uid } : item, at)
      },
    }),
  ),
  fault(
    'a group that is made has the limits and the description of a namesake in the group above',
    foundByModel,
    during('create', (contract) => ({
      keep(item, at) {
        const home = at.world.store.get('groups', item.parent)
        const twin =
          home && item.kind === 'groups' && !item.description
            ? namesake({ ...item, parent: home.parent }, 'groups', at)
            : undefined
        contract.keep(twin ? { ...item, description: twin.description } : item, at)
      },
    })),
  ),
]
