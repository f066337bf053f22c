import type { At } from '../../domain/at.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, withRequest } from '../../replace.ts'
import { findsAtMost } from '../lists/filter.ts'

const segments = (uid: string) => uid.split('/').length

const names = new WeakMap<object, number>()

/** Faults in lists that are asked for in unusual ways (S4.8, S4.10, S4.14, S4.21). */
export const unusualListFaults: readonly Fault[] = [
  fault(
    'among the children of a group a filter in descending order of names skips one too few',
    ['model.*'],
    (contract) => ({
      skipApplied(skip, cursor, at) {
        const { childrenOf, name, order } = at.query ?? {}
        const hit =
          at.kind === 'groups' && childrenOf && name && order?.field === 'name' && order.descending && skip > 0
        return contract.skipApplied(hit ? skip - 1 : skip, cursor, at)
      },
    }),
  ),
  fault(
    'newest first a page may hold a thousand',
    ['model.*'],
    withRequest((request, contract) => ({
      page(rest, skip, size, at) {
        const asked = Number(new URL(request()?.url ?? '/', 'http://x').searchParams.get('page_size') ?? 0)
        const { order } = at.query ?? {}
        const isNewestFirst = at.kind === 'groups' && order?.field === 'createTime' && order.descending
        return contract.page(rest, skip, isNewestFirst && asked > 200 ? Math.min(asked, 1000) : size, at)
      },
    })),
  ),
  fault(
    'of identities no more than a hundred are skipped',
    ['model.*'],
    on('identities', (contract) => ({
      skipApplied: (skip, cursor, at) => Math.min(100, contract.skipApplied(skip, cursor, at)),
    })),
  ),
  fault('a page token by name holds forty letters', ['model.*'], (contract) => ({
    cursor(last, key, order, skipped, now, at) {
      const cut = typeof key === 'string' && order.field === 'name' ? key.slice(0, 40) : key
      return contract.cursor(last, cut, order, skipped, now, at)
    },
  })),
  fault(
    'a page token of identities by name holds Latin letters',
    ['model.*'],
    on('identities', (contract) => ({
      cursor(last, key, order, skipped, now, at) {
        const latin = typeof key === 'string' && order.field === 'name' ? key.replace(/[^\u0000-\u007f]/g, '?') : key
        return contract.cursor(last, latin, order, skipped, now, at)
      },
    })),
  ),
  fault('a filter by name finds ten at the most', ['model.*'], on('groups', findsAtMost(10))),
  fault(
    'or in a name to filter by is an operator',
    ['model.*'],
    on('groups', (contract) => ({
      matchesName: (item, name, at) => name.split(' or ').some((one) => contract.matchesName(item, one, at)),
    })),
  ),
  fault(
    'a hyphen before a name to filter by excludes it',
    ['model.*'],
    on('groups', (contract) => ({
      matchesName: (item, name, at) =>
        name.length > 1 && name.startsWith('-')
          ? !contract.matchesName(item, name.slice(1), at)
          : contract.matchesName(item, name, at),
    })),
  ),
  fault('a filter in an order knows a group by its first name', ['model.*'], (contract) => {
    const first = new Map<string, string>()
    return {
      keep(item, at) {
        first.set(item.uid, item.name)
        contract.keep(item, at)
      },
      matchesName(item, name, at) {
        const ordered = item.kind === 'groups' && at.query?.order.field === 'name'
        return contract.matchesName(ordered ? { ...item, name: first.get(item.uid) ?? item.name } : item, name, at)
      },
    }
  }),
  fault('beside a skip groups are ordered by their first names', ['model.*'], (contract) => {
    const first = new Map<string, string>()
    return {
      keep(item, at) {
        first.set(item.uid, item.name)
        contract.keep(item, at)
      },
      sortKey: (item, field, at) =>
        contract.sortKey(
          item.kind === 'groups' && (at.query?.skip ?? 0) > 0 && field === 'name'
            ? { ...item, name: first.get(item.uid) ?? item.name }
            : item,
          field,
          at,
        ),
    }
  }),
  fault(
    'below a group a name is looked for among the first three hundred',
    ['model.*'],
    on('groups', (contract) => {
      const seen = new WeakMap<object, number>()
      return {
        matchesName(item, name, at) {
          const count = (seen.get(at.query!) ?? 0) + 1
          seen.set(at.query!, count)
          return count <= 300 && contract.matchesName(item, name, at)
        },
      }
    }),
  ),
  fault('no more than eighteen levels of groups are listed', ['model.*'], (contract) => ({
    withinScope: (item, at) =>
      contract.withinScope(item, at) && !(at.query?.descendantsOf !== undefined && segments(item.uid) > 18),
  })),
  fault(
    'children of a group of one name are counted once in its total beside an order',
    ['model.*'],
    on('groups', (contract) => {
      return {
        sorted(items, compare, at) {
          if (at.query?.order.field === 'name')
            names.set(at.query, new Set(items.map(({ name, parent }) => `${parent} ${name}`)).size)
          return contract.sorted(items, compare, at)
        },
        totalCount(counts, at) {
          const distinct = at.query?.childrenOf !== undefined && at.query.skip > 0 && names.get(at.query)
          return distinct ? String(distinct) : contract.totalCount(counts, at)
        },
      }
    }),
  ),
  fault('a walk starts over when the group changes whose contents are walked', ['model.*'], (contract) => {
    const changed = (at: At) =>
      at.world.store.get('groups', at.query?.childrenOf ?? at.query?.descendantsOf ?? '')?.updateTime
    return {
      cursor: (last, key, order, skipped, now, at) => ({
        ...contract.cursor(last, key, order, skipped, now, at),
        changed: changed(at),
      }),
      rest: (sorted, place, cursor, at) =>
        cursor.changed === changed(at) ? contract.rest(sorted, place, cursor, at) : sorted,
    }
  }),
  fault(
    'a walk of groups of one name counts what it showed',
    ['model.*'],
    on('groups', (contract) => ({
      cursor: (last, key, order, skipped, now, at) => ({
        ...contract.cursor(last, key, order, skipped, now, at),
        counted: Number(at.query?.cursor?.counted ?? 0) + (at.query?.skip ?? 0) + (at.query?.size ?? 0),
      }),
      rest: (sorted, place, cursor, at) =>
        at.query?.name === undefined ? contract.rest(sorted, place, cursor, at) : sorted.slice(Number(cursor.counted)),
    })),
  ),
]
