import type { Item } from './domain/item.ts'
import type { At } from './domain/world.ts'
import { type Fault, fault, fromPage, on, type Replacement, when } from './replace.ts'

/** Names found another way. */
const nameMatches = (matches: (item: string, asked: string) => boolean): Replacement =>
  on('groups', { matchesName: (item, name) => matches(item.name, name) })

/** A pattern as a database reads it. */
const like = (pattern: string) =>
  new RegExp(
    `^${pattern
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('%', '.*')
      .replaceAll('_', '.')}$`,
    's',
  )

/** Scopes for which every item of the organization is a candidate. */
const withinAny =
  (within: (item: Item, at: At) => boolean): Replacement =>
  () => ({
    *candidates(at) {
      if (at.kind === 'none') return
      yield* at.kind === 'roles' ? at.world.store.under('roles', '') : at.world.store.all(at.kind)
    },
    withinScope: (item, at) => item.kind === 'roles' || within(item, at),
  })

const scoped = ({ query }: At) => query?.childrenOf !== undefined || query?.descendantsOf !== undefined

const inside = (item: Item, at: At): boolean => {
  const { childrenOf, descendantsOf } = at.query ?? {}
  return childrenOf === undefined
    ? descendantsOf === undefined || `${item.parent}/`.startsWith(`${descendantsOf}/`)
    : item.parent === childrenOf
}

const depthBelow = (item: Item, uid: string) => item.parent.slice(uid.length).split('/').length

const byBeginning = (item: Item, at: At) => {
  const { childrenOf, descendantsOf } = at.query!
  return childrenOf === undefined ? item.parent.startsWith(descendantsOf ?? '') : item.parent === childrenOf
}

/** What goes wrong with what a list finds and how it orders it (section 4). */
export const faultsOfLists: readonly Fault[] = [
  // Filter
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
    'blanks around a name do not count',
    ['list.filter.exact'],
    nameMatches((item, asked) => item === asked.trim()),
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
    'names are compared by letters and digits alone',
    { turnsRed: ['list.filter.exact'], spreadsTo: ['list.filter.exact', 'list.filter.*'] },
    nameMatches((item, asked) => item.replace(/[^a-z0-9]/g, '') === asked.replace(/[^a-z0-9]/g, '')),
  ),
  fault(
    'a filter is forgotten on page three',
    ['list.walk.filter'],
    on('groups', fromPage(3, { matchesName: () => true })),
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
    'identities are found by the beginning of their name',
    ['list.filter.identities'],
    on('identities', {
      matchesName: (item, name) => item.name.startsWith(name.slice(0, 8)),
    }),
  ),
  fault(
    'a name lifts the scope',
    ['list.filter.with-descendants', 'list.filter.with-children', 'list.filter.outside-scope'],
    on('groups', (contract) => ({
      candidates: (at) => (at.query?.name === undefined ? contract.candidates(at) : at.world.store.all('groups')),
      withinScope: (item, at) => at.query?.name !== undefined || contract.withinScope(item, at),
    })),
  ),
  fault('the index of names is not told of a rename', ['group.update.renamed-in-lists'], (contract) => {
    const first = new Map<string, string>()
    return {
      keep(item, at) {
        contract.keep(item, at)
        first.set(item.uid, item.name)
      },
      matchesName: (item, name) => (first.get(item.uid) ?? item.name) === name,
    }
  }),
  fault('the order by name is not told of a rename', ['group.update.renamed-in-lists'], (contract) => {
    const first = new Map<string, string>()
    return {
      keep(item, at) {
        contract.keep(item, at)
        first.set(item.uid, item.name)
      },
      sortKey: (item, field, at) =>
        field === 'name' ? (first.get(item.uid) ?? item.name) : contract.sortKey(item, field, at),
    }
  }),

  // Scope
  fault(
    'what is below a group is told by the beginning of its uid',
    ['list.scope.descendants.never-issued*'],
    when(scoped, withinAny(byBeginning)),
  ),
  fault(
    'what is below a group of identities is told by the beginning of its uid',
    ['list.scope.descendants.never-issued@identities'],
    on('identities', when(scoped, withinAny(byBeginning))),
  ),
  fault(
    'a scope is a pattern of the database',
    ['list.scope.wildcard'],
    on(
      'groups',
      when(
        scoped,
        withinAny((item, at) => {
          const { childrenOf, descendantsOf } = at.query!
          const path = `${childrenOf ?? descendantsOf}${childrenOf === undefined ? '/%' : ''}`
          return /[%_]/.test(path.slice(0, -2)) ? like(path).test(`${item.parent}/`) : inside(item, at)
        }),
      ),
    ),
  ),
  fault(
    'a scope that is not there is no scope',
    ['list.scope.*.never-issued*'],
    when(
      scoped,
      withinAny((item, at) => {
        const { childrenOf, descendantsOf } = at.query!
        const home = at.world.store.get('groups', childrenOf ?? descendantsOf ?? '')
        return home === undefined || inside(item, at)
      }),
    ),
  ),
  fault(
    'the children of a group of identities are all below it',
    ['list.scope.children@identities'],
    on(
      'identities',
      when(
        scoped,
        withinAny((item, at) => {
          const { childrenOf, descendantsOf } = at.query!
          return `${item.parent}/`.startsWith(`${childrenOf ?? descendantsOf}/`)
        }),
      ),
    ),
  ),
  fault(
    'bindings are looked for two levels down',
    ['list.scope.descendants@roleBindings'],
    on('roleBindings', (contract) => ({
      withinScope: (item, at) =>
        contract.withinScope(item, at) &&
        (at.query?.descendantsOf === undefined || depthBelow(item, at.query.descendantsOf) <= 2),
    })),
  ),
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
    'from page two on a list of identities forgets its scope',
    { turnsRed: ['list.walk.scope@identities'], spreadsTo: ['list.walk.*@identities'] },
    on(
      'identities',
      fromPage(
        2,
        withinAny(() => true),
      ),
    ),
  ),
  fault(
    'from page three on a list of bindings looks at children only',
    { turnsRed: ['list.walk.complete@roleBindings'], spreadsTo: ['list.walk.*@roleBindings'] },
    on(
      'roleBindings',
      fromPage(3, (contract) => ({
        withinScope: (item, at) =>
          contract.withinScope(item, at) && item.parent === (at.query?.descendantsOf ?? item.parent),
      })),
    ),
  ),
  fault(
    'the newest first are asked for without the scope',
    ['list.order.created_at-desc'],
    on(
      'groups',
      when(
        (at) =>
          at.query?.order.field === 'createTime' && at.query.order.descending && at.query.childrenOf !== undefined,
        withinAny(() => true),
      ),
    ),
  ),

  // Order
  fault(
    'names are ordered group by group',
    ['list.order.name*'],
    on('groups', (contract) => ({
      sortKey: (item, field, at) =>
        field === 'name' ? `${item.parent} ${item.name}` : contract.sortKey(item, field, at),
    })),
  ),
  fault(
    'created_at gives the newest first',
    ['list.order.created_at', 'list.order.created_at.times', 'list.order.created_at.times@*'],
    (contract) => ({
      order(asked, cursor, at) {
        const order = contract.order(asked, cursor, at)
        return asked === 'created_at' && order ? { ...order, descending: true } : order
      },
    }),
  ),
  fault('created_at goes by the time of the last update', ['group.update.order-of-creation'], (contract) => ({
    sortKey: (item, field, at) => (field === 'createTime' ? item.updateTime : contract.sortKey(item, field, at)),
  })),
  fault(
    'created_at goes by the minute',
    {
      turnsRed: ['list.order.created_at-desc.times', 'list.order.created_at-desc.times@*'],
      spreadsTo: ['list.order.created_at*'],
    },
    (contract) => ({
      sortKey: (item, field, at) =>
        field === 'createTime' ? Math.floor(item.createTime / 60_000) : contract.sortKey(item, field, at),
    }),
  ),
  fault(
    'bindings do not know how to descend',
    ['list.order.created_at-desc.times@roleBindings', 'list.walk.order@roleBindings'],
    on('roleBindings', (contract) => ({
      order(asked, cursor, at) {
        const order = contract.order(asked, cursor, at)
        return order && { ...order, descending: false }
      },
    })),
  ),
  fault(
    'identities are ordered by name from z to a',
    ['list.order.name*@identities'],
    on('identities', (contract) => ({
      sortKey: (item, field, at) =>
        field === 'name'
          ? [...item.name].map((letter) => String.fromCharCode(127 - letter.charCodeAt(0))).join('')
          : contract.sortKey(item, field, at),
    })),
  ),
  fault(
    'without an order the last one updated stands last',
    ['group.update.default-order'],
    on('groups', (contract) => ({
      sortKey: (item, field, at) => (field === 'uid' ? String(item.updateTime) : contract.sortKey(item, field, at)),
    })),
  ),
  fault(
    'two replicas order equal names each their own way',
    { turnsRed: ['list.walk.scope'], spreadsTo: ['list.*'] },
    on('groups', () => {
      let calls = 0
      const turn = new WeakMap<At, number>()
      return {
        tiebreak(a, b, at) {
          if (!turn.has(at)) turn.set(at, ++calls % 2 === 0 ? 1 : -1)
          return at.query?.order.field === 'name' ? turn.get(at)! * (a < b ? -1 : a > b ? 1 : 0) : a < b ? -1 : 1
        },
      }
    }),
  ),
  fault(
    'one list in seven without an order comes as it lies on the disk',
    { turnsRed: ['list.walk.complete@identities'], spreadsTo: ['list.*@identities'] },
    on('identities', (contract) => {
      let lists = 0
      return {
        sorted: (items, compare, at) =>
          at.query?.order.field === 'uid' && ++lists % 7 === 0 ? [...items] : contract.sorted(items, compare, at),
      }
    }),
  ),
  fault(
    'an order that nobody knows drops what has no such field',
    ['list.order.unknown.keeps'],
    on('groups', (contract) => ({
      order: (asked, cursor, at) =>
        asked === 'colour' ? { field: 'updateTime', descending: false } : contract.order(asked, cursor, at),
      ...when((at) => at.query?.order.field === 'updateTime', { seen: () => undefined })(contract),
    })),
  ),

  // What is there
  fault(
    'a list is remembered until something else is asked for',
    ['list.total.follows'],
    on('groups', (contract) => {
      const known = new Map<string, readonly Item[]>()
      return {
        sorted(items, compare, at) {
          const { childrenOf, descendantsOf, name, order, cursor } = at.query!
          const key = JSON.stringify([childrenOf, descendantsOf, name, order])
          if (cursor || !known.has(key)) known.set(key, contract.sorted(items, compare, at))
          return [...known.get(key)!]
        },
      }
    }),
  ),
  fault(
    'the newest group is listed after the next one is made',
    ['list.newest'],
    on('groups', (contract) => {
      let newest: Item | undefined
      return {
        keep(item, at) {
          contract.keep(item, at)
          newest = item
        },
        *candidates(at) {
          for (const item of contract.candidates(at)) if (item.uid !== newest?.uid) yield item
        },
      }
    }),
  ),
  fault(
    'nothing is null',
    ['list.empty.answer', 'list.empty.written-out', 'list.filter.outside-scope'],
    on('groups', (contract) => ({
      listBody: (parts, at) => ({
        ...contract.listBody(parts, at),
        ...(parts.items.length === 0 && at.query?.name !== undefined ? { groups: null } : {}),
      }),
    })),
  ),
  fault(
    'a filter reads the first thirty letters of a name',
    ['list.filter.long-names'],
    nameMatches((name, asked) => name.slice(0, 30) === asked.slice(0, 30)),
  ),
  fault(
    'names are ordered by their first twenty letters',
    ['list.order.long-names'],
    on('groups', (contract) => ({
      sortKey(item, field, at) {
        const key = contract.sortKey(item, field, at)
        return field === 'name' ? String(key).slice(0, 20) : key
      },
    })),
  ),
  fault(
    'beside a name the children of a group are all below it',
    ['list.scope.children.named'],
    on('groups', (contract) => ({
      *candidates(at) {
        yield* at.query?.name === undefined ? contract.candidates(at) : at.world.store.all('groups')
      },
      withinScope: (item, at) =>
        at.query?.name !== undefined && at.query.childrenOf !== undefined
          ? item.parent.startsWith(at.query.childrenOf)
          : contract.withinScope(item, at),
    })),
  ),
  fault(
    'after a skip a walk forgets its filter',
    ['list.walk.skip-filtered'],
    on('groups', (contract) => ({
      matchesName: (item, name, at) => (at.query?.cursor?.skipped ?? 0) > 0 || contract.matchesName(item, name, at),
    })),
  ),
  fault('in an order the total counts what stands deeper, too', ['list.total.scoped*'], (contract) => ({
    totalCount(counts, at) {
      const { query, kind } = at
      const { childrenOf, name, order } = query ?? {}
      if (childrenOf === undefined || name !== undefined || order?.field === 'uid' || kind === 'none')
        return contract.totalCount(counts, at)
      return String([...at.world.store.all(kind)].filter(({ parent }) => parent.startsWith(childrenOf)).length)
    },
  })),
  fault(
    'from page two on a list of identities has issuer and subject the wrong way round',
    ['list.walk.same@identities'],
    on(
      'identities',
      fromPage(2, (contract) => ({
        identity(...given) {
          const { claimMatch, ...shown } = contract.identity(...given)
          const { issuer, subject } = claimMatch as Record<string, unknown>
          return { ...shown, claimMatch: { issuer: subject, subject: issuer } }
        },
      })),
    ),
  ),
  fault(
    'from page two on a list of groups shows no description',
    ['list.walk.same'],
    on(
      'groups',
      fromPage(2, (contract) => ({
        group: (...given) => ({ ...contract.group(...given), description: '-' }),
      })),
    ),
  ),
]
