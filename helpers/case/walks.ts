import { type Api, apiOver } from '../api/api.ts'
import type { KindName } from '../api/kinds.ts'
import { type Change, changesOf, makeWalked, walkDuring, walkLater } from '../arrange/changes.ts'
import { type Listing, queryFor } from '../arrange/listings.ts'
import type { Population } from '../arrange/population.ts'
import { mustBeThere } from '../arrange/populations.ts'
import type { Run } from '../arrange/run.ts'
import { makeScratch, type RunGroup } from '../arrange/scratch.ts'
import { handOut, type Shared, share } from '../arrange/shared.ts'
import { type Walk, walk } from '../assertions/page-walk.ts'
import { isViolation } from '../assertions/violation.ts'
import type { Log } from '../http/call.ts'
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
      const exchanges = forRequirement<Exchange[]>([], { id })
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

/** Walks during one kind of change after another, over the same things of a kind. */
type Disturbed = ReadonlyMap<Change, Shared<unknown>>

const disturbed = new WeakMap<Run, Map<KindName, Promise<Shared<Disturbed>>>>()

/** What a case needs that judges such a walk. */
interface WalkingCase {
  run: Run
  runGroup: RunGroup
  api: Api
  evidence: Exchange[]
}

/**
 * Hands out the walks during a change, made once for all changes; one that failed may only have been late, and is
 * made again where nothing is (R52).
 */
export async function walkedDuring(change: Change, kind: KindName, context: WalkingCase): Promise<void> {
  const { run, runGroup, api, evidence } = context
  const made = disturbed.get(run) ?? new Map<KindName, Promise<Shared<Disturbed>>>()
  disturbed.set(run, made)
  const walks = made.get(kind) ?? share((log) => disturb(kind, run, runGroup, log))
  made.set(kind, walks)
  const walked = handOut(await walks, evidence).get(change)!
  try {
    handOut(walked, evidence)
  } catch (error) {
    if (!isViolation(error)) throw error
    const scratch = await makeScratch(apiOver(run, { phase: 'arrange', exchanges: evidence }), { ...run, runGroup })
    await walkLater(change, { api, scratch, names: run.names, kind })
  }
}

async function disturb(kind: KindName, run: Run, runGroup: RunGroup, log: Log): Promise<Disturbed> {
  const { names } = run
  const api = apiOver(run, log)
  const scratch = await makeScratch(api, { ...run, runGroup })
  if (kind !== 'groups') await mustBeThere(api, scratch, kind)
  let made = await makeWalked({ api, scratch, names, kind })
  const results = new Map<Change, Shared<unknown>>()
  for (const change of changesOf(kind)) {
    const exchanges: Exchange[] = []
    const acting = apiOver(run, { phase: 'act', exchanges })
    const walked = await share(() => walkDuring({ api: acting, scratch, names, kind, change, made }))
    if ('made' in walked) made = walked.made
    results.set(change, { ...walked, exchanges })
  }
  return results
}
