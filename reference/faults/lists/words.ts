import type { At } from '../../domain/at.ts'
import { type Fault, fault } from '../../fault.ts'
import { on } from '../../replace.ts'
import { collapsed } from '../name-patterns.ts'
import { foundByModel } from '../run/histories.ts'
import { nameMatches } from './filter.ts'

/** What a full-text index leaves out. */
const stopWords = new Set(
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  ),
)

/** The group of the identity whose uid is the scope. */
function groupOfScope({ kind, query, world }: At): string | undefined {
  const asked = query?.childrenOf ?? query?.descendantsOf
  return asked === undefined || kind === 'roles' ? undefined : world.store.get('identities', asked)?.parent
}

/** Faults in words, uids and signs that an index, a resolver of scopes or a token takes for something else. */
export const listWordFaults: readonly Fault[] = [
  fault(
    'a group whose name is a stop word of English, such as the, is not found by its name',
    foundByModel,
    nameMatches((item, asked) => item === asked && !stopWords.has(asked)),
  ),
  fault(
    'a group whose name has one or two characters is not found by its name',
    foundByModel,
    nameMatches((item, asked) => item === asked && asked.length >= 3),
  ),
  fault(
    'a filter by name also finds the group whose uid ends in that segment',
    foundByModel,
    on('groups', (contract) => ({
      matchesName: (item, name, at) => contract.matchesName(item, name, at) || item.uid.endsWith(`/${name}`),
    })),
  ),
  fault(
    'a filter by name takes several blanks for one',
    foundByModel,
    nameMatches((item, asked) => collapsed(item) === collapsed(asked)),
  ),
  fault(
    'a scope that is the uid of an identity lists what is in the group of that identity',
    foundByModel,
    (contract) => ({
      *candidates(at) {
        const group = groupOfScope(at)
        if (group === undefined || at.kind === 'none') yield* contract.candidates(at)
        else yield* at.world.store.under(at.kind, group)
      },
      withinScope(item, at) {
        const group = groupOfScope(at)
        return group === undefined ? contract.withinScope(item, at) : item.parent === group
      },
    }),
  ),
  fault(
    'a page token of identities by name ends at the colon in a name',
    foundByModel,
    on('identities', (contract) => ({
      cursor(last, key, order, skipped, now, at) {
        const cursor = contract.cursor(last, key, order, skipped, now, at)
        if (order.field !== 'name' || !String(key).includes(':')) return cursor
        const [name = '', uid = ''] = `${key}:${last.uid}`.split(':')
        return { ...cursor, key: name, uid }
      },
    })),
  ),
]
