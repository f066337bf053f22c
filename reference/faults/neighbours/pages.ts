import { setTimeout } from 'node:timers/promises'
import { type Fault, fault } from '../../fault.ts'
import { on, type Replacement, withRequest } from '../../replace.ts'
import type { Answer } from '../../rules/values.ts'

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
]
