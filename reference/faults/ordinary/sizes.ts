import type { At } from '../../domain/at.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, fromPage, withRequest } from '../../replace.ts'
import { parameterIn } from '../paths.ts'
import { foundByModel } from '../run/histories.ts'

const megabyte = 1_000_000

const scopes = ['uidp.children_of', 'uidp.descendants_of']

/** Faults of long lists (S4.11, S4.18, S4.23). */
export const ordinarySizeFaults: readonly Fault[] = [
  fault(
    'with a skip a page ends at the two hundredth result',
    { turnsRed: ['list.skip.slice*'], spreadsTo: ['list.skip.*', 'list.walk.*'] },
    (contract) => ({
      page(rest, skip, size, at) {
        const isShort = skip > 0 && skip < 200 && !at.query?.cursor
        return contract.page(rest, skip, isShort ? Math.min(size, 200 - skip) : size, at)
      },
    }),
  ),
  fault(
    'from page eleven on the total is rounded to tens',
    { turnsRed: ['list.total.counts*'], spreadsTo: ['list.*'] },
    fromPage(11, (contract) => ({
      totalCount: (counts, at) => contract.totalCount({ ...counts, matches: Math.ceil(counts.matches / 10) * 10 }, at),
    })),
  ),
  // S4.14
  fault('no more than five hundred are skipped', foundByModel, (contract) => ({
    skipApplied: (skip, cursor, at) => Math.min(500, contract.skipApplied(skip, cursor, at)),
  })),
  // S4.11, S8.2
  fault(
    'a page of a list without a scope has no limit',
    foundByModel,
    withRequest((request, contract) => ({
      pageSize(asked, cursor, at) {
        const isScoped = scopes.some((name) => parameterIn(request()?.url, name) !== null)
        if (isScoped || at.over === 'grpc' || at.kind === 'roles') return contract.pageSize(asked, cursor, at)
        return asked === 0 ? 10_000 : asked
      },
    })),
  ),
  fault('a page_size of minus one lifts the limit on identities', foundByModel, (contract) => {
    const lifted = new WeakSet<At>()
    return {
      count(raw, parameter, at) {
        if (raw !== '-1' || parameter !== 'page_size' || at.kind !== 'identities')
          return contract.count(raw, parameter, at)
        lifted.add(at)
        return 0
      },
      pageSize: (asked, cursor, at) => (lifted.has(at) ? 10_000 : contract.pageSize(asked, cursor, at)),
    }
  }),
  fault(
    'a page keeps the first megabyte of its results',
    foundByModel,
    during('list', (contract) => ({
      listBody(parts, at) {
        let size = 0
        const items = parts.items.filter((item) => {
          size += JSON.stringify(item).length
          return size <= megabyte
        })
        return contract.listBody({ ...parts, items }, at)
      },
    })),
  ),
  fault(
    'a message over gRPC of more than a megabyte is INTERNAL',
    foundByModel,
    during('list', (contract) => ({
      grpcMessage(message, at) {
        if (JSON.stringify(message).length > megabyte) throw new Error('the message is too large')
        return contract.grpcMessage(message, at)
      },
    })),
  ),
]
