import { test as base, inject, type TestContext } from 'vitest'
import { type Api, apiOver } from '../api/api.ts'
import type { KindName } from '../api/kinds.ts'
import { firstChange } from '../arrange/confirmed-by-rereading.ts'
import { strangersIn } from '../arrange/listings.ts'
import type { Population } from '../arrange/population.ts'
import {
  type Grounds,
  makeNeighbours,
  makePopulation,
  type Neighbours,
  openNeighbours,
  openPopulations,
  readPopulation,
} from '../arrange/populations.ts'
import { openRun, type Run } from '../arrange/run.ts'
import { descendantsOf, makeScratch, noSuchGroup, openRunGroup, type RunGroup } from '../arrange/scratch.ts'
import { handOut, type Shared, share, shareInNewGroup } from '../arrange/shared.ts'
import type { PopulationContext } from '../arrange/shared-groups.ts'
import { makeBurst, makeCrowd, makeForest, makePunctuated } from '../arrange/shared-groups.ts'
import type { BadCredential } from '../auth/invalid-credentials.ts'
import { Turns } from '../auth/turns.ts'
import { elapseDays } from '../expiry/elapsed-days.ts'
import type { Log } from '../http/call.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Query } from '../http/url.ts'
import { issuerOfOperator, OwnIssuer, unexchangedTokens } from '../sts/identities.ts'
import { noteAge, noteStrangers, patienceBeside } from './judged-again.ts'

const file = { scope: 'file' } as const

const withRun = base
  .extend('run', file, ({}, { onCleanup }): Run => {
    const run = openRun(inject('run'))
    onCleanup(async () => {
      const traced = await run.trace.close()
      run.notify({ sent: run.client.wire.sent, ...(traced ? { traced } : {}) })
      run.journal.close()
      await run.client.close()
      run.grpc.destroy()
    })
    return run
  })
  .extend('ownIssuer', file, ({ run }, { onCleanup }): OwnIssuer => {
    const issuer = new OwnIssuer(run.config.sts.issuerUrl, run.ownKeys)
    onCleanup(() => issuer.close())
    return issuer
  })
  /** Opens the scratch group once, on first use. */
  .extend('openedRunGroup', file, ({ run, ownIssuer }) => {
    let opened: Promise<Shared<RunGroup>> | undefined
    run.claimIssuers.offer(async () => (await ownIssuer.open()).name)
    run.claimIssuers.offer(() => issuerOfOperator(run))
    return () => {
      opened ??= share((log) => openRunGroup(apiOver(run, log), run).catch((error) => endWithoutGroup(run, error)))
      return opened
    }
  })
  .extend('sharedRunGroup', file, ({ openedRunGroup }) => openedRunGroup())

/** Ends the run where the operator's group is not there: no case could make anything. */
function endWithoutGroup(run: Run, error: Error): never {
  if (error.message === noSuchGroup(run.config.target.groupUid)) run.notify({ ended: error.message })
  throw error
}

/** What a shared fixture needs to make something. */
async function populationContext(run: Run, shared: Shared<RunGroup>, log: Log) {
  const api = apiOver(run, log)
  const runGroup = handOut(shared, log.exchanges)
  const scratch = await makeScratch(api, { ...run, runGroup })
  return { api, names: run.names, scratch, registryGroup: run.config.target.registryGroupUid }
}

/** Opens groups on first use, once for all kinds, and others where an answer was lost in those. */
function groundsIn(run: Run, runGroup: Shared<RunGroup>, open: (context: PopulationContext) => Promise<Grounds>) {
  let opened: Promise<Shared<Grounds>> | undefined
  return async ({ exchanges }: Log, again: boolean): Promise<Grounds> => {
    if (again) opened = undefined
    opened ??= shareInNewGroup(async (log) => open(await populationContext(run, runGroup, log)))
    return handOut(await opened, exchanges)
  }
}

/** Groups that many cases read. */
interface Groups {
  /** The query that lists them, and what the target itself put beside them. */
  scope: Query
}

/** What is shared, with the target's own groups beside it at the last look (R50). */
export interface WithStrangers<T extends Groups> {
  groups: T
  strangers: string
  /** How often they had changed by then. */
  changes: number
}

/** Makes groups that many cases read. */
const shareGroups = <T extends Groups>(
  run: Run,
  shared: Shared<RunGroup>,
  make: (context: PopulationContext) => Promise<T>,
): Promise<Shared<WithStrangers<T>>> =>
  shareInNewGroup(async (log) => {
    const context = await populationContext(run, shared, log)
    const groups = await make(context)
    return { groups, strangers: await strangersOf(groups, run, context.api), changes: 0 }
  })

/** At any depth: cases also list what is below the groups. */
const strangersOf = async ({ scope }: Groups, { journal }: Run, api: Api) => {
  const [home] = Object.values(scope)
  return (await strangersIn({ kind: 'groups', scope: descendantsOf(String(home)), items: [] }, api, journal)).join()
}

/** Hands them to a case, which is judged again where the target moves groups of its own beside them (R50). */
export function handOutGroups<T extends Groups>(
  shared: Shared<WithStrangers<T>>,
  { task, run, evidence }: { task: TestContext['task']; run: Run; evidence: Exchange[] },
): T {
  const made = handOut(shared, evidence)
  noteAge(task, shared, run)
  let [known, isWatched] = [made.changes, false]
  const look = async () => {
    const now = await strangersOf(made.groups, run, apiOver(run, { phase: 'arrange', exchanges: [] }))
    if (now !== made.strangers) Object.assign(made, { strangers: now, changes: made.changes + 1 })
    return made.changes
  }
  noteStrangers(task, async () => {
    const patience = patienceBeside('groups', run)()
    const now = await look().catch(() => known)
    const isDecided = now === known && (isWatched || patience === 0)
    const later = isDecided || now !== known ? now : ((await firstChange(now, look, String, patience)) ?? now)
    isWatched = later === known
    known = later
    return !isDecided
  })
  return made.groups
}

const withPopulations = withRun
  .extend('sharedCrowd', file, ({ run, sharedRunGroup }) =>
    shareGroups(run, sharedRunGroup, async (context) => {
      const crowd = await makeCrowd(context)
      run.allAnswers.nobodyChanges(crowd.scope, crowd.siblings)
      return crowd
    }),
  )
  .extend('sharedForest', file, ({ run, sharedRunGroup }) =>
    shareGroups(run, sharedRunGroup, async (context) => {
      const forest = await makeForest(context)
      run.allAnswers.nobodyChanges(forest.scope, forest.all)
      return forest
    }),
  )
  .extend('sharedBurst', file, ({ run, sharedRunGroup }) => shareGroups(run, sharedRunGroup, makeBurst))
  .extend('sharedPunctuated', file, ({ run, sharedRunGroup }) => shareGroups(run, sharedRunGroup, makePunctuated))
  .extend('sharedPopulations', file, ({ run, sharedRunGroup, sharedForest }) => {
    const made = new Map<KindName, Promise<Shared<Population>>>()
    const opened = groundsIn(run, sharedRunGroup, openPopulations)
    const make = (kind: KindName) =>
      shareInNewGroup(async (log, again) => {
        // what is only read needs no group of the run
        const read = await readPopulation(kind, apiOver(run, log), run.config.target.registryGroupUid)
        if (read !== undefined) return read
        const forest = async () => handOut(sharedForest, log.exchanges).groups
        const made = await makePopulation(kind, forest, () => opened(log, again))
        return { ...made, strangers: await strangersIn(made, apiOver(run, log), run.journal) }
      })
    return (kind: KindName, again: boolean): Promise<Shared<Population>> => {
      const population = (again ? undefined : made.get(kind)) ?? make(kind)
      made.set(kind, population)
      return population
    }
  })
  .extend('sharedNeighbours', file, ({ run, sharedRunGroup }) => {
    const made = new Map<KindName, Promise<Shared<Neighbours>>>()
    const opened = groundsIn(run, sharedRunGroup, openNeighbours)
    return (kind: KindName): Promise<Shared<Neighbours>> => {
      const neighbours =
        made.get(kind) ?? shareInNewGroup(async (log, again) => makeNeighbours(kind, await opened(log, again)))
      made.set(kind, neighbours)
      return neighbours
    }
  })

const withBadCredentials = withPopulations
  /** Targets for bad credentials, used in turn, and identity tokens that were not exchanged. */
  .extend('badCredentialTargets', file, ({ run, sharedRunGroup, ownIssuer }) => {
    let unexchanged: Promise<Shared<() => Promise<BadCredential>>> | undefined
    const open = async (log: Log) => {
      const { api, scratch } = await populationContext(run, sharedRunGroup, log)
      return unexchangedTokens({ run, api, scratch, log, arranged: log }, ownIssuer)
    }
    return { turns: new Turns(), unexchanged: () => (unexchanged ??= shareInNewGroup(open)) }
  })

/** The chain of fixtures shared by many cases: everything is made once, and making never throws. */
export const withShared = withBadCredentials.extend('sharedDays', file, ({ run, openedRunGroup, ownIssuer }) =>
  share((log) => elapseDays(run, async () => handOut(await openedRunGroup(), log.exchanges), ownIssuer, log)),
)
