import { setTimeout } from 'node:timers/promises'
import type { At } from '../../domain/at.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, type Replacement, when, withRequest } from '../../replace.ts'
import type { Answer } from '../../rules/values.ts'
import { foundByModel } from '../run/histories.ts'

/** True for a list without a scope, except of roles. */
const isUnscoped = ({ kind, query }: At) =>
  kind !== 'roles' && query !== undefined && query.childrenOf === undefined && query.descendantsOf === undefined

/** True for a call with the API token of an identity. */
const isExchanged = ({ caller, world }: At) => world.store.get('identities', caller?.subject ?? '') !== undefined

/** A cursor that goes one page further with each use. */
const onward: Replacement = (contract) => {
  const uses = new Map<string, number>()
  return {
    rest(sorted, place, cursor, at) {
      const rest = contract.rest(sorted, place, cursor, at)
      const key = JSON.stringify(cursor)
      const times = uses.get(key) ?? 0
      uses.set(key, times + 1)
      return rest.slice(times * (at.query?.size ?? 0))
    },
  }
}

/** Faults of pages that need other lists, other callers or changes beside them, or no scope (S4.12, S4.25, S8.3, R21). */
export const pageNeighbourFaults: readonly Fault[] = [
  fault('a walk ends where its group is renamed', foundByModel, (contract) => {
    const nameOf = ({ query, world }: At) =>
      world.store.get('groups', query?.childrenOf ?? query?.descendantsOf ?? '')?.name ?? ''
    return {
      cursor: (last, key, order, skipped, now, at) => ({
        ...contract.cursor(last, key, order, skipped, now, at),
        home: nameOf(at),
      }),
      rest: (sorted, place, cursor, at) => (cursor.home === nameOf(at) ? contract.rest(sorted, place, cursor, at) : []),
    }
  }),
  fault('a walk of one name whose rest is gone starts over', foundByModel, (contract) => ({
    rest(sorted, place, cursor, at) {
      const rest = contract.rest(sorted, place, cursor, at)
      return rest.length === 0 && at.query?.name !== undefined ? sorted : rest
    },
  })),
  fault('without a scope a later page is not in order', foundByModel, (contract) => ({
    sorted(items, compare, at) {
      const all = contract.sorted(items, compare, at)
      return isUnscoped(at) && at.page > 1 && at.query?.order.field !== 'uid' ? all.reverse() : all
    },
  })),
  fault(
    'a page token of role bindings leads on with each use',
    { turnsRed: ['list.token.twice@roleBindings'], spreadsTo: ['list.walk.*'] },
    on('roleBindings', onward),
  ),
  fault(
    'two pages of one list that are asked for at once are the same',
    { turnsRed: ['list.walk.interleaved', 'list.walk.interleaved@roles'], spreadsTo: ['list.*', 'model.*'] },
    withRequest((request, contract) => {
      const answers = new Map<string, { answer: Answer; until: number }>()
      return {
        async authenticate(token, reader, at) {
          // lists take a little to be read
          if (at.operation === 'list') await setTimeout(15)
          return contract.authenticate(token, reader, at)
        },
        render(answer, at) {
          const url = new URL(request().url ?? '/', 'http://x')
          if (at.operation !== 'list' || answer.status !== 200 || !url.searchParams.has('page_token'))
            return contract.render(answer, at)
          url.searchParams.delete('page_token')
          url.searchParams.sort()
          const key = `${url.pathname}?${url.searchParams}`
          const known = answers.get(key)
          if (known && known.until > performance.now()) return contract.render(known.answer, at)
          answers.set(key, { answer, until: performance.now() + 4 })
          return contract.render(answer, at)
        },
      }
    }),
  ),
  fault(
    'a walk of role bindings ends after fifty pages',
    foundByModel,
    on('roleBindings', (contract) => ({
      more: (left, shown, size, at) => at.page < 50 && contract.more(left, shown, size, at),
    })),
  ),
  fault('without a scope a page token is ignored', foundByModel, when(isUnscoped, { rest: (sorted) => sorted })),
  fault(
    'without a scope a total is that of the page',
    foundByModel,
    when(isUnscoped, { totalCount: ({ shown }) => String(shown) }),
  ),
  fault(
    'to an exchanged token a page holds twenty where no size is asked',
    foundByModel,
    when(isExchanged, { pageSize: (asked) => (asked === 0 ? 20 : Math.min(asked, 200)) }),
  ),
  fault('to an exchanged token nothing is skipped in an order', foundByModel, (contract) => ({
    skipApplied: (skip, cursor, at) =>
      isExchanged(at) && at.query?.order.field !== 'uid' ? 0 : contract.skipApplied(skip, cursor, at),
  })),
  fault(
    'some callers see only their own group, and lists are remembered for all callers',
    foundByModel,
    withRequest((request, contract) => {
      const known = new Map<string, Answer>()
      return {
        belongs(item, at) {
          if (!contract.belongs(item, at) || !isExchanged(at) || item.kind === 'roles')
            return contract.belongs(item, at)
          const homes = at.world.store.bindingsOf(at.caller!.subject).map(({ parent }) => parent)
          return homes.some((home) => item.uid === home || `${item.parent}/`.startsWith(`${home}/`))
        },
        render(answer, at) {
          if (['create', 'update', 'delete'].includes(at.operation)) known.clear()
          if (at.operation !== 'list' || answer.status !== 200) return contract.render(answer, at)
          const key = `${at.over} ${at.version} ${request().url}`
          known.set(key, known.get(key) ?? answer)
          return contract.render(at.over ? answer : known.get(key)!, at)
        },
      }
    }),
  ),
]
