import type { At } from '../../domain/at.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, overGrpc } from '../../replace.ts'

/** Faults of pages and orders that need two parameters, or an earlier write. */
export const unusualPageFaults: readonly Fault[] = [
  fault(
    'milliseconds lose their leading zeros',
    { turnsRed: ['model.*'], spreadsTo: ['list.*', 'grpc.list.*', 'time.*'] },
    (contract) => ({
      timestamp: (milliseconds, at) => contract.timestamp(milliseconds, at).replace(/\.0+(\d+)Z/, '.$1Z'),
    }),
  ),
  fault(
    'times after noon are on a clock of twelve hours',
    {
      turnsRed: ['time.follows', 'model.*'],
      spreadsTo: ['time.*', 'list.*', 'group.*', 'identity.*', 'grpc.*', 'v1.*'],
    },
    (contract) => ({
      timestamp: (milliseconds, at) =>
        contract
          .timestamp(milliseconds, at)
          .replace(/T(\d\d)/, (_all, hour: string) => `T${String(Number(hour) % 12 || 12).padStart(2, '0')}`),
    }),
  ),
  fault(
    'a skip of a hundred gets another order',
    { turnsRed: ['list.skip.crowd', 'model.*'], spreadsTo: ['list.skip.slice*'] },
    (contract) => ({
      sorted: (items, compare, at) =>
        (at.query?.skip ?? 0) >= 100
          ? [...items].sort((a, b) => (a.uid < b.uid ? -1 : 1))
          : contract.sorted(items, compare, at),
    }),
  ),
  fault('what v1 made is ordered by the second of its creation', ['model.*'], (contract) => {
    const byV1 = new Set<string>()
    return {
      keep(item, at) {
        if (at.version === 'v1') byV1.add(item.uid)
        contract.keep(item, at)
      },
      sortKey(item, field, at) {
        const key = contract.sortKey(item, field, at)
        return field === 'createTime' && byV1.has(item.uid) ? Math.floor(Number(key) / 1000) * 1000 : key
      },
    }
  }),
  fault(
    'later pages in the order of names do not know of renames',
    { turnsRed: ['list.walk.renamed', 'model.*'], spreadsTo: ['list.*'] },
    (contract) => {
      const first = new Map<string, string>()
      return {
        keep(item, at) {
          first.set(item.uid, item.name)
          contract.keep(item, at)
        },
        sortKey(item, field, at) {
          return field === 'name' && at.page > 1
            ? (first.get(item.uid) ?? item.name)
            : contract.sortKey(item, field, at)
        },
      }
    },
  ),
  fault('a token of descendants goes on with descendants where children are asked for', ['model.*'], (contract) => {
    const scopeOf = (at: At) => (at.query?.cursor as { deep?: string } | undefined)?.deep
    const deepAt = (at: At): At => {
      const deep = scopeOf(at)
      if (at.query === undefined || deep === undefined || at.query.childrenOf !== deep) return at
      return { ...at, query: { ...at.query, childrenOf: undefined, descendantsOf: deep } }
    }
    return {
      cursor: (last, key, order, skipped, now, at) => ({
        ...contract.cursor(last, key, order, skipped, now, at),
        deep: at.query?.descendantsOf ?? scopeOf(at),
      }),
      candidates: (at) => contract.candidates(deepAt(at)),
      withinScope: (item, at) => contract.withinScope(item, deepAt(at)),
    }
  }),
  fault(
    'all tokens of a walk end three days after its first page',
    { turnsRed: ['list.token.lives*', 'model.*'], spreadsTo: ['grpc.list.token.lives'] },
    (contract) => ({
      cursor: (last, key, order, skipped, now, at) => ({
        ...contract.cursor(last, key, order, skipped, now, at),
        issued: at.query?.cursor?.issued ?? now,
      }),
    }),
  ),
  fault(
    'repos over gRPC are not ordered without a direction',
    ['model.*'],
    on(
      'repos',
      overGrpc((contract) => ({
        order: (asked, cursor, at) => contract.order(asked?.includes(' ') ? asked : undefined, cursor, at),
      })),
    ),
  ),
]
