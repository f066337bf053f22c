import type { Fields, Item } from './domain/item.ts'
import { Refusal } from './domain/refusal.ts'
import type { At } from './domain/world.ts'
import { during, type Fault, fault, on, onceIn, type Replacement, withRequest } from './replace.ts'
import type { Answer } from './rules.ts'

/** A cursor that counts items instead of standing at one. */
const counting: Replacement = (contract) => ({
  cursor: (last, key, order, skipped, now, at) => ({
    ...contract.cursor(last, key, order, skipped, now, at),
    offset: Number(at.query?.cursor?.offset ?? 0) + (at.query?.skip ?? 0) + (at.query?.size ?? 0),
  }),
  rest: (sorted, _place, cursor) => sorted.slice(Number(cursor.offset)),
})

/** A cursor that is lost once the item that it stands at is gone. */
const lostWithItsItem =
  (goesOn: (sorted: readonly Item[]) => readonly Item[]): Replacement =>
  (contract) => ({
    rest(sorted, place, cursor, at) {
      const gone = at.kind !== 'none' && at.world.store.get(at.kind, cursor.uid) === undefined
      return gone ? goesOn(sorted) : contract.rest(sorted, place, cursor, at)
    },
  })

/** In segments: the organization, the operator's group, the run's, the case's, and what it makes. */
const depthOf = (uid: string) => uid.split('/').length

/** Lists of groups answered from a memory that every write empties. */
const remembered = (keyOf: (url: string) => string): Replacement =>
  withRequest((request, contract) => {
    const known = new Map<string, Answer>()
    return {
      render(answer, at) {
        if (at.operation === 'get' || at.kind === 'none' || answer.status !== 200) return contract.render(answer, at)
        if (at.operation !== 'list') known.clear()
        if (at.operation !== 'list' || at.kind !== 'groups') return contract.render(answer, at)
        const key = keyOf(request().url ?? '')
        known.set(key, known.get(key) ?? answer)
        return contract.render(known.get(key)!, at)
      },
    }
  })

/** Bindings that show the first state of an identity that anybody, or they themselves, ever showed. */
const eagerly =
  (applies: (at: At) => boolean, whose: 'everybody' | 'each binding'): Replacement =>
  () => {
    const first = new Map<string, Item>()
    return {
      hydrated(part, kind, binding, at) {
        if (kind !== 'identities' || !part) return part
        const key = whose === 'everybody' ? part.uid : binding.uid
        if (!first.has(key)) first.set(key, part)
        return applies(at) ? first.get(key) : part
      },
    }
  }

/** Bodies of creates that are read in a way of their own. */
const createReads = (read: (text: string) => Fields | undefined): Replacement =>
  on(
    'groups',
    during('create', (contract) => ({
      body: (bytes, at) => read(Buffer.from(bytes).toString()) ?? contract.body(bytes, at),
    })),
  )

/** What goes wrong where nobody looks twice: under concurrent writes, far down, far on, or once in a while. */
export const faultsOfTheDeep: readonly Fault[] = [
  // Walks while others write
  fault(
    'identities are walked by offset',
    ['list.walk.while-others.insert@identities', 'list.walk.while-others.delete@identities'],
    on('identities', counting),
  ),
  fault('bindings are walked by offset', ['list.walk.while-others.*@roleBindings'], on('roleBindings', counting)),
  fault(
    'a walk is over where the last item shown was deleted',
    ['list.walk.while-others.delete'],
    on(
      'groups',
      lostWithItsItem(() => []),
    ),
  ),
  fault(
    'a walk of identities starts over where the last one shown was deleted',
    ['list.walk.while-others.delete@identities'],
    on(
      'identities',
      lostWithItsItem((sorted) => sorted),
    ),
  ),
  fault(
    'a walk goes on from where its last item has moved to',
    ['list.walk.while-others.rename'],
    on('groups', (contract) => ({
      rest(sorted, place, cursor, at) {
        const item = at.world.store.get('groups', cursor.uid)
        if (item === undefined) return contract.rest(sorted, place, cursor, at)
        const sign = cursor.descending ? -1 : 1
        const key = contract.sortKey(item, cursor.field, at)
        return sorted.filter((one) => {
          const byKey = sign * contract.compareKeys(contract.sortKey(one, cursor.field, at), key, at)
          return byKey > 0 || (byKey === 0 && one.uid > cursor.uid)
        })
      },
    })),
  ),
  fault(
    'a change lets the walks of identities start over',
    ['list.walk.while-others.touch@identities', 'list.walk.while-others.rename@identities'],
    on('identities', (contract) => ({
      rest(sorted, place, cursor, at) {
        const since = sorted.filter(({ updateTime }) => updateTime > cursor.issued)
        const changed = since.some(({ createTime }) => createTime < cursor.issued)
        return changed && cursor.page === 2 ? sorted : contract.rest(sorted, place, cursor, at)
      },
    })),
  ),

  // Far on
  fault(
    'what is below a group is known up to the hundredth',
    ['list.scope.crowd'],
    on('groups', (contract) => ({
      *candidates(at) {
        let count = 0
        for (const item of contract.candidates(at)) {
          if (at.query?.descendantsOf === undefined || count++ < 100) yield item
        }
      },
    })),
  ),
  fault(
    'below a group a name is looked for among a hundred',
    ['list.scope.crowd'],
    on('groups', (contract) => ({
      *candidates(at) {
        let count = 0
        const looked = at.query?.descendantsOf !== undefined && at.query.name !== undefined
        for (const item of contract.candidates(at)) if (!looked || count++ < 100) yield item
      },
    })),
  ),
  fault(
    'the third page of a long list shows the second again',
    ['list.walk.crowd', 'list.scope.crowd'],
    on('groups', (contract) => ({
      cursor: (last, key, order, skipped, now, at) => ({
        ...contract.cursor(last, key, order, skipped, now, at),
        before: at.query?.cursor?.uid ?? '',
      }),
      rest(sorted, place, cursor, at) {
        if (at.page !== 3 || sorted.length <= 200) return contract.rest(sorted, place, cursor, at)
        return sorted.slice(sorted.findIndex(({ uid }) => uid === cursor.before) + 1)
      },
    })),
  ),
  fault(
    'a change far down is answered and forgotten',
    ['group.far-down'],
    on('groups', (contract) => ({
      modify: (steps, at) => contract.modify(depthOf(steps.read().uid) < 9 ? steps : { ...steps, write: () => {} }, at),
    })),
  ),
  fault(
    'a delete far down leaves the group where it is',
    ['group.far-down'],
    on('groups', (contract) => ({
      forget: (steps, item, at) => (depthOf(item.uid) < 9 ? contract.forget(steps, item, at) : undefined),
    })),
  ),

  // Once in a while
  fault(
    'of twenty answers to one list one misses its last item',
    ['list.repeated'],
    on(
      'groups',
      onceIn(20, (contract) => ({ page: (...given) => contract.page(...given).slice(0, -1) })),
    ),
  ),
  fault(
    'of twenty answers to one list of identities one misses its first item',
    ['list.repeated@identities'],
    on(
      'identities',
      onceIn(20, (contract) => ({ page: (...given) => contract.page(...given).slice(1) })),
    ),
  ),
  fault(
    'of twenty answers to one list one counts one too many',
    ['list.repeated', 'list.total.every-answer'],
    on('groups', onceIn(20, { totalCount: ({ matches }) => String(matches + 1) })),
  ),
  fault(
    'of twenty answers to one list of bindings one stands the other way round',
    ['list.repeated@roleBindings'],
    on(
      'roleBindings',
      onceIn(20, (contract) => ({ page: (...given) => [...contract.page(...given)].reverse() })),
    ),
  ),
  fault(
    'of thirty answers about a long list one counts wrong',
    { turnsRed: ['list.total.every-answer'], spreadsTo: ['list.total.*', 'list.*.crowd'] },
    (contract) => {
      let answers = 0
      return {
        totalCount: (counts, at) =>
          at.kind === 'groups' && counts.matches > 200 && ++answers % 30 === 0
            ? String(counts.matches - 1)
            : contract.totalCount(counts, at),
      }
    },
  ),
  fault(
    'of thirty answers about a tree one shows its first group twice',
    { turnsRed: ['list.every-answer.belongs'], spreadsTo: ['list.*'] },
    (contract) => {
      let answers = 0
      return on('groups', {
        page(rest, skip, size, at) {
          const page = contract.page(rest, skip, size, at)
          const wide = at.query?.descendantsOf !== undefined && rest.length > 30
          return wide && ++answers % 30 === 0 ? [...page.slice(0, 1), ...page.slice(0, -1)] : page
        },
      })(contract)
    },
  ),
  fault('of twenty Gets of one group one shows it as it was made', ['group.get.repeated'], (contract) => {
    const made = new Map<string, Item>()
    return on('groups', (contract) => ({
      keep(item, at) {
        contract.keep(item, at)
        made.set(item.uid, item)
      },
      ...during('get', onceIn(20, { seen: (item: Item) => made.get(item.uid) ?? item }))(contract),
    }))(contract)
  }),
  fault(
    'one of two replicas does not hear of renames',
    { turnsRed: ['group.update.mask.name'], spreadsTo: ['group.get.repeated', 'group.update.*'] },
    on('groups', (contract) => {
      const names = new Map<string, string>()
      const gets = new Map<string, number>()
      return {
        keep(item, at) {
          contract.keep(item, at)
          names.set(item.uid, item.name)
        },
        seen(item, at) {
          if (at.operation !== 'get') return item
          const count = (gets.get(item.uid) ?? 0) + 1
          gets.set(item.uid, count)
          return count % 2 === 0 ? { ...item, name: names.get(item.uid) ?? item.name } : item
        },
      }
    }),
  ),
  fault(
    'of thirty refusals of one create one has another status',
    ['error.name.steady'],
    during('create', onceIn(30, { errorStatus: () => 422 })),
  ),

  // What is left from the call before
  fault(
    'skipped is that of the call before',
    ['list.fresh'],
    withRequest((request, contract) => {
      const before = new WeakMap<object, number>()
      return {
        skipped(skip, earlier, at) {
          const { socket } = request()
          const left = at.query?.size === 200 && !at.query.cursor ? (before.get(socket) ?? 0) : 0
          before.set(socket, skip)
          return contract.skipped(skip || left, earlier, at)
        },
      }
    }),
  ),
  fault(
    'a filter stays for the next call on its connection',
    ['list.fresh'],
    withRequest((request, contract) => {
      const before = new WeakMap<object, { scope?: string; name?: string }>()
      return {
        sorted(items, compare, at) {
          const { childrenOf: scope, name } = at.query!
          const left = before.get(request().socket)
          before.set(request().socket, { ...(scope && { scope }), ...(name && { name }) })
          const stays = scope !== undefined && left?.scope === scope && name === undefined && left.name
          const few = stays && items.length <= 6 ? items.filter((item) => item.name === stays) : items
          return contract.sorted(few, compare, at)
        },
      }
    }),
  ),
  fault(
    'a connection goes on with the walk that it served last',
    ['list.walk.one-connection'],
    withRequest((request, contract) => {
      const last = new WeakMap<object, string>()
      return {
        rest(sorted, place, cursor, at) {
          const others = sorted.findIndex(({ uid }) => uid === last.get(request().socket))
          const mixed = sorted.length === 5 && at.kind === 'groups' && at.query?.size === 2 && others === -1
          return mixed ? sorted.slice(0, 2) : contract.rest(sorted, place, cursor, at)
        },
        page(rest, skip, size, at) {
          const page = contract.page(rest, skip, size, at)
          last.set(request().socket, page.at(-1)?.uid ?? '')
          return page
        },
      }
    }),
  ),
  fault(
    'lists are remembered without their page token until somebody writes',
    { turnsRed: ['list.token.last-page'], spreadsTo: ['list.*'] },
    remembered((url) => url.replace(/&page_token=[^&]*/, '')),
  ),
  fault(
    'lists are remembered without their last parameter until somebody writes',
    { turnsRed: ['list.walk.complete'], spreadsTo: ['list.*'] },
    remembered((url) => (url.split('&').length > 2 ? url.replace(/&[^&]*$/, '') : url)),
  ),
  fault(
    'a list that was shown once is shown to anybody',
    { turnsRed: ['auth.required.list', 'auth.required.list@*'], spreadsTo: ['auth.*'] },
    withRequest((request, contract) => {
      const shown = new Set<string>()
      return {
        credential: (headers, query, at) =>
          contract.credential(headers, query, at) ?? (at.operation === 'list' ? 'nobody' : undefined),
        async authenticate(token, reader, at) {
          const caller = token === 'nobody' ? undefined : await contract.authenticate(token, reader, at)
          const url = request().url ?? ''
          if (caller && at.operation === 'list') shown.add(url)
          return caller ?? (at.operation === 'list' && shown.has(url) ? at.world.operator : undefined)
        },
      }
    }),
  ),

  // Traps
  fault(
    'a cursor keeps milliseconds where the store keeps more',
    { turnsRed: ['list.walk.complete', 'list.walk.complete@*'], spreadsTo: ['list.walk.*', 'list.*'] },
    (contract) => {
      const order = new Map<string, number>()
      const finer = (item: Item) => {
        if (!order.has(item.uid)) order.set(item.uid, order.size % 1000)
        return item.createTime + order.get(item.uid)! / 1000
      }
      return {
        sortKey: (item, field, at) => (field === 'createTime' ? finer(item) : contract.sortKey(item, field, at)),
        cursor: (last, key, order, skipped, now, at) =>
          contract.cursor(last, typeof key === 'number' ? Math.floor(key) : key, order, skipped, now, at),
      }
    },
  ),
  fault(
    'an empty page token asks for the second page',
    ['list.token.empty'],
    on(
      'groups',
      withRequest((request, contract) => ({
        page: (rest, skip, size, at) =>
          /[?&]page_token=(&|$)/.test(request().url ?? '')
            ? rest.slice(size, 2 * size)
            : contract.page(rest, skip, size, at),
      })),
    ),
  ),
  fault(
    'a token of the roles opens every group',
    ['list.token.other-kind.scope'],
    on('groups', (contract) => {
      const open = ({ query }: At) => query?.cursor?.kind === 'roles'
      return {
        cursorFits: (cursor, order, at) => cursor.kind === 'roles' || contract.cursorFits(cursor, order, at),
        candidates: (at) => (open(at) ? at.world.store.all('groups') : contract.candidates(at)),
        withinScope: (item, at) => open(at) || contract.withinScope(item, at),
        rest: (sorted, place, cursor, at) =>
          cursor.kind === 'roles' ? sorted : contract.rest(sorted, place, cursor, at),
      }
    }),
  ),
  fault(
    'two scopes are none',
    ['list.scope.both'],
    on('groups', (contract) => {
      const both = ({ query }: At) => query?.childrenOf !== undefined && query.descendantsOf !== undefined
      return {
        candidates: (at) => (both(at) ? at.world.store.all('groups') : contract.candidates(at)),
        withinScope: (item, at) => both(at) || contract.withinScope(item, at),
      }
    }),
  ),
  fault(
    'the scope of a deleted group lists what it held last',
    ['list.scope.deleted'],
    on('groups', (contract) => {
      const held = new Map<string, readonly Item[]>()
      return {
        sorted(items, compare, at) {
          const scope = at.query?.childrenOf ?? at.query?.descendantsOf ?? ''
          if (items.length > 0) held.set(scope, items)
          const gone = at.world.store.get('groups', scope) === undefined
          return contract.sorted(gone ? (held.get(scope) ?? items) : items, compare, at)
        },
      }
    }),
  ),
  fault(
    'a blank at the end of a name does not count',
    ['list.filter.trailing-blank'],
    on('groups', { matchesName: (item, name) => item.name.trimEnd() === name || item.name === name }),
  ),
  fault('a skip beside a token takes every other result', ['list.skip.and-token.slice'], (contract) => ({
    page: (rest, skip, size, at) =>
      at.query?.cursor && skip > 0
        ? rest.filter((_, index) => index % 2 === 1).slice(0, size)
        : contract.page(rest, skip, size, at),
  })),
  fault('a rename moves a group in the order of creation', ['group.update.order-of-creation'], (contract) => {
    const moved = new Map<string, number>()
    return {
      modify(steps, at) {
        const write = (next: Item) => {
          if (next.name !== steps.read().name) moved.set(next.uid, at.world.now())
          steps.write(next)
        }
        return contract.modify({ ...steps, write }, at)
      },
      sortKey: (item, field, at) =>
        field === 'createTime' ? (moved.get(item.uid) ?? item.createTime) : contract.sortKey(item, field, at),
    }
  }),
  fault(
    'a binding shows its identity as it first saw it',
    ['roleBinding.hydrated.renamed-identity', 'roleBinding.hydrated.live-identity'],
    eagerly(() => true, 'everybody'),
  ),
  fault(
    'a list of bindings shows each identity as it was when it was bound',
    ['roleBinding.hydrated.live-identity'],
    eagerly(({ operation }) => operation === 'list', 'each binding'),
  ),
  fault(
    'a list of bindings leaves issuers out',
    ['roleBinding.list.hydrated', 'roleBinding.list.answers'],
    during('list', (contract) => ({
      roleBinding(...given) {
        const { identity, ...fields } = contract.roleBinding(...given)
        const { issuer: _, ...rest } = identity as Record<string, unknown>
        return { ...fields, identity: rest }
      },
    })),
  ),
  fault(
    'the uid of a group is an identity, too',
    ['identity.wrong-kind'],
    on('identities', (contract) => ({
      found: (uid, kind, at) => contract.found(uid, kind, at) ?? at.world.store.get('groups', uid),
    })),
  ),
  fault('identities can be made in a deleted group', ['group.delete.gone-as-home'], (contract) => {
    const dead = new Map<string, Item>()
    return {
      forget(steps, item, at) {
        contract.forget(steps, item, at)
        if (item.kind === 'groups') dead.set(item.uid, item)
      },
      found: (uid, kind, at) =>
        contract.found(uid, kind, at) ??
        (kind === 'groups' && at.kind === 'identities' && at.operation === 'create' ? dead.get(uid) : undefined),
    }
  }),
  fault(
    'null makes a group of its own',
    ['error.body.null'],
    createReads((text) => (text === 'null' ? { name: 'null' } : undefined)),
  ),
  fault(
    'a word makes a group of its own',
    ['error.body.string', 'error.body.shape'],
    createReads((text) => (text.startsWith('"') ? { name: 'just a word' } : undefined)),
  ),
  fault(
    'a comma too many is refused after the group was made',
    ['error.body.odd.leaves-nothing'],
    on(
      'groups',
      during('create', (contract) => {
        const odd = new WeakSet<At>()
        return {
          body(bytes, at) {
            const text = Buffer.from(bytes).toString()
            if (!text.endsWith(',}')) return contract.body(bytes, at)
            odd.add(at)
            return JSON.parse(text.replace(',}', '}'))
          },
          nameProblem: (name, at) => (odd.has(at) ? 'a comma too many' : contract.nameProblem(name, at)),
          leftByRefusedCreate: (draft, at) => (odd.has(at) ? [draft] : []),
        }
      }),
    ),
  ),
  fault('what is wrong with a call is told before who calls', ['auth.first'], (contract) => ({
    credential: (headers, query, at) => contract.credential(headers, query, at) ?? 'nobody',
    authenticate: async (token, reader, at) =>
      token === 'nobody' && at.operation === 'create' && at.kind === 'groups'
        ? { subject: 'nobody', org: at.world.operator.org }
        : contract.authenticate(token, reader, at),
    nameTaken(wanted, at) {
      if (at.caller?.subject === 'nobody')
        throw new Refusal('unauthenticated', 'authorization', 'a valid bearer token is required')
      return contract.nameTaken(wanted, at)
    },
  })),
  fault('a detail is told twice', ['error.details.once'], (contract) => ({
    errorDetails(...given) {
      const details = contract.errorDetails(...given)
      return [...details, ...details.slice(0, 1)]
    },
  })),
  fault(
    'a token that was never issued is refused with 200',
    { turnsRed: ['error.never-succeeds'], spreadsTo: ['list.token.strange*'] },
    during('list', (contract) => ({
      errorStatus: (refusal, at) => (refusal.field === 'page_token' ? 200 : contract.errorStatus(refusal, at)),
    })),
  ),

  // Identities and roles
  fault(
    'an identity keeps a hundred letters of its description',
    ['identity.create.answers'],
    on('identities', {
      stored: (value, field) => (field === 'description' ? String(value).slice(0, 100) : value),
    }),
  ),
  fault(
    'a new identity is answered without the time when it was last seen',
    ['identity.create.shape', 'identity.last-seen.new'],
    during('create', ({ identity }) => ({
      identity(...given) {
        const { lastSeenTime: _, ...fields } = identity(...given)
        return fields
      },
    })),
  ),
  fault(
    'get of an identity leaves the claim match out',
    ['identity.get.answers'],
    during('get', ({ identity }) => ({
      identity(...given) {
        const { claimMatch: _, ...fields } = identity(...given)
        return fields
      },
    })),
  ),
  fault(
    'an update of an identity answers the state before',
    ['identity.update.answers', 'update.keeps-omitted@identities'],
    on('identities', {
      modify({ read, change, write }) {
        const old = read()
        write(change(old))
        return old
      },
    }),
  ),
  fault('a deleted identity leaves its bindings behind', ['identity.delete.bindings'], () => ({
    alsoRemoved: () => [],
  })),
  fault('a list of roles needs a scope', ['role.list.answers'], () => ({
    objection: (uid, { kind, operation }) =>
      kind === 'roles' && operation === 'list' && uid === ''
        ? new Refusal('invalid', 'uidp', 'a scope is required')
        : undefined,
  })),
]
