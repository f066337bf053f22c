import type { Item, Kind } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, type Replacement, when } from '../../replace.ts'
import { Counts, changed, foundByModel, neverAsMade, onceEach } from '../run/histories.ts'

/** One change in so many of each thing is answered and forgotten. */
const forgettingEach = (often: number): Replacement => {
  return (contract) => {
    const counts = new Counts()
    return {
      modify(steps, at) {
        const old = steps.read()
        return counts.add(old.uid) % often === 0 ? steps.change(old) : contract.modify(steps, at)
      },
    }
  }
}

/** What is new has the uid of the last thing of its kind that was deleted in its group. */
const withUidOfDeleted = (kind: Kind): Replacement =>
  on(kind, (contract) => {
    const gone = new Map<string, string>()
    return {
      forget(steps, item, at) {
        contract.forget(steps, item, at)
        if (item.kind === kind) gone.set(item.parent, item.uid)
      },
      mintUid(parent, at) {
        const uid = gone.get(parent.uid)
        gone.delete(parent.uid)
        return uid ?? contract.mintUid(parent, at)
      },
    }
  })

const isNamed = ({ name }: Item) => typeof name === 'string' && name !== ''

/** Faults in changes of kinds other than groups: repeated, refused, numerous or far-reaching ones (S4.28, R28, R29). */
export const changedKindFaults: readonly Fault[] = [
  fault(
    'a second update of an account association with one body is answered as the first',
    foundByModel,
    when(({ over }) => over !== 'grpc', onceEach('accountAssociations')),
  ),
  fault(
    'an account association does not get the name of its create back',
    foundByModel,
    on('accountAssociations', neverAsMade),
  ),
  fault(
    'a rename of an identity provider that changes capitals only changes nothing',
    foundByModel,
    on('identityProviders', (contract) =>
      changed(contract, (old, next) =>
        next.name.toLowerCase() === old.name.toLowerCase() ? { ...next, name: old.name } : next,
      ),
    ),
  ),
  fault(
    'an account association keeps 255 letters of its description',
    foundByModel,
    on('accountAssociations', (contract) => ({
      stored(value, field, at) {
        const kept = contract.stored(value, field, at)
        return field === 'description' && typeof kept === 'string' ? kept.slice(0, 255) : kept
      },
    })),
  ),
  fault(
    'an update of an identity provider that is refused for its oidc keeps the name',
    foundByModel,
    on('identityProviders', (contract) => ({
      leftByRefusedUpdate: (before, wanted, at) =>
        isNamed(wanted) ? { ...before, name: wanted.name } : contract.leftByRefusedUpdate(before, wanted, at),
    })),
  ),
  fault(
    'an identity provider that is refused for its oidc is kept all the same',
    foundByModel,
    on('identityProviders', (contract) => ({
      leftByRefusedCreate: (draft, at) => (isNamed(draft) ? [draft] : contract.leftByRefusedCreate(draft, at)),
    })),
  ),
  fault('with an identity provider go the identities of its issuer in its group', foundByModel, (contract) => ({
    alsoRemoved(item, at) {
      const gone = contract.alsoRemoved(item, at)
      if (item.kind !== 'identityProviders') return gone
      const identities = [...at.world.store.under('identities', item.parent)]
      return [...gone, ...identities.filter(({ claimMatch }) => claimMatch?.issuer === item.oidc?.issuer)]
    },
  })),
  fault(
    'the eighth change of an identity provider is answered and forgotten',
    foundByModel,
    on('identityProviders', forgettingEach(8)),
  ),
  fault(
    'the tenth change of a role binding is answered and forgotten',
    foundByModel,
    on('roleBindings', forgettingEach(10)),
  ),
  fault(
    'a new identity gets the uid of the last one that was deleted in its group',
    { turnsRed: ['service.uids'], spreadsTo: ['model.inputs.*'] },
    withUidOfDeleted('identities'),
  ),
  fault(
    'a new role binding gets the uid of the last one that was deleted in its group',
    { turnsRed: ['service.uids'], spreadsTo: ['model.inputs.*'] },
    withUidOfDeleted('roleBindings'),
  ),
]
