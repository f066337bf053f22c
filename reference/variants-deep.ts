import type { Item } from './domain/item.ts'
import { Refusal } from './domain/refusal.ts'
import type { Cursor } from './domain/world.ts'
import { on, type Replacement, type Variant, variant, withRequest } from './replace.ts'

/** A walk shows what there was when it began; what is deleted meanwhile stays in it, or falls out of its pages. */
const snapshots =
  (shows: 'as it was' | 'as it is'): Replacement =>
  (contract) => {
    const walks = new Map<string, readonly Item[]>()
    return {
      cursor(last, key, order, skipped, now, at) {
        const walk = String(at.query?.cursor?.walk ?? `walk ${walks.size - 1}`)
        return { ...contract.cursor(last, key, order, skipped, now, at), walk }
      },
      sorted(items, compare, at) {
        const sorted = contract.sorted(items, compare, at)
        const walk = at.query?.cursor?.walk
        if (walk === undefined) walks.set(`walk ${walks.size}`, sorted)
        return sorted
      },
      rest(sorted, _place, cursor: Cursor, at) {
        const whole = walks.get(String(cursor.walk)) ?? sorted
        const fits = (item: Item) =>
          contract.withinScope(item, at) &&
          (at.query?.name === undefined || contract.matchesName(item, at.query.name, at))
        const after = whole.slice(whole.findIndex(({ uid }) => uid === cursor.uid) + 1)
        if (shows === 'as it was') return after.filter(fits)
        return after.flatMap((old) => sorted.find(({ uid }) => uid === old.uid) ?? [])
      },
    }
  }

/** Lawful servers that the deep checks must spare. */
export const variantsOfTheDeep: readonly Variant[] = [
  variant('a walk shows what there was when it began', snapshots('as it was')),
  variant('a walk shows what there was when it began and still is', snapshots('as it is')),
  variant('a skip beside a token counts from the beginning', (contract) => ({
    rest: (sorted, place, cursor, at) => (at.query?.skip ? sorted : contract.rest(sorted, place, cursor, at)),
  })),
  variant('a skip beside a token is refused', (contract) => ({
    skipApplied(skip, cursor, at) {
      if (cursor && skip > 0) throw new Refusal('invalid', 'skip', 'a walk that goes on skips nothing')
      return contract.skipApplied(skip, cursor, at)
    },
  })),
  variant('of two scopes that of the children counts', (contract) => ({
    withinScope: (item, at) =>
      at.query?.childrenOf === undefined
        ? contract.withinScope(item, at)
        : item.kind === 'roles' || item.parent === at.query.childrenOf,
  })),
  variant(
    'a parameter that nobody knows is refused',
    withRequest((request, contract) => ({
      order(asked, cursor, at) {
        const known = /^(uidp\.(descendants|children)_of|name|page_size|page_token|order_by|skip)$/
        const sent = new URL(request().url ?? '', 'http://reference.test').searchParams
        const unknown = [...sent.keys()].find((name) => !known.test(name))
        if (unknown) throw new Refusal('invalid', unknown, 'there is no such parameter')
        return contract.order(asked, cursor, at)
      },
    })),
  ),
  variant('an identity that is bound cannot be deleted', (contract) => ({
    blocksDelete: (item, living, at) =>
      item.kind === 'identities'
        ? at.world.store.bindingsOf(item.uid).length > 0
        : contract.blocksDelete(item, living, at),
  })),
  variant(
    'roles have no scope',
    on('roles', {
      objection: (uid, { operation }) =>
        operation === 'list' && uid !== '' ? new Refusal('invalid', 'uidp', 'roles live in no group') : undefined,
    }),
  ),
  variant(
    'a body that is not said to be JSON is none',
    withRequest((request, contract) => ({
      body: (bytes, at) =>
        bytes.length === 0 || /^application\/json\b/i.test(request().headers['content-type'] ?? '')
          ? contract.body(bytes, at)
          : undefined,
    })),
  ),
  variant('a body that begins with a byte order mark is refused', (contract) => ({
    body: (bytes, at) => (bytes[0] === 0xef ? undefined : contract.body(bytes, at)),
  })),
  variant('there is no HEAD', (contract) => ({
    async transport(request, response, serve, at) {
      if (request.method !== 'HEAD') return contract.transport(request, response, serve, at)
      response.writeHead(405, { allow: 'GET' }).end()
    },
  })),
  variant('a uid in a path may be in capitals and between blanks', (contract) => ({
    pathUid: (raw, at) => contract.pathUid(raw, at)?.toLowerCase().trim(),
  })),
  variant(
    'an empty page token is refused',
    withRequest((request, contract) => ({
      order(asked, cursor, at) {
        if (/[?&]page_token=(&|$)/.test(request().url ?? ''))
          throw new Refusal('invalid', 'page_token', 'this is no token of this list')
        return contract.order(asked, cursor, at)
      },
    })),
    ['list.token.empty'],
  ),
  variant('what stands behind a body is not read', (contract) => ({
    body(bytes, at) {
      const text = new TextDecoder().decode(bytes)
      try {
        return contract.body(bytes, at) ?? JSON.parse(text.slice(0, text.indexOf('}') + 1))
      } catch {
        return undefined
      }
    },
  })),
]
