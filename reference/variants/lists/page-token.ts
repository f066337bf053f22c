import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { At, Cursor } from '../../domain/at.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Variant, variant } from '../../fault.ts'
import { type Replacement, withRequest } from '../../replace.ts'

const minute = 60_000

const threeDays = 72 * 60 * minute

/** Tokens that name a cursor which the server stores. */
const storedCursors =
  (name: (count: number) => string): Replacement =>
  () => {
    const cursors = new Map<string, Cursor>()
    return {
      encodeToken(cursor) {
        const token = name(cursors.size)
        cursors.set(token, cursor)
        return token
      },
      decodeToken: (token) => cursors.get(token),
    }
  }

const oddCharacters = '+/=%&#? ;:"\'<>\\ü🙂'

/** Lawful page tokens. */
export const listPageTokenVariants: readonly Variant[] = [
  variant('a full last page has a token', () => ({ more: (_left, shown, size) => shown === size }), [
    'list.token.full-last-page',
  ]),
  variant('a token that was never issued starts over', () => ({ badTokenRestarts: () => true })),
  variant(
    'tokens are numbers',
    storedCursors((count) => String(count + 1)),
  ),
  variant(
    'tokens are long and full of odd characters',
    storedCursors((count) => `${count}${oddCharacters.repeat(120)}`),
  ),
  variant(
    'a walk has one token on all its pages',
    (contract) => {
      const cursors = new Map<string, Cursor>()
      return {
        encodeToken(cursor, at) {
          const token = String(at.query?.cursor?.walk ?? `walk ${cursors.size}`)
          // it is as old as its walk
          cursors.set(token, { ...cursor, walk: token, issued: at.query?.cursor?.issued ?? cursor.issued })
          return token
        },
        decodeToken: (token) => cursors.get(token),
        cursorFits: (...given) => contract.cursorFits(...given),
      }
    },
    ['list.token.twice', 'list.token.twice@identities', 'list.token.twice@roleBindings'],
  ),
  variant(
    'a token keeps the order and the name of its first page',
    (contract) => ({
      order: (asked, cursor, at) =>
        cursor ? { field: cursor.field, descending: cursor.descending } : contract.order(asked, cursor, at),
      cursor: (last, key, order, skipped, now, at) => ({
        ...contract.cursor(last, key, order, skipped, now, at),
        name: at.query?.cursor ? at.query.cursor.name : at.query?.name,
      }),
      matchesName: (item, name, at) =>
        at.query?.cursor
          ? at.query.cursor.name === undefined || contract.matchesName(item, String(at.query.cursor.name), at)
          : contract.matchesName(item, name, at),
    }),
    ['list.token.other-filter'],
  ),
  variant('page tokens are UUIDs, in whichever case', () => {
    const cursors = new Map<string, Cursor>()
    return {
      encodeToken(cursor) {
        const token = randomUUID()
        cursors.set(token, cursor)
        return token
      },
      decodeToken: (token) => cursors.get(token.toLowerCase()),
    }
  }),
  variant('a token works once', () => {
    const cursors = new Map<string, Cursor>()
    return {
      encodeToken(cursor) {
        const token = randomBytes(12).toString('hex')
        cursors.set(token, cursor)
        return token
      },
      decodeToken(token) {
        const cursor = cursors.get(token)
        cursors.delete(token)
        return cursor
      },
    }
  }, ['list.token.twice', 'list.token.twice@identities', 'list.token.twice@roleBindings']),
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
  variant(
    'page tokens count how many results were shown',
    (contract) => ({
      cursor(...given) {
        const { cursor, skip = 0, size = 0 } = given[5].query ?? {}
        return { ...contract.cursor(...given), shown: Number(cursor?.shown ?? 0) + skip + size }
      },
      rest: (sorted, _place, { shown }) => sorted.slice(Number(shown)),
    }),
    [
      ...['group', 'identity', 'roleBinding'].map((kind) => `model.${kind}.walk`),
      ...['insert', 'delete', 'rename', 'touch'].flatMap((change) => [
        `list.walk.while-others.${change}`,
        `list.walk.while-others.${change}@identities`,
      ]),
      ...[
        'insert@roleBindings',
        ...['roleBindings', 'identityProviders', 'accountAssociations', 'groupInvites'].map((kind) => `delete@${kind}`),
      ].map((change) => `list.walk.while-others.${change}`),
    ],
    'may warn',
  ),
  variant(
    'page tokens have nine kilobytes, are different every time, and go in the address all the same',
    (contract) => ({
      encodeToken: (cursor, at) => `${contract.encodeToken(cursor, at)}~${randomBytes(4_500).toString('hex')}`,
      decodeToken(token, at) {
        const [, inside] = /^(.*)~[0-9a-f]{9000}$/.exec(token) ?? []
        return inside === undefined ? undefined : contract.decodeToken(inside, at)
      },
    }),
  ),
  variant('page tokens keep the size of their first page', (contract) => ({
    pageSize: (asked, cursor, at) => (cursor ? Number(cursor.size) : contract.pageSize(asked, cursor, at)),
    cursor: (last, key, order, skipped, now, at) => ({
      ...contract.cursor(last, key, order, skipped, now, at),
      size: at.query?.size,
    }),
  })),
  variant('page tokens are as old as the minute that they are issued in', () => ({
    expired: (issued, now) => now - Math.floor(issued / minute) * minute > threeDays,
  })),
  variant('page tokens live to the end of the minute', () => ({
    expired: (issued, now) => now - Math.ceil(issued / minute) * minute > threeDays,
  })),
  variant('a page token goes on under its own parameters alone', (contract) => {
    const asked = (at: At) => {
      const { childrenOf, descendantsOf, name, size } = at.query ?? {}
      return JSON.stringify([at.kind, childrenOf, descendantsOf, name, size])
    }
    return {
      cursor: (last, key, order, skipped, now, at) => ({
        ...contract.cursor(last, key, order, skipped, now, at),
        asked: asked(at),
      }),
      rest(sorted, place, cursor, at) {
        if (cursor.asked !== asked(at)) throw new Refusal('invalid', 'page_token', 'it is of another list')
        return contract.rest(sorted, place, cursor, at)
      },
    }
  }),
  variant('page tokens are signed, in three parts with dots', (contract) => {
    const key = randomBytes(32)
    const signed = (text: string) => `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
    return {
      encodeToken: (cursor, at) => signed(`eyJhbGciOiJIUzI1NiJ9.${contract.encodeToken(cursor, at)}`),
      decodeToken(token, at) {
        const [head, body = ''] = token.split('.')
        return signed(`${head}.${body}`) === token ? contract.decodeToken(body, at) : undefined
      },
    }
  }),
]
