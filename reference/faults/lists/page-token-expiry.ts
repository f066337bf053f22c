import type { At, Cursor } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, type Replacement, when } from '../../replace.ts'
import { day, hour } from '../durations.ts'
import { foundByModel } from '../run/histories.ts'
import { startingOver } from './starting-over.ts'

/** Page tokens of which some live for an age of their own, in milliseconds. */
const livingFor =
  (age: number, isOne: (cursor: Cursor) => boolean): Replacement =>
  (contract) => {
    const cursors = new WeakMap<At, Cursor>()
    return {
      decodeToken(token, at) {
        const cursor = contract.decodeToken(token, at)
        if (cursor) cursors.set(at, cursor)
        return cursor
      },
      expired(issued, now, at) {
        const cursor = cursors.get(at)
        return cursor && isOne(cursor) ? now - issued > age : contract.expired(issued, now, at)
      },
    }
  }

const isByName = ({ field }: Cursor) => field === 'name'

/** Faults in page tokens as days pass (S8.3). */
export const listPageTokenExpiryFaults: readonly Fault[] = [
  fault(
    'page tokens of roles live for a day',
    ['list.token.lives@roles'],
    on('roles', { expired: (issued, now) => now - issued > day }),
  ),
  fault(
    'page tokens of repos live for an hour',
    foundByModel,
    on('repos', { expired: (issued, now) => now - issued > hour }),
  ),
  fault(
    'page tokens of tags and advisories live for two days',
    foundByModel,
    when(({ kind }) => kind === 'tags' || kind === 'advisories', { expired: (issued, now) => now - issued > 2 * day }),
  ),
  fault(
    'page tokens of identity providers live for a day',
    foundByModel,
    on('identityProviders', { expired: (issued, now) => now - issued > day }),
  ),
  fault('page tokens live for a day', ['list.token.lives*'], () => ({
    expired: (issued, now) => now - issued > day,
  })),
  fault('a page token is as old as its walk', ['list.token.lives*'], (contract) => ({
    cursor: (last, key, order, skipped, now, at) =>
      contract.cursor(last, key, order, skipped, at.query?.cursor?.issued ?? now, at),
  })),
  fault('every use gives a page token another three days', ['list.token.after-use*'], (contract) => {
    const used = new Map<string, number>()
    return {
      decodeToken(token, at) {
        const cursor = contract.decodeToken(token, at)
        if (!cursor) return cursor
        const issued = Math.max(cursor.issued, used.get(token) ?? 0)
        if (at.world.now() - issued <= 3 * day) used.set(token, at.world.now())
        return { ...cursor, issued }
      },
    }
  }),
  fault(
    'page tokens of identities never grow old',
    ['list.token.restarts@identities'],
    on('identities', { expired: () => false }),
  ),
  fault(
    'a list that starts over forgets its scope',
    ['list.token.restarts', 'list.token.restarts.*', 'list.token.restarts@*'],
    startingOver({
      candidates: (at) => (at.kind === 'none' ? [] : at.world.store.all(at.kind)),
      withinScope: () => true,
    }),
  ),
  fault('an old page token is an error', ['list.token.restarts*'], (contract) => ({
    expired(issued, now, at) {
      if (contract.expired(issued, now, at)) throw new Refusal('invalid', 'page_token', 'it is too old')
      return false
    },
  })),
  fault(
    'page tokens of later pages never grow old',
    { turnsRed: ['model.*.token'], spreadsTo: ['model.*'] },
    livingFor(Number.POSITIVE_INFINITY, ({ page }) => page > 1),
  ),
  fault(
    'the tokens of a list that began again are as old as the one that ended',
    { turnsRed: ['model.*.token'], spreadsTo: ['model.*'] },
    (contract) => {
      let since: number | undefined
      return {
        expired(issued, now, at) {
          const is = contract.expired(issued, now, at)
          since = is ? issued : undefined
          return is
        },
        cursor: (last, key, order, skipped, now, at) => contract.cursor(last, key, order, skipped, since ?? now, at),
        listBody(parts, at) {
          since = undefined
          return contract.listBody(parts, at)
        },
      }
    },
  ),
  fault(
    'a page token that is a week old is refused',
    { turnsRed: ['model.role.answer'], spreadsTo: ['model.*'] },
    (contract) => ({
      expired(issued, now, at) {
        if (now - issued > 7 * day) throw new Refusal('invalid', 'page_token', 'this is no token of this list')
        return contract.expired(issued, now, at)
      },
    }),
  ),
  fault('page tokens never grow old', ['list.token.restarts*'], () => ({ expired: () => false })),
  fault(
    'a list that starts over skips its first page',
    ['list.token.restarts*'],
    startingOver((contract) => ({
      page: (rest, skip, size, at) => contract.page(rest.slice(size), skip, size, at),
    })),
  ),
  fault('a list that starts over is empty', ['list.token.restarts*'], startingOver({ page: () => [] })),
  fault(
    'a list that starts over forgets its filter',
    ['list.token.restarts.filtered'],
    startingOver({ matchesName: () => true }),
  ),
  fault(
    'a list that starts over forgets its order',
    ['list.token.restarts.ordered'],
    startingOver((contract) => ({ order: (_asked, cursor, at) => contract.order(undefined, cursor, at) })),
  ),
  fault(
    'a token of identities by age is refused when it is over',
    foundByModel,
    on('identities', (contract) => ({
      decodeToken(token, at) {
        const cursor = contract.decodeToken(token, at)
        const isOver = cursor && contract.expired(cursor.issued, at.world.now(), at)
        return isOver && cursor.field === 'createTime' ? undefined : cursor
      },
    })),
  ),
  fault('a page token after a skip lives for an hour', foundByModel, (contract) => ({
    cursor: (last, key, order, skipped, now, at) =>
      contract.cursor(last, key, order, skipped, skipped > 0 ? now - 3 * day + hour : now, at),
  })),
  fault(
    'a list of one name in order of creation that starts over forgets the name',
    foundByModel,
    on('groups', startingOver(when(({ query }) => query?.order.field === 'createTime', { matchesName: () => true }))),
  ),
  fault(
    'a list of groups that starts over shows them as they were when its token was issued',
    foundByModel,
    on('groups', (contract) => {
      const snapshots: (readonly Item[])[] = []
      let listed: readonly Item[] = []
      return {
        sorted(items, compare, at) {
          const sorted = contract.sorted(items, compare, at)
          listed = sorted
          return sorted
        },
        cursor: (...given) => ({ ...contract.cursor(...given), snapshot: snapshots.push(listed) - 1 }),
        ...startingOver((_contract, ended) => ({
          group(item, time, at) {
            const then = snapshots[Number(ended().snapshot)] ?? []
            return contract.group(then.find(({ uid }) => uid === item.uid) ?? item, time, at)
          },
        }))(contract),
      }
    }),
  ),
  fault(
    'page tokens of repos in the order of names live for a day',
    foundByModel,
    on('repos', livingFor(day, isByName)),
  ),
  fault(
    'page tokens of repos in the order of names never grow old',
    foundByModel,
    on('repos', livingFor(Number.POSITIVE_INFINITY, isByName)),
  ),
  fault(
    'page tokens of role bindings with the newest first live for a day',
    foundByModel,
    on(
      'roleBindings',
      livingFor(day, ({ field, descending }) => field === 'createTime' && descending),
    ),
  ),
]
