import type { Fields } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during } from '../../replace.ts'

const masked = (shown: Fields): Fields => ({
  ...shown,
  description: String(shown.description).replace(/[^\s@<>]+@[^\s@<>]+\.[a-z]+/gi, '***'),
})

/** Faults in texts that look like something else: addresses of people, escapes. */
export const lookalikeFaults: readonly Fault[] = [
  fault(
    'lists mask e-mail addresses in descriptions',
    ['model.*'],
    during('list', (contract) => ({
      group: (item, time, at) => masked(contract.group(item, time, at)),
      identity: (item, time, at) => masked(contract.identity(item, time, at)),
    })),
  ),
  fault('a uid whose slashes are escaped in small letters finds the group above', ['model.*'], (contract) => ({
    pathUid: (raw, at) => contract.pathUid(raw.includes('%2f') ? raw.slice(0, raw.lastIndexOf('%2f')) : raw, at),
  })),
]
