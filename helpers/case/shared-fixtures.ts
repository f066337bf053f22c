import { test as base, inject } from 'vitest'
import { apiOver } from '../api/api.ts'
import type { KindName } from '../api/kinds.ts'
import { strangersIn } from '../arrange/listings.ts'
import type { Population } from '../arrange/population.ts'
import { makeNeighbours, makePopulation, type Neighbours, readPopulation } from '../arrange/populations.ts'
import { openRun, type Run } from '../arrange/run.ts'
import { makeScratch, openRunGroup, type RunGroup } from '../arrange/scratch.ts'
import { handOut, type Shared, share } from '../arrange/shared.ts'
import { makeBurst, makeCrowd, makeForest, makePunctuated } from '../arrange/shared-groups.ts'
import { elapseDays } from '../expiry/elapsed-days.ts'
import type { Log } from '../http/call.ts'
import { issuerOfOperator, OwnIssuer } from '../sts/identities.ts'

const file = { scope: 'file' } as const

const withRun = base
  .extend('run', file, ({}, { onCleanup }): Run => {
    const run = openRun(inject('run'))
    onCleanup(async () => {
      const traced = await run.trace.close()
      run.tell({ sent: run.client.wire.sent, ...(traced ? { traced } : {}) })
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
  /** Opens the scratch group once, when it is first needed. */
  .extend('openedRunGroup', file, ({ run, ownIssuer }) => {
    let opened: Promise<Shared<RunGroup>> | undefined
    run.claimIssuers.offer(async () => (await ownIssuer.open()).name)
    run.claimIssuers.offer(() => issuerOfOperator(run))
    return () => {
      opened ??= share((log) => openRunGroup(apiOver(run, log), run))
      return opened
    }
  })
  .extend('sharedRunGroup', file, ({ openedRunGroup }) => openedRunGroup())

/** What a shared fixture needs to make something of its own. */
async function populationContext(run: Run, shared: Shared<RunGroup>, log: Log) {
  const api = apiOver(run, log)
  const runGroup = handOut(shared, log.exchanges)
  const scratch = await makeScratch(api, { ...run, runGroup })
  return { api, names: run.names, scratch, registryGroup: run.config.target.registryGroupUid }
}

const withPopulations = withRun
  .extend('sharedCrowd', file, ({ run, sharedRunGroup }) =>
    share(async (log) => {
      const crowd = await makeCrowd(await populationContext(run, sharedRunGroup, log))
      run.allAnswers.nobodyChanges(crowd.scope, crowd.siblings)
      return crowd
    }),
  )
  .extend('sharedForest', file, ({ run, sharedRunGroup }) =>
    share(async (log) => {
      const forest = await makeForest(await populationContext(run, sharedRunGroup, log))
      run.allAnswers.nobodyChanges(forest.scope, forest.all)
      return forest
    }),
  )
  .extend('sharedBurst', file, ({ run, sharedRunGroup }) =>
    share(async (log) => makeBurst(await populationContext(run, sharedRunGroup, log))),
  )
  .extend('sharedPunctuated', file, ({ run, sharedRunGroup }) =>
    share(async (log) => makePunctuated(await populationContext(run, sharedRunGroup, log))),
  )
  .extend('sharedPopulations', file, ({ run, sharedRunGroup, sharedForest }) => {
    const made = new Map<KindName, Promise<Shared<Population>>>()
    const make = (kind: KindName) =>
      share(async (log) => {
        // what is only read needs no group of the run's own
        const read = await readPopulation(kind, apiOver(run, log), run.config.target.registryGroupUid)
        if (read !== undefined) return read
        const forest = async () => handOut(sharedForest, log.exchanges)
        const made = await makePopulation(kind, forest, await populationContext(run, sharedRunGroup, log))
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
    return (kind: KindName): Promise<Shared<Neighbours>> => {
      const neighbours =
        made.get(kind) ??
        share(async (log) => {
          const { api, scratch } = await populationContext(run, sharedRunGroup, log)
          return makeNeighbours(api, scratch, kind)
        })
      made.set(kind, neighbours)
      return neighbours
    }
  })

/** The chain of fixtures that many cases share: what they make is made once, and never throws. */
export const withShared = withPopulations.extend('sharedDays', file, ({ run, openedRunGroup, ownIssuer }) =>
  share((log) => elapseDays(run, async () => handOut(await openedRunGroup(), log.exchanges), ownIssuer, log)),
)
