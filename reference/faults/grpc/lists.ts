import type { Fields } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, overGrpc, when } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'
import { foundByModel } from '../run/histories.ts'
import { depthBelow } from '../scopes.ts'
import { grpcNearbyFaults } from './nearby.ts'

const anyList = ['grpc.list.*', 'grpc.walk-mixed.*', 'grpc.create.of-http*', 'grpc.delete.of-http*']
/** A fault in lists over gRPC alone. */
const inLists = (name: string, turnsRed: readonly string[], rules: Parameters<typeof overGrpc>[0]) =>
  fault(name, { turnsRed, spreadsTo: anyList }, overGrpc(rules))

/** The largest number that a member of a message can have. */
const most = 2_147_483_647

const scopeOf = ({ uidp }: Fields) => (uidp ?? {}) as { childrenOf?: string; descendantsOf?: string }
const isList: (at: Parameters<Rules['grpcRequest']>[1]) => boolean = ({ operation }) => operation === 'list'

/** Faults in lists that only gRPC shows (S1.5, S4.8 to S4.25). */
export const grpcListFaults: readonly Fault[] = [
  inLists('page_size is ignored over gRPC', ['grpc.list.page-size.asked'], { pageSize: () => 50 }),
  inLists('a page over gRPC holds 20 results unless asked', ['grpc.list.page-size.default'], {
    pageSize: (asked) => (asked === 0 ? 20 : Math.min(asked, 200)),
  }),
  inLists('no page over gRPC holds more than 100 results', ['grpc.list.page-size.most'], {
    pageSize: (asked) => (asked === 0 ? 50 : Math.min(asked, 100)),
  }),
  inLists('pages over gRPC are as large as one asks for', ['grpc.list.page-size.capped'], {
    pageSize: (asked) => (asked === 0 ? 50 : asked),
  }),
  inLists('skip is ignored over gRPC', ['grpc.list.skip'], { skipApplied: () => 0 }),
  inLists('a large skip turns negative over gRPC', ['grpc.list.skip.beyond-end'], (contract) => ({
    skipApplied: (asked, cursor, at) => (asked > most - 200 ? 0 : contract.skipApplied(asked, cursor, at)),
  })),
  inLists('the largest page_size turns negative over gRPC', ['grpc.list.page-size.largest'], (contract) => ({
    pageSize: (asked, cursor, at) => (asked === most ? 1_000 : contract.pageSize(asked, cursor, at)),
  })),
  inLists('the total of nothing is missing over gRPC', ['grpc.list.empty.total'], {
    grpcMessage: ({ totalCount, ...message }) => (totalCount === '0' ? message : { ...message, totalCount }),
  }),
  inLists('skip is not echoed over gRPC', ['grpc.list.skip'], { skipped: () => 0 }),
  inLists('order_by is ignored over gRPC', ['grpc.list.order.name', 'grpc.list.order.name-desc'], {
    order: () => ({ field: 'uid', descending: false }),
  }),
  inLists('desc is ignored over gRPC', ['grpc.list.order.name-desc', 'grpc.list.order.created'], (contract) => ({
    order(asked, cursor, at) {
      const order = contract.order(asked, cursor, at)
      return order && { ...order, descending: false }
    },
  })),
  inLists('names are ordered by their last letter over gRPC', ['grpc.list.order.name', 'grpc.list.walk.order'], {
    sortKey: (item, field) =>
      field === 'createTime' || field === 'updateTime'
        ? item[field]
        : field === 'name'
          ? [...item.name].reverse().join('')
          : item.uid,
  }),
  inLists('the name filter is ignored over gRPC', ['grpc.list.filter', 'grpc.list.empty'], { matchesName: () => true }),
  inLists('a name filter over gRPC drops the scope', ['grpc.list.filter.below'], (contract) => ({
    matchesName: (item, name, at) =>
      contract.matchesName(item, name, at) && item.parent === (at.query?.descendantsOf ?? item.parent),
  })),
  inLists('children_of over gRPC lists every depth', ['grpc.list.scope.children'], {
    grpcRequest: (request) =>
      scopeOf(request).childrenOf ? { ...request, uidp: { descendantsOf: scopeOf(request).childrenOf } } : request,
  }),
  inLists('descendants_of over gRPC lists children alone', ['grpc.list.scope.descendants'], {
    grpcRequest: (request) =>
      scopeOf(request).descendantsOf ? { ...request, uidp: { childrenOf: scopeOf(request).descendantsOf } } : request,
  }),
  fault(
    'a list over gRPC shows the whole organization',
    { turnsRed: ['grpc.list.total', 'grpc.list.scope.descendants'], spreadsTo: ['grpc.*'] },
    overGrpc({ grpcRequest: (request, at) => (isList(at) ? { ...request, uidp: undefined } : request) }),
  ),
  inLists('the total over gRPC counts the page alone', ['grpc.list.walk.complete'], {
    totalCount: ({ shown }) => String(shown),
  }),
  inLists('the total over gRPC has seven bits', ['grpc.list.walk.complete'], {
    totalCount: ({ matches }) => String(matches % 128),
  }),
  inLists('the total is missing over gRPC', ['grpc.list.total'], {
    grpcMessage: ({ totalCount: _, ...message }) => message,
  }),
  inLists('the total of repos over gRPC is one too many', ['grpc.list.total@repos'], (contract) => ({
    totalCount: (counts, at) => (at.kind === 'repos' ? String(counts.matches + 1) : contract.totalCount(counts, at)),
  })),
  inLists('the total of identities over gRPC is one too many', ['grpc.list.total@identities'], (contract) => ({
    totalCount: (counts, at) =>
      at.kind === 'identities' ? String(counts.matches + 1) : contract.totalCount(counts, at),
  })),
  inLists('the total of roles over gRPC is one too many', ['grpc.list.total@roles'], (contract) => ({
    totalCount: (counts, at) => (at.kind === 'roles' ? String(counts.matches + 1) : contract.totalCount(counts, at)),
  })),
  inLists(
    'a walk over gRPC loses a result at every page',
    ['grpc.list.walk.complete', 'grpc.list.same'],
    (contract) => ({
      rest: (sorted, place, cursor, at) => contract.rest(sorted, place, cursor, at).slice(1),
    }),
  ),
  inLists('a walk over gRPC ends after two pages', ['grpc.list.same'], (contract) => ({
    more: (left, shown, size, at) => at.page < 2 && contract.more(left, shown, size, at),
  })),
  inLists('a walk over gRPC begins again on its fourth page', ['grpc.list.walk.complete'], (contract) => ({
    rest: (sorted, place, cursor, at) => (at.page === 4 ? sorted : contract.rest(sorted, place, cursor, at)),
  })),
  inLists('page tokens of HTTP are not known to gRPC', ['grpc.walk-mixed.*'], (contract) => ({
    encodeToken: (cursor, at) => `g${contract.encodeToken(cursor, at)}`,
    decodeToken: (token, at) => (token.startsWith('g') ? contract.decodeToken(token.slice(1), at) : undefined),
  })),
  inLists('a list of nothing over gRPC has a token', ['grpc.list.empty'], {
    grpcMessage: (message, { kind, operation }) =>
      operation === 'list' && (message[kind] as unknown[]).length === 0
        ? { ...message, nextPageToken: 'more' }
        : message,
  }),
  inLists('repos are not listed over gRPC', ['grpc.list.same@repos'], (contract) => ({
    candidates: (at) => (at.kind === 'repos' ? [] : contract.candidates(at)),
  })),
  inLists('identities of child groups are not listed over gRPC', ['grpc.list.same@identities'], (contract) => ({
    withinScope: (item, at) =>
      contract.withinScope(item, at) &&
      (at.kind !== 'identities' || item.parent === (at.query?.childrenOf ?? at.query?.descendantsOf)),
  })),
  inLists('the first role is not listed over gRPC', ['grpc.list.same@roles'], (contract) => ({
    sorted: (items, compare, at) => contract.sorted(items, compare, at).slice(at.kind === 'roles' ? 1 : 0),
  })),
  fault(
    'over gRPC a list of identities by age skips nothing',
    foundByModel,
    overGrpc(
      on('identities', (contract) => ({
        skipApplied: (skip, cursor, at) =>
          at.query?.order.field === 'createTime' ? 0 : contract.skipApplied(skip, cursor, at),
      })),
    ),
  ),
  fault(
    'over gRPC groups of one name cannot be skipped',
    foundByModel,
    overGrpc(
      on(
        'groups',
        when(({ query }) => query?.name !== undefined, { skipApplied: () => 0 }),
      ),
    ),
  ),
  fault(
    'over gRPC a walk of groups that began with a skip goes on as if there had been none',
    foundByModel,
    overGrpc(
      on('groups', (contract) => ({
        rest: (sorted, place, cursor, at) =>
          cursor.skipped > 0
            ? sorted.slice(cursor.page * (at.query?.size ?? 0))
            : contract.rest(sorted, place, cursor, at),
      })),
    ),
  ),
  fault(
    'over gRPC what is more than ten levels below a group is not listed',
    foundByModel,
    overGrpc((contract) => ({
      withinScope(item, at) {
        const root = at.query?.descendantsOf
        return contract.withinScope(item, at) && (root === undefined || depthBelow(item, root) <= 10)
      },
    })),
  ),
  fault(
    'over gRPC a list of role bindings reads its first hundred identities',
    foundByModel,
    overGrpc(
      on('roleBindings', (contract) => ({
        listBody(parts, at) {
          const unread = (item: Fields) => ({ ...item, identity: { uid: (item.identity as Fields | undefined)?.uid } })
          const items = parts.items.map((item, index) => (index < 100 ? item : unread(item)))
          return contract.listBody({ ...parts, items }, at)
        },
      })),
    ),
  ),
  ...grpcNearbyFaults,
]
