import type { Item } from './domain/item.ts'
import { during, type Fault, fault, on, onceIn, type Replacement } from './replace.ts'

/** A token that is not the operator's, and is taken for it where it is like one that was good before. */
const takenFor =
  (alike: (token: string, good: ReadonlySet<string>) => boolean): Replacement =>
  (contract) => {
    const good = new Set<string>()
    return {
      async authenticate(token, reader, at) {
        const caller = await contract.authenticate(token, reader, at)
        if (caller) good.add(token)
        return caller ?? (alike(token, good) ? at.world.operator : undefined)
      },
    }
  }

const some = (good: ReadonlySet<string>, like: (one: string) => boolean) => [...good].some(like)

/** What stands above takes the place of a group that is missing. */
const above: Replacement = (contract) => ({
  found: (uid, kind, at) =>
    contract.found(uid, kind, at) ??
    (kind === 'groups' ? contract.found(uid.slice(0, uid.lastIndexOf('/')), kind, at) : undefined),
})

/** What a list holds of all that there is. */
const inScope =
  (
    within: (item: Item, scope: { childrenOf: string | undefined; descendantsOf: string | undefined }) => boolean,
  ): Replacement =>
  (contract) => ({
    *candidates(at) {
      const { childrenOf, descendantsOf } = at.query ?? {}
      if (at.kind === 'none' || at.kind === 'roles' || (childrenOf ?? descendantsOf) === undefined)
        yield* contract.candidates(at)
      else yield* at.world.store.all(at.kind)
    },
    withinScope(item, at) {
      const { childrenOf, descendantsOf } = at.query ?? {}
      if (item.kind === 'roles' || (childrenOf ?? descendantsOf) === undefined) return contract.withinScope(item, at)
      return within(item, { childrenOf, descendantsOf })
    },
  })

/** What goes wrong with one claim alone. */
export const faultsOfClaims: readonly Fault[] = [
  fault(
    'no create needs a token',
    ['auth.required.create*', 'auth.first'],
    during('create', () => ({ needsToken: () => false })),
  ),
  fault('a bearer without a token will do', ['auth.refuses.empty-token*'], (contract) => ({
    credential: (headers, query, at) =>
      /^bearer$/i.test(headers.authorization?.trim() ?? '') ? 'none' : contract.credential(headers, query, at),
    authenticate: async (token, reader, at) =>
      token === 'none' ? at.world.operator : contract.authenticate(token, reader, at),
  })),
  fault(
    'a token that is no JWT is waved through',
    ['auth.refuses.garbage*', 'auth.one-connection'],
    takenFor((token) => /^[a-z]+$/.test(token)),
  ),
  fault(
    'the end of a token does not matter',
    ['auth.refuses.cut-short*', 'auth.one-connection', 'auth.in-parallel'],
    takenFor((token, good) => token.length > 40 && some(good, (one) => one.startsWith(token))),
  ),
  fault(
    'what follows a token does not matter',
    ['auth.refuses.extended*'],
    takenFor((token, good) => some(good, (one) => token.startsWith(one))),
  ),
  fault(
    'tokens are told apart without regard to case',
    ['auth.refuses.altered*', 'auth.one-connection'],
    takenFor((token, good) => some(good, (one) => one.toLowerCase() === token.toLowerCase())),
  ),
  fault(
    'a new group shows its limits as text',
    ['group.create.shape'],
    on(
      'groups',
      during('create', (contract) => ({
        group: (...given) => ({ ...contract.group(...given), resourceLimits: 'none' }),
      })),
    ),
  ),
  fault(
    'Get shows limits that nobody set',
    ['group.get.same'],
    on(
      'groups',
      during('get', (contract) => ({
        group: (...given) => ({ ...contract.group(...given), resourceLimits: { clusters: 1 } }),
      })),
    ),
  ),
  fault(
    'names are at least four characters long',
    ['group.name.accepts.three-characters'],
    on('groups', (contract) => ({
      nameProblem: (name, at) => (String(name).length === 3 ? 'is too short' : contract.nameProblem(name, at)),
    })),
  ),
  fault(
    'no hyphen is taken in a name',
    {
      turnsRed: ['group.name.accepts.hyphen'],
      spreadsTo: ['group.name.accepts.*', 'group.update.name.accepts'],
    },
    on('groups', (contract) => ({
      nameProblem: (name, at) => (String(name).includes('-') ? 'has a hyphen' : contract.nameProblem(name, at)),
    })),
  ),
  fault(
    'a name is read from its last line',
    ['group.name.refuses.newline-first', 'group.update.name.refused'],
    on('groups', (contract) => ({
      nameProblem: (name, at) =>
        contract.nameProblem(typeof name === 'string' ? (name.split('\n').at(-1) ?? '') || name : name, at),
    })),
  ),
  fault(
    'a binding is made with an answer of HTML',
    ['roleBinding.create.answers'],
    on('roleBindings', during('create', { text: () => '<p>done</p>' })),
  ),
  fault(
    'a new binding shows its createTime as a number',
    ['roleBinding.create.shape'],
    on(
      'roleBindings',
      during('create', (contract) => ({
        roleBinding: (...given) => ({ ...contract.roleBinding(...given), createTime: 7 }),
      })),
    ),
  ),
  fault(
    'a delete of a binding is a fault of the server',
    ['roleBinding.delete.answers', 'service.faults'],
    on('roleBindings', during('delete', { successStatus: () => 500 })),
  ),
  fault(
    'a delete of a group is a fault of the server',
    ['group.delete.answers', 'service.faults'],
    on('groups', during('delete', { successStatus: () => 500 })),
  ),
  fault(
    'below a group that is missing an identity is made all the same',
    ['identity.create.missing'],
    on('identities', during('create', above)),
  ),
  fault(
    'below a group that is missing a binding is made all the same',
    ['roleBinding.create.missing'],
    on('roleBindings', during('create', above)),
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
  fault(
    'in place of an identity that is missing another one of its group is found',
    ['update.missing@identities'],
    on('identities', (contract) => ({
      found: (uid, kind, at) =>
        contract.found(uid, kind, at) ??
        [...at.world.store.all(kind)].find(({ parent }) => parent === uid.slice(0, uid.lastIndexOf('/'))),
    })),
  ),
  fault('the sixteenth group in a group gets the uid of the fifteenth', ['group.uid.distinct'], (contract) => {
    const minted = new Map<string, string[]>()
    return {
      mintUid(parent, at) {
        const uids = minted.get(parent.uid) ?? []
        const uid = uids.length === 15 && at.kind === 'groups' ? uids[14]! : contract.mintUid(parent, at)
        minted.set(parent.uid, [...uids, uid])
        return uid
      },
    }
  }),
  fault(
    'a list shows the state of groups as numbers',
    ['group.list.shape'],
    on(
      'groups',
      during('list', (contract) => ({
        group: (...given) => ({ ...contract.group(...given), verified: 0 }),
      })),
    ),
  ),
  fault(
    'each list without an order begins with another item than the last',
    {
      turnsRed: [
        'list.order.stable',
        'list.order.stable@*',
        'list.order.stable.elsewhere',
        'list.order.stable.elsewhere@*',
      ],
      spreadsTo: ['list.order.stable*', 'list.*', 'group.update.default-order'],
    },
    (contract) => {
      const lists = new Map<string, number>()
      return {
        sorted(items, compare, at) {
          const { order, cursor: _, ...query } = at.query!
          const asked = JSON.stringify([at.kind, query])
          lists.set(asked, (lists.get(asked) ?? 0) + 1)
          const sorted = contract.sorted(items, compare, at)
          const first = lists.get(asked)! % Math.max(1, sorted.length)
          return order.field === 'uid' ? [...sorted.slice(first), ...sorted.slice(0, first)] : sorted
        },
      }
    },
  ),
  fault(
    'a new group elsewhere moves the first identity of a list to its end',
    { turnsRed: ['list.order.stable.elsewhere@identities'], spreadsTo: ['list.*@identities'] },
    on('identities', (contract) => ({
      page(rest, skip, size, at) {
        const page = contract.page(rest, skip, size, at)
        const groups = [...at.world.store.all('groups')].length
        return groups % 2 === 0 || at.query?.order.field !== 'uid' ? page : [...page.slice(1), ...page.slice(0, 1)]
      },
    })),
  ),
  fault(
    'the only group in a group is not listed',
    { turnsRed: ['group.create.persists'], spreadsTo: ['group.*', 'list.total.follows', 'v1.group.create'] },
    on('groups', {
      sorted: (items, compare, at) =>
        items.length === 1 && at.query?.childrenOf !== undefined && at.query.name === undefined
          ? []
          : [...items].sort(compare),
    }),
  ),
  fault(
    'one in twenty lists lacks its last item',
    ['list.repeated*'],
    onceIn(20, (contract) => ({
      page: (...given) => contract.page(...given).slice(0, -1),
    })),
  ),
  fault(
    'the children of a group are all below it',
    ['list.scope.children*'],
    inScope((item, { childrenOf, descendantsOf }) => {
      const scope = childrenOf ?? descendantsOf ?? ''
      return `${item.parent}/`.startsWith(`${scope}/`)
    }),
  ),
  fault(
    'below a group is what stands directly in it',
    ['list.scope.descendants*'],
    inScope((item, { childrenOf, descendantsOf }) => item.parent === (childrenOf ?? descendantsOf ?? item.parent)),
  ),
  fault(
    'the children of a group are those of the group above, too',
    {
      turnsRed: ['list.scope.parent-of-none', 'list.scope.parent-of-none@*', 'list.scope.leaf'],
      spreadsTo: ['list.scope.*', 'group.list.answers'],
    },
    inScope((item, { childrenOf, descendantsOf }) => {
      const scope = childrenOf ?? descendantsOf ?? ''
      const above = scope.slice(0, scope.lastIndexOf('/'))
      return item.parent === scope || `${item.parent}/`.startsWith(`${scope}/`) || item.parent === above
    }),
  ),
  fault(
    'a page of groups holds forty at the most',
    { turnsRed: ['list.page-size.large-suffices'], spreadsTo: ['list.page-size.*', 'list.*'] },
    on('groups', {
      pageSize: (asked) => (asked === 0 ? 40 : Math.min(asked, 40)),
    }),
  ),
  fault(
    'a large page of repos begins with another one each time',
    ['list.walk.order@repos', 'list.order.stable@repos', 'list.skip.slice@repos'],
    on('repos', (contract) => {
      let pages = 0
      return {
        page(rest, skip, size, at) {
          const page = contract.page(rest, skip, size, at)
          if (size < 200 || at.query?.order.field !== 'uid') return page
          const [body, last] = [page.slice(0, -1), page.slice(-1)]
          const first = ++pages % Math.max(1, body.length)
          return [...body.slice(first), ...body.slice(0, first), ...last]
        },
      }
    }),
  ),
]
