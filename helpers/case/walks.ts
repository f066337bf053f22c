import { apiOver } from '../api/api.ts'
import { type Listing, queryFor } from '../arrange/listings.ts'
import type { Population } from '../arrange/population.ts'
import type { Run } from '../arrange/run.ts'
import { handOut, type Shared, share } from '../arrange/shared.ts'
import { type Walk, walk } from '../assertions/page-walk.ts'
import type { Exchange } from '../http/exchange.ts'
import { forRequirement } from '../http/request.ts'

/** Walks a population; the exchanges go to the evidence of each case that judges the walk. */
export type Walked = (listing: Listing & { skip?: number }, evidence: Exchange[]) => Promise<Walk>

const known = new WeakMap<object, Map<string, Promise<Shared<Walk>>>>()

/**
 * Makes each walk once for all cases that judge it, while the population is the same and nothing new of the target's is
 * beside it (R50), and again once it is no longer young (R52). A case that asks for one twice gets two, and a broken
 * walk is not shared.
 */
export function walksOver(population: Population, run: Run, id: string, isYoung: boolean): Walked {
  const { kind, scope, items, strangers } = population
  const place = strangers ?? population
  const walks = known.get(place) ?? new Map<string, Promise<Shared<Walk>>>()
  known.set(place, walks)
  const asked: string[] = []
  return async ({ skip, ...listing }, evidence) => {
    const query = { ...queryFor(scope, listing), skip }
    const make = async (): Promise<Shared<Walk>> => {
      const exchanges = forRequirement<Exchange[]>([], id)
      const api = apiOver(run, { phase: 'act', exchanges })
      return { ...(await share(() => walk(api[kind].list, query, items.length))), exchanges }
    }
    const text = JSON.stringify(query)
    const key = `${isYoung} ${text} ${asked.filter((other) => other === text).length}`
    asked.push(text)
    const before = walks.get(key)
    const made = before ?? make()
    walks.set(key, made)
    const shared = await made
    return handOut('broken' in shared && before ? await make() : shared, evidence)
  }
}
