import type { Item } from '../domain/item.ts'
import { type Fault, fault } from '../fault.ts'
import { during, on } from '../replace.ts'
import { pause } from './pause.ts'

/** Faults in updates of kinds other than groups. */
export const updateFaults: readonly Fault[] = [
  fault(
    'an update of an identity is lost when two arrive at once',
    ['update.concurrent@identities'],
    on('identities', {
      async modify({ read, change, write }) {
        const next = change(read())
        await pause(5)
        write(next)
        return next
      },
    }),
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
    on('identities', (contract) => ({
      modify({ read, change, write }, at) {
        const kept = (next: Item) => (next.description === '' ? { ...next, description: read().description } : next)
        return contract.modify({ read, change: (old) => kept(change(old)), write }, at)
      },
    })),
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
