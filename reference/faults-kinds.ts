import type { Item } from './domain/item.ts'
import type { At } from './domain/world.ts'
import { during, type Fault, fault, fromPage, on, type Replacement } from './replace.ts'

/** Operations that ask nobody for a token. */
const open: Replacement = () => ({ needsToken: () => false })

/** Scopes that are read another way, over every item of the service. */
const within =
  (holds: (item: Item, at: At) => boolean): Replacement =>
  (contract) => ({
    candidates: (at) => (at.kind === 'none' ? [] : at.world.store.all(at.kind)),
    withinScope: (item, at) => (at.query === undefined ? contract.withinScope(item, at) : holds(item, at)),
  })

const scopeOf = ({ query }: At) => query?.childrenOf ?? query?.descendantsOf ?? ''

/** What stands behind a cursor by its key alone: of equal keys the rest is lost. */
const byKeyAlone: Replacement = () => ({
  rest: (sorted, place) => sorted.filter((item) => place(item).byKey > 0),
})

/** A cursor that counts items instead of standing at one. */
const counting: Replacement = (contract) => ({
  cursor: (last, key, order, skipped, now, at) => ({
    ...contract.cursor(last, key, order, skipped, now, at),
    offset: Number(at.query?.cursor?.offset ?? 0) + (at.query?.skip ?? 0) + (at.query?.size ?? 0),
  }),
  rest: (sorted, _place, cursor) => sorted.slice(Number(cursor.offset)),
})

/** Whoever brings any token is the operator. */
const believing: Replacement = (contract) => ({
  authenticate: async (token, reader, at) => (await contract.authenticate(token, reader, at)) ?? at.world.operator,
})

/** What nobody copied the fix to: bugs in one kind's handler that the others do not have. */
export const faultsOfKinds: readonly Fault[] = [
  // Lists
  fault(
    'a list of repos forgets its filter on page three',
    ['list.walk.filter@repos'],
    on('repos', fromPage(3, { matchesName: () => true })),
  ),
  fault(
    'repos of one name are lost between two pages',
    { turnsRed: ['list.walk.complete@repos'], spreadsTo: ['list.walk.*@repos'] },
    on('repos', byKeyAlone),
  ),
  fault(
    'tags of one name are lost between two pages',
    ['list.walk.complete@tags', 'list.walk.interleaved@tags'],
    on('tags', byKeyAlone),
  ),
  fault(
    'a page of repos holds a hundred where no size is asked',
    ['list.page-size.default@repos'],
    on('repos', (contract) => ({
      pageSize: (asked, cursor, at) => (asked === 0 ? 100 : contract.pageSize(asked, cursor, at)),
    })),
  ),
  fault(
    'a page of tags holds twenty where no size is asked',
    ['list.page-size.default@tags'],
    on('tags', (contract) => ({
      pageSize: (asked, cursor, at) => (asked === 0 ? 20 : contract.pageSize(asked, cursor, at)),
    })),
  ),
  fault(
    'a page of repos holds as many as are asked for',
    ['list.page-size.maximum@repos'],
    on('repos', { pageSize: (asked) => (asked === 0 ? 50 : asked) }),
  ),
  fault(
    'pages of advisories are numbered, whatever their size',
    ['list.walk.other-page-size@advisories'],
    on('advisories', {
      rest: (sorted, _place, cursor, at) => sorted.slice(cursor.page * (at.query?.size ?? 0)),
    }),
  ),
  fault(
    'the last page of tags has a token as well',
    ['list.token.last-page@tags', 'list.page-size.exact@tags', 'list.walk.other-page-size@tags'],
    on('tags', { more: (_left, shown) => shown > 0 }),
  ),
  fault(
    'identity providers are walked by offset',
    ['list.walk.while-others.delete@identityProviders'],
    on('identityProviders', counting),
  ),
  fault(
    'the total of identity providers is that of the page',
    ['list.total.counts@identityProviders'],
    on('identityProviders', { totalCount: ({ shown }) => String(shown) }),
  ),
  fault(
    'the total of repos is what is left to show',
    ['list.total.counts@repos'],
    on('repos', { totalCount: ({ left, shown }) => String(left + shown) }),
  ),
  fault(
    'the total of tags forgets the filter',
    ['list.total.filtered@tags'],
    on('tags', (contract) => ({
      totalCount: (_counts, at) =>
        String([...contract.candidates(at)].filter((item) => contract.withinScope(item, at)).length),
    })),
  ),
  fault('repos cannot be skipped', ['list.skip.*@repos'], on('repos', { skipApplied: () => 0 })),
  fault(
    'a list of invites does not echo what it skipped',
    ['list.skip.slice@groupInvites'],
    on('groupInvites', { skipped: () => 0 }),
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
    'repos are never listed in descending order',
    ['list.walk.order@repos', 'list.order.name-desc@repos', 'list.order.created_at-desc.times@repos'],
    on('repos', (contract) => ({
      order: (asked, cursor, at) => contract.order(asked?.replace(/ desc$/, ''), cursor, at),
    })),
  ),
  fault(
    'advisories are ordered by their last change',
    [
      'list.walk.order@advisories',
      'list.order.created_at.times@advisories',
      'list.order.created_at-desc.times@advisories',
    ],
    on('advisories', (contract) => ({
      sortKey: (item, field, at) => (field === 'createTime' ? -item.createTime : contract.sortKey(item, field, at)),
    })),
  ),

  // Scopes
  fault(
    'what is below a group of tags is told by the beginning of its uid',
    ['list.scope.descendants.never-issued@tags'],
    on(
      'tags',
      within(({ parent }, { query }) =>
        query?.childrenOf === undefined ? parent.startsWith(query?.descendantsOf ?? '') : parent === query.childrenOf,
      ),
    ),
  ),
  fault(
    'a list of advisories forgets its scope',
    { turnsRed: ['list.scope.descendants@advisories'], spreadsTo: ['list.scope.*@advisories'] },
    on(
      'advisories',
      within(() => true),
    ),
  ),
  fault(
    'a list of advisories forgets its scope from page two on',
    {
      turnsRed: ['list.walk.interleaved@advisories', 'list.token.other-scope@advisories'],
      spreadsTo: ['list.*@advisories'],
    },
    on('advisories', (contract) => ({
      candidates: (at) => (at.page > 1 ? at.world.store.all('advisories') : contract.candidates(at)),
      withinScope: (item, at) => at.page > 1 || contract.withinScope(item, at),
    })),
  ),
  fault(
    'a list of repos forgets its scope from page two on',
    {
      turnsRed: ['list.walk.interleaved@repos', 'list.token.other-scope@repos'],
      spreadsTo: ['list.*@repos'],
    },
    on('repos', (contract) => ({
      candidates: (at) => (at.page > 1 ? at.world.store.all('repos') : contract.candidates(at)),
      withinScope: (item, at) => at.page > 1 || contract.withinScope(item, at),
    })),
  ),
  fault(
    'the repos of another organization are listed as well',
    { turnsRed: ['list.scope.elsewhere@repos'], spreadsTo: ['list.scope.*@repos'] },
    on('repos', (contract) => ({
      candidates: (at) => at.world.store.all('repos'),
      belongs: () => true,
      withinScope: (item, at) => item.org !== at.caller?.org || contract.withinScope(item, at),
    })),
  ),
  fault(
    'the children of a group of repos are all below it',
    ['list.scope.children@repos'],
    on(
      'repos',
      within((item, at) => `${item.parent}/`.startsWith(`${scopeOf(at)}/`)),
    ),
  ),
  fault(
    'the children of a group of invites are all below it',
    ['list.scope.children@groupInvites'],
    on(
      'groupInvites',
      within((item, at) => `${item.parent}/`.startsWith(`${scopeOf(at)}/`)),
    ),
  ),

  // Doors
  fault(
    'advisories are listed without a token',
    ['auth.required.list@advisories'],
    on('advisories', during('list', open)),
  ),
  fault('a tag is got without a token', ['auth.required.get@tags'], on('tags', during('get', open))),
  fault(
    'an invite is made without a token',
    ['auth.required.create@groupInvites'],
    on('groupInvites', during('create', open)),
  ),
  fault(
    'the signature does not matter for repos',
    { turnsRed: ['auth.refuses.garbage@repos'], spreadsTo: ['auth.refuses.*@repos'] },
    on('repos', believing),
  ),
  fault(
    'an account association is deleted with any token',
    {
      turnsRed: ['auth.refuses.garbage@accountAssociations'],
      spreadsTo: ['auth.refuses.*@accountAssociations'],
    },
    on('accountAssociations', during('delete', believing)),
  ),
  fault(
    'a token in the query will do for advisories',
    ['auth.refuses.in-query@advisories'],
    on('advisories', (contract) => ({
      credential: (headers, query, at) =>
        contract.credential(headers, query, at) ?? query.get('access_token') ?? undefined,
    })),
  ),

  // Operations
  fault(
    'Get of a repo tells another name than List',
    ['repo.get.answers'],
    on(
      'repos',
      during('get', (contract) => ({
        repo: (...given) => ({ ...contract.repo(...given), name: 'library' }),
      })),
    ),
  ),
  fault(
    'a repo does not tell when it was made',
    ['repo.list.answers', 'repo.get.answers'],
    on('repos', (contract) => ({
      repo(...given) {
        const { createTime: _, ...fields } = contract.repo(...given)
        return fields
      },
    })),
  ),
  fault(
    'tags have an id and no uid',
    ['tag.list.answers'],
    on('tags', (contract) => ({
      tag(...given) {
        const { uid, ...fields } = contract.tag(...given)
        return { id: uid, ...fields }
      },
    })),
  ),
  fault('a write to repos is taken', ['repo.write.unissued'], (contract) => ({
    transport(request, response, serve, at) {
      if (at.kind !== 'repos' || at.operation !== 'none') return contract.transport(request, response, serve, at)
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      return Promise.resolve()
    },
  })),
  fault(
    'a uid with a digit more finds an advisory',
    ['advisory.get.missing'],
    on('advisories', (contract) => ({
      found: (uid, kind, at) => contract.found(uid, kind, at) ?? contract.found(uid.slice(0, -1), kind, at),
    })),
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
    'an update of an identity makes it anew',
    {
      turnsRed: ['update.mask.name@identities', 'update.mask.description@identities', 'update.immutable@identities'],
      spreadsTo: ['update.*@identities'],
    },
    on('identities', { touched: (_old, _differs, now) => ({ createTime: now, updateTime: now }) }),
  ),
  fault(
    'Get still finds a deleted invite',
    ['groupInvite.delete.gone'],
    on('groupInvites', { forget: ({ unlist }) => unlist() }),
  ),
  fault(
    'a group is deleted with its repos',
    ['group.delete.holds-repos'],
    on('groups', (contract) => ({
      blocksDelete: (item, living, at) =>
        contract.blocksDelete(
          item,
          living.filter((kind) => kind !== 'repos' && kind !== 'advisories'),
          at,
        ),
    })),
  ),
  fault(
    'a provider is made below a group that is not there',
    ['identityProvider.create.missing'],
    during('create', (contract) => ({
      found: (uid, kind, at) =>
        contract.found(uid, kind, at) ??
        (at.kind === 'identityProviders' && kind === 'groups'
          ? contract.found(uid.slice(0, uid.lastIndexOf('/')), kind, at)
          : undefined),
    })),
  ),
]
