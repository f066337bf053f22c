import type { Fields, Item } from '../domain/item.ts'
import { type Fault, fault } from '../fault.ts'
import { during, on, withBody } from '../replace.ts'
import { hour } from './durations.ts'
import { foundByModel } from './run/histories.ts'

/** Faults in kinds of which the contract only publishes a definition (S1.2). */
export const publishedFaults: readonly Fault[] = [
  fault(
    'Get still finds a deleted invite',
    ['groupInvite.delete.gone'],
    on('groupInvites', { forget: ({ unlist }) => unlist() }),
  ),
  fault(
    'a provider is made below a group that is not there',
    ['identityProvider.create.missing'],
    during('create', (contract) => ({
      found: (uid, kind, at) =>
        contract.found(uid, kind, at) ??
        (at.kind === 'identityProviders' && kind === 'groups'
          ? contract.found(uid.slice(0, uid.lastIndexOf('/')), kind, at)
          : undefined),
    })),
  ),
  fault(
    'of the identity providers of one issuer in a group only the newest is listed',
    foundByModel,
    on('identityProviders', (contract) => ({
      sorted(items, compare, at) {
        const keyOf = ({ parent, oidc }: Item) => `${parent} ${(oidc as Fields | undefined)?.issuer}`
        const newest = new Map<string, Item>()
        for (const item of items) {
          const other = newest.get(keyOf(item))
          if (other === undefined || other.createTime <= item.createTime) newest.set(keyOf(item), item)
        }
        return contract.sorted(
          items.filter((item) => newest.get(keyOf(item)) === item),
          compare,
          at,
        )
      },
    })),
  ),
  fault(
    'a list of account associations by name leaves its scope',
    foundByModel,
    on('accountAssociations', (contract) => ({
      *candidates(at) {
        if (at.query?.name === undefined) yield* contract.candidates(at)
        else yield* at.world.store.all('accountAssociations')
      },
      withinScope: (item, at) => at.query?.name !== undefined || contract.withinScope(item, at),
    })),
  ),
  fault(
    'an account association with the name of another in its group takes its uid',
    foundByModel,
    on(
      'accountAssociations',
      withBody((sent, contract) => ({
        mintUid(parent, at) {
          const others = [...at.world.store.under('accountAssociations', parent.uid)]
          return others.find(({ name }) => name === sent(at).name)?.uid ?? contract.mintUid(parent, at)
        },
      })),
    ),
  ),
  fault(
    'an update of an identity provider that is older than a day is forgotten',
    foundByModel,
    on('identityProviders', (contract) => ({
      modify(steps, at) {
        const old = steps.read()
        return at.world.now() - old.createTime > 24 * hour ? steps.change(old) : contract.modify(steps, at)
      },
    })),
  ),
  fault('the rename of a group renames the account association that has its name', foundByModel, (contract) => ({
    async modify(steps, at) {
      const old = steps.read()
      const next = await contract.modify(steps, at)
      if (next.kind === 'groups' && old.name !== next.name)
        for (const other of [...at.world.store.under('accountAssociations', next.uid)])
          if (other.name === old.name) at.world.store.put({ ...other, name: next.name })
      return next
    },
  })),
  fault('with an account association goes the identity provider of its name', foundByModel, (contract) => ({
    alsoRemoved(item, at) {
      const gone = contract.alsoRemoved(item, at)
      if (item.kind !== 'accountAssociations') return gone
      const providers = [...at.world.store.under('identityProviders', item.parent)]
      return [...gone, ...providers.filter(({ name }) => name === item.name)]
    },
  })),
  fault(
    'an account association whose name is a number loses its leading zeros',
    foundByModel,
    on('accountAssociations', (contract) => ({
      stored(value, field, at) {
        const kept = contract.stored(value, field, at)
        return field === 'name' && /^\d{1,15}$/.test(String(kept)) ? String(Number(kept)) : kept
      },
    })),
  ),
  fault(
    'a rename takes the other identity providers of the old name out of the index',
    foundByModel,
    on('identityProviders', (contract) => {
      const lost = new Set<string>()
      return {
        async modify(steps, at) {
          const old = steps.read()
          const next = await contract.modify(steps, at)
          if (old.name === next.name) return next
          lost.delete(`${next.uid} ${next.name}`)
          for (const other of at.world.store.under('identityProviders', next.parent))
            if (other.uid !== next.uid && other.name === old.name) lost.add(`${other.uid} ${old.name}`)
          return next
        },
        matchesName: (item, name, at) => contract.matchesName(item, name, at) && !lost.has(`${item.uid} ${name}`),
      }
    }),
  ),
]
