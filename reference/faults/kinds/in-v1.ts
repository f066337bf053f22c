import { type Fault, fault } from '../../fault.ts'
import { on, type Replacement } from '../../replace.ts'
import { inV1HasAll } from '../../variants/v1.ts'
import { foundByModel } from '../run/histories.ts'

/** A fault where v1 has every kind. */
const whereV1HasAll = (name: string, broken: Replacement): Fault =>
  fault(name, foundByModel, (contract) => {
    const withOthers = { ...contract, ...inV1HasAll(contract) }
    return { ...withOthers, ...broken(withOthers) }
  })

/** Faults of kinds other than groups where v1 has them (S2.17, S9.2, S9.3). */
export const v1KindFaults: readonly Fault[] = [
  whereV1HasAll('v1 shows the description of a role as its name', (contract) => ({
    v1Other(fields, item, at) {
      const shown = contract.v1Other(fields, item, at)
      return item.kind === 'roles' ? { ...shown, name: item.description } : shown
    },
  })),
  whereV1HasAll('v1 lists identities of the group alone where all below it were asked for', (contract) => ({
    v1Listed: (items, at) => {
      const listed = contract.v1Listed(items, at)
      const shallow = Math.min(...listed.map(({ uid }) => uid.length))
      return at.kind === 'identities' ? listed.filter(({ uid }) => uid.length === shallow) : listed
    },
  })),
  whereV1HasAll('v1 lists no second account association of a group', (contract) => ({
    v1Listed: (items, at) => {
      const listed = contract.v1Listed(items, at)
      if (at.kind !== 'accountAssociations') return listed
      return listed.filter(({ parent }, index) => listed.findIndex((other) => other.parent === parent) === index)
    },
  })),
  whereV1HasAll('v1 lists tags and advisories under the words of v2', (contract) => ({
    v1ListBody: (items, at) =>
      at.kind === 'tags' || at.kind === 'advisories' ? { [at.kind]: items } : contract.v1ListBody(items, at),
  })),
  whereV1HasAll(
    'v1 shows an advisory under its uid',
    on('advisories', (contract) => ({
      v1Other(fields, item, at) {
        const { id, ...shown } = contract.v1Other(fields, item, at)
        return { uid: id, ...shown }
      },
    })),
  ),
  whereV1HasAll('v1 shows identities as last changed when they were made', (contract) => ({
    v1Other(fields, item, at) {
      const shown = contract.v1Other(fields, item, at)
      return item.kind === 'identities' ? { ...shown, updatedAt: shown.createdAt } : shown
    },
  })),
  whereV1HasAll('v1 shows role bindings with another role', (contract) => ({
    v1Other(fields, item, at) {
      const shown = contract.v1Other(fields, item, at)
      const [role] = [...at.world.store.under('roles', '')]
      return item.kind === 'roleBindings' ? { ...shown, role: { uid: role?.uid, name: role?.name } } : shown
    },
  })),
  whereV1HasAll('Get in v1 of a repo shows another one', (contract) => ({
    offeredInV1: (kind) => (kind === 'repos' ? ['list', 'get'] : contract.offeredInV1(kind)),
    found(uid, kind, at) {
      const found = contract.found(uid, kind, at)
      if (!found || kind !== 'repos' || at.version !== 'v1') return found
      return [...at.world.store.all('repos')].find(({ org }) => org === found.org)
    },
  })),
]
