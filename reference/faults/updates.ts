import { type Fault, fault } from '../fault.ts'
import { during, on, type Replacement } from '../replace.ts'
import { changed, foundByModel, withoutDescriptionBeside, writtenLate } from './run/histories.ts'

/** Updates that keep a description which they ought to empty. */
const neverEmptied: Replacement = (contract) =>
  changed(contract, (old, next) => (next.description === '' ? { ...next, description: old.description } : next))

/** Faults in updates of kinds other than groups. */
export const updateFaults: readonly Fault[] = [
  fault(
    'an update of an identity is lost when two arrive at once',
    ['update.concurrent@identities'],
    on('identities', writtenLate(5)),
  ),
  fault(
    'a rename of an identity provider empties its description',
    ['update.keeps-omitted@identityProviders'],
    on('identityProviders', (contract) => ({
      changed: (sent, mask, settable, at) =>
        mask || sent.includes('description')
          ? contract.changed(sent, mask, settable, at)
          : [...contract.changed(sent, mask, settable, at), 'description'],
    })),
  ),
  fault(
    'updates of account associations know no mask',
    ['update.mask.*@accountAssociations'],
    on('accountAssociations', { mask: () => undefined }),
  ),
  fault(
    'the description of an identity cannot be emptied',
    ['update.mask.clears@identities'],
    on('identities', neverEmptied),
  ),
  fault(
    'the description of an account association cannot be emptied',
    foundByModel,
    on('accountAssociations', neverEmptied),
  ),
  fault(
    'an update of an account association with a name keeps the description as it was',
    foundByModel,
    on('accountAssociations', withoutDescriptionBeside('name')),
  ),
  fault(
    'of two updates of one account association at once one is lost',
    foundByModel,
    on('accountAssociations', writtenLate(10)),
  ),
  fault(
    'an update of an identity recreates it',
    {
      turnsRed: ['update.mask.name@identities', 'update.mask.description@identities', 'update.immutable@identities'],
      spreadsTo: ['update.*@identities'],
    },
    on('identities', { touched: (_old, _differs, now) => ({ createTime: now, updateTime: now }) }),
  ),
  fault(
    'in place of an identity that is missing another one of its group is found',
    ['update.missing@identities'],
    on('identities', (contract) => ({
      found: (uid, kind, at) =>
        contract.found(uid, kind, at) ??
        [...at.world.store.all(kind)].find(({ parent }) => parent === uid.slice(0, uid.lastIndexOf('/'))),
    })),
  ),
  fault(
    'an update of an identity changes those below its group, too',
    ['update.neighbours@identities'],
    on(
      'identities',
      during('update', {
        modify({ read, change, write }, at) {
          const before = read()
          const next = change(before)
          write(next)
          for (const other of at.world.store.all('identities')) {
            if (other.parent.startsWith(`${next.parent}/`)) write({ ...other, description: next.description })
          }
          return next
        },
      }),
    ),
  ),
]
