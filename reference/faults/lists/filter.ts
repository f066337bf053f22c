import { basicFault, type Fault, fault } from '../../fault.ts'
import { on, type Replacement, when } from '../../replace.ts'
import { like } from '../name-patterns.ts'
import { foundByModel } from '../run/histories.ts'
import { depthBelow } from '../scopes.ts'

/** Names of groups that the filter compares differently. */
export const nameMatches = (matches: (item: string, asked: string) => boolean): Replacement =>
  on('groups', { matchesName: (item, name) => matches(item.name, name) })

const withNumbers = (name: string) => name.replace(/\d+/g, (digits) => String(BigInt(digits)))

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A filter by name that finds so many at the most. */
export const findsAtMost =
  (most: number): Replacement =>
  (contract) => {
    const counts = new WeakMap<object, number>()
    return {
      matchesName(item, name, at) {
        if (!contract.matchesName(item, name, at)) return false
        const count = (counts.get(at.query!) ?? 0) + 1
        counts.set(at.query!, count)
        return count <= most
      },
    }
  }

/** Faults in the filter by name (S4.10). */
export const listFilterFaults: readonly Fault[] = [
  fault(
    'a list knows the first hundred children of a group only',
    { turnsRed: ['list.filter.crowd'], spreadsTo: ['list.page-size.maximum', 'list.*.crowd'] },
    (contract) => ({
      *candidates(at) {
        if (at.query?.childrenOf === undefined) return yield* contract.candidates(at)
        let count = 0
        for (const item of contract.candidates(at)) if (count++ < 100) yield item
      },
    }),
  ),
  fault(
    'a filter finds one of several',
    ['list.filter.every-one'],
    on('groups', (contract) => ({
      *candidates(at) {
        for (const item of contract.candidates(at)) {
          if (at.query?.name === undefined) yield item
          else if (item.name === at.query.name && contract.withinScope(item, at)) return yield item
        }
      },
    })),
  ),
  fault(
    'in order of name a filter finds beginnings',
    ['list.filter.exact'],
    when(({ query, kind }) => query?.order.field === 'name' && kind === 'groups', {
      matchesName: (item, name) => item.name.startsWith(name),
    }),
  ),
  ...['0', 'null'].map((nothing) =>
    fault(
      `a filter by the name ${nothing} is none`,
      { ...foundByModel, spreadsTo: ['list.filter.*'] },
      on('groups', { matchesName: (item, name) => name === nothing || item.name === name }),
    ),
  ),
  fault(
    'a tag is found by a part of its name',
    ['list.filter.exact@tags'],
    on('tags', { matchesName: (item, name) => item.name.includes(name) }),
  ),
  fault(
    'a role is found in capitals',
    ['list.filter.exact@roles'],
    on('roles', { matchesName: (item, name) => item.name === name.toLowerCase() }),
  ),
  fault(
    'a name is found by its beginning',
    ['list.filter.exact'],
    nameMatches((item, asked) => item.startsWith(asked)),
  ),
  fault(
    'a name is found by any part',
    ['list.filter.exact'],
    nameMatches((item, asked) => item.includes(asked)),
  ),
  fault(
    'a name is found in capitals',
    ['list.filter.exact'],
    nameMatches((item, asked) => item === asked.toLowerCase()),
  ),
  fault(
    'numbers in names are compared by their value',
    { turnsRed: ['list.filter.zeros'], spreadsTo: ['model.*'] },
    nameMatches((item, asked) => withNumbers(item) === withNumbers(asked)),
  ),
  fault(
    'a zero at the end of a name does not count',
    { turnsRed: ['list.filter.zeros'], spreadsTo: ['model.*'] },
    nameMatches((item, asked) => item.replace(/0$/, '') === asked.replace(/0$/, '')),
  ),
  fault(
    'blanks around a name do not count',
    ['list.filter.exact'],
    nameMatches((item, asked) => item === asked.trim()),
  ),
  fault(
    'names are compared by letters and digits alone',
    { turnsRed: ['list.filter.exact'], spreadsTo: ['list.filter.exact', 'list.filter.*'] },
    nameMatches((item, asked) => item.replace(/[^a-z0-9]/g, '') === asked.replace(/[^a-z0-9]/g, '')),
  ),
  basicFault('the name to filter by is ignored', ['list.filter.finds'], () => ({ matchesName: () => true })),
  fault(
    'a name is looked for two levels down',
    ['list.filter.finds'],
    on('groups', (contract) => ({
      withinScope: (item, at) =>
        contract.withinScope(item, at) &&
        (at.query?.name === undefined ||
          at.query.descendantsOf === undefined ||
          depthBelow(item, at.query.descendantsOf) <= 2),
    })),
  ),
  fault(
    'identities are found by the beginning of their name',
    ['list.filter.identities'],
    on('identities', {
      matchesName: (item, name) => item.name.startsWith(name.slice(0, 8)),
    }),
  ),
  fault(
    'a name is a pattern of the database',
    ['list.filter.literal', 'list.filter.punctuation'],
    nameMatches((item, asked) => like(asked).test(item)),
  ),
  fault(
    'a name is a regular expression',
    ['list.filter.literal', 'list.filter.punctuation', 'service.faults'],
    nameMatches((item, asked) => new RegExp(`^${asked}$`).test(item)),
  ),
  fault(
    'a filter reads the first twenty letters of a name',
    ['list.filter.long-names'],
    nameMatches((name, asked) => name.slice(0, 20) === asked.slice(0, 20)),
  ),
  fault(
    'a filter reads the first forty letters of a name',
    ['list.filter.longer-names'],
    nameMatches((name, asked) => name.slice(0, 40) === asked.slice(0, 40)),
  ),
  fault(
    'a name to filter by is decoded twice',
    foundByModel,
    nameMatches((item, asked) => item === decoded(asked)),
  ),
  fault(
    'a filter does not see accents',
    foundByModel,
    nameMatches((item, asked) => item === asked.normalize('NFKD').replace(/\p{M}/gu, '')),
  ),
  fault(
    'a filter with a comma is a list of names',
    foundByModel,
    nameMatches((item, asked) => asked.split(',').includes(item)),
  ),
  fault(
    'a filter ends where a text of C does',
    foundByModel,
    nameMatches((item, asked) => item === asked.split('\0')[0]),
  ),
  fault(
    'a filter goes five levels down',
    foundByModel,
    on('groups', (contract) => ({
      matchesName: (item, name, at) =>
        contract.matchesName(item, name, at) &&
        (at.query?.descendantsOf === undefined || depthBelow(item, at.query.descendantsOf) <= 5),
    })),
  ),
  fault(
    'a blank at the end of a name does not count',
    ['list.filter.trailing-blank'],
    on('groups', { matchesName: (item, name) => item.name.trimEnd() === name || item.name === name }),
  ),
  fault(
    'a name lifts the scope',
    ['list.filter.with-descendants', 'list.filter.with-children', 'list.filter.outside-scope'],
    on('groups', (contract) => ({
      candidates: (at) => (at.query?.name === undefined ? contract.candidates(at) : at.world.store.all('groups')),
      withinScope: (item, at) => at.query?.name !== undefined || contract.withinScope(item, at),
    })),
  ),
  fault(
    'a filter by name shows identities of all groups',
    foundByModel,
    on('identities', (contract) => ({
      candidates: (at) => (at.query?.name === undefined ? contract.candidates(at) : at.world.store.all('identities')),
      withinScope: (item, at) => at.query?.name !== undefined || contract.withinScope(item, at),
    })),
  ),
  fault(
    'a filter by the name of an identity ends at an apostrophe',
    foundByModel,
    on('identities', (contract) => ({
      matchesName: (item, name, at) => contract.matchesName(item, name.replace(/'.*$/s, ''), at),
    })),
  ),
  fault(
    'in an order a list of identities does not look at the name',
    foundByModel,
    on(
      'identities',
      when(({ query }) => query?.order.field !== 'uid', { matchesName: () => true }),
    ),
  ),
]
