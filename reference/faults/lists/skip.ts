import { AsyncLocalStorage } from 'node:async_hooks'
import type { Cursor } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { basicFault, type Fault, fault } from '../../fault.ts'
import { on, when } from '../../replace.ts'
import type { Answer } from '../../rules/values.ts'
import { pause } from '../pause.ts'
import { foundByModel } from '../run/histories.ts'

const byUid = (a: Item, b: Item) => (a.uid < b.uid ? -1 : 1)

const wasSkipped = (cursor: Cursor | undefined) => (cursor?.skipped ?? 0) > 0

/** Calls that are under way at once, and the answer that they share. */
interface Flight {
  calls: number
  answer?: Answer
}

/** Faults in skip (S4.14, S4.23). */
export const listSkipFaults: readonly Fault[] = [
  fault('repos cannot be skipped', ['list.skip.*@repos'], on('repos', { skipApplied: () => 0 })),
  fault('a skip beside a token takes every other result', ['list.skip.and-token.slice'], (contract) => ({
    page: (rest, skip, size, at) =>
      at.query?.cursor && skip > 0
        ? rest.filter((_, index) => index % 2 === 1).slice(0, size)
        : contract.page(rest, skip, size, at),
  })),
  fault('a skip beyond the end shows the last page', ['list.skip.beyond-end*'], (contract) => ({
    page: (rest, skip, size, at) => (skip > rest.length ? rest.slice(-size) : contract.page(rest, skip, size, at)),
  })),
  ...[32, 64].map((bits) =>
    fault(
      `numbers are kept in ${bits} bits`,
      { turnsRed: ['list.skip.overflow*'], spreadsTo: ['list.*'] },
      (contract) => ({
        count: (raw, parameter, at) =>
          /^\d+$/.test(raw) ? Number(BigInt.asUintN(bits, BigInt(raw))) : contract.count(raw, parameter, at),
      }),
    ),
  ),
  fault('nobody can skip more than two hundred', ['list.skip.crowd'], () => ({
    skipApplied: (skip) => Math.min(skip, 200),
  })),
  fault('skip is not echoed', { turnsRed: ['list.skip.echo'], spreadsTo: ['list.skip.*'] }, () => ({
    skipped: () => 0,
  })),
  fault(
    'skipped says how many were left out and shown',
    { turnsRed: ['list.skip.echo'], spreadsTo: ['list.skip.*'] },
    (contract) => ({
      skipped: (skip, before, at) => (skip > 0 ? skip + (at.query?.size ?? 0) : contract.skipped(skip, before, at)),
    }),
  ),
  basicFault('nothing is ever skipped', { turnsRed: ['list.skip.fewer-left'], spreadsTo: ['list.skip.*'] }, () => ({
    skipApplied: () => 0,
    skipped: () => 0,
  })),
  fault(
    'with a name, an order and a skip one too few is skipped',
    ['list.skip.filtered'],
    when(
      ({ query }) => query?.name !== undefined && query.order.field !== 'uid' && query.skip > 0,
      (contract) => ({ page: (rest, skip, size, at) => contract.page(rest, skip - 1, size, at) }),
    ),
  ),
  fault(
    'skip counts what the filter leaves out',
    ['list.skip.filtered'],
    on('groups', (contract) => ({
      skipApplied(skip, cursor, at) {
        const { name } = at.query!
        if (name === undefined || skip === 0) return contract.skipApplied(skip, cursor, at)
        const all = [...contract.candidates(at)].filter((item) => contract.withinScope(item, at))
        return all
          .sort(byUid)
          .slice(0, skip)
          .filter((item) => item.name === name).length
      },
    })),
  ),
  fault('skip does nothing beside a name', ['list.skip.filtered'], (contract) => ({
    skipApplied: (skip, cursor, at) => (at.query?.name === undefined ? contract.skipApplied(skip, cursor, at) : 0),
  })),
  fault(
    'a list of invites does not echo what it skipped',
    ['list.skip.slice@groupInvites'],
    on('groupInvites', { skipped: () => 0 }),
  ),
  fault(
    'skip is echoed as text',
    ['list.skip.slice@roles', 'role.list.shape'],
    on('roles', (contract) => ({
      listBody: (parts, at) => ({ ...contract.listBody(parts, at), skipped: String(parts.skipped) }),
    })),
  ),
  fault(
    'skip goes by whole pages',
    ['list.skip.slice', 'list.skip.slice@*', 'list.skip.crowd', 'list.skip.beyond-end@*'],
    (contract) => ({
      skipApplied: (skip, cursor, at) => {
        const size = at.query?.size ?? 1
        return skip > size ? skip - (skip % size) : contract.skipApplied(skip, cursor, at)
      },
    }),
  ),
  fault('in descending order skip counts from the other end', ['list.skip.slice*'], (contract) => ({
    page(rest, skip, size, at) {
      if (!at.query?.order.descending || skip === 0) return contract.page(rest, skip, size, at)
      const end = Math.max(0, rest.length - skip)
      return rest.slice(Math.max(0, end - size), end)
    },
  })),
  fault(
    'of identities of one name in a group, the newest first, twice as many are skipped',
    foundByModel,
    on(
      'identities',
      when(
        ({ query }) =>
          query?.name !== undefined &&
          query.childrenOf !== undefined &&
          query.order.field === 'createTime' &&
          query.order.descending,
        (contract) => ({ skipApplied: (...given) => 2 * contract.skipApplied(...given) }),
      ),
    ),
  ),
  fault(
    'after a skip the second page of roles comes in the default order',
    foundByModel,
    on('roles', (contract) => ({
      order(asked, cursor, at) {
        const order = contract.order(asked, cursor, at)
        return order && wasSkipped(cursor) ? contract.order(undefined, cursor, at) : order
      },
      cursorFits: (cursor, order, at) =>
        wasSkipped(cursor) ? cursor.kind === at.kind : contract.cursorFits(cursor, order, at),
    })),
  ),
  fault(
    'two lists at once that differ in nothing but their skip share an answer',
    { turnsRed: ['list.skip.crowd', 'model.*'], spreadsTo: ['list.*'] },
    (contract) => {
      const running = new Map<string, Flight>()
      const flights = new AsyncLocalStorage<Flight>()
      return {
        async transport(request, response, serve, at) {
          if (at.operation !== 'list' || at.version === 'v1') return contract.transport(request, response, serve, at)
          const url = new URL(request.url ?? '', 'http://localhost')
          url.searchParams.delete('skip')
          const key = `${url} ${request.headers.authorization}`
          const flight = running.get(key) ?? { calls: 0 }
          running.set(key, flight)
          flight.calls++
          await pause(3)
          try {
            await flights.run(flight, () => contract.transport(request, response, serve, at))
          } finally {
            if (--flight.calls === 0) running.delete(key)
          }
        },
        render(answer, at) {
          const flight = flights.getStore()
          if (!flight || answer.status !== 200) return contract.render(answer, at)
          flight.answer ??= answer
          return contract.render(flight.answer, at)
        },
      }
    },
  ),
]
