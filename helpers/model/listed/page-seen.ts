import type { KindName } from '../../api/kinds.ts'
import { isObject } from '../../api/received.ts'
import type { Population, Query, Stillness } from './population.ts'

/** The objects in a list; absent is an empty list, and null is no list (R23). */
export function itemsOf(json: unknown, kind: KindName): Record<string, unknown>[] | undefined {
  if (!isObject(json)) return undefined
  const items = Object.hasOwn(json, kind) ? json[kind] : []
  return Array.isArray(items) && items.every((item) => isObject(item) && typeof item.uid === 'string')
    ? items
    : undefined
}

/** The token of the next page, as received. */
export const tokenIn = (json: unknown): unknown => (isObject(json) ? json.nextPageToken : undefined)

/** True for an answer without a next page (R11). */
export const isLast = (json: unknown) => [undefined, null, ''].includes(tokenIn(json) as undefined)

/** A page of a list. */
export interface PageSeen {
  query: Query
  calm: Stillness
  /** True where nothing was under way and nothing is open. */
  exact: boolean
  population: Population
  items: readonly Record<string, unknown>[]
  skip: string | undefined
  token: string | undefined
}
