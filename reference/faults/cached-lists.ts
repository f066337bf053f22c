import type { At } from '../domain/at.ts'
import { type Replacement, withRequest } from '../replace.ts'
import type { Answer } from '../rules/values.ts'

/** Lists of groups answered from a cache that every write empties. */
export const cachedLists = (keyOf: (url: string) => string): Replacement =>
  withRequest((request, contract) => {
    const known = new Map<string, Answer>()
    return {
      render(answer, at) {
        if (at.operation === 'get' || at.kind === 'none' || answer.status !== 200) return contract.render(answer, at)
        if (at.operation !== 'list') known.clear()
        if (at.operation !== 'list' || at.kind !== 'groups') return contract.render(answer, at)
        const key = keyOf(request().url ?? '')
        known.set(key, known.get(key) ?? answer)
        return contract.render(known.get(key)!, at)
      },
    }
  })

/** Lists and Gets answered from a cache that only creates and deletes empty, where `applies` says so. */
export const keptUntilMade = (applies: (at: At) => boolean): Replacement =>
  withRequest((request, contract) => {
    const known = new Map<string, Answer>()
    return {
      render(answer, at) {
        if (['create', 'delete'].includes(at.operation)) known.clear()
        const isRead = at.operation === 'list' || at.operation === 'get'
        if (!isRead || answer.status !== 200 || !applies(at)) return contract.render(answer, at)
        const key = request().url ?? ''
        known.set(key, known.get(key) ?? answer)
        return contract.render(known.get(key)!, at)
      },
    }
  })
