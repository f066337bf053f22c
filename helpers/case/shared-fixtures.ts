import { test as base } from 'vitest'
import { apiOver } from '../api/api.ts'
import type { KindName } from '../api/kinds.ts'
import { settledWithin } from '../arrange/eventually.ts'
import type { Population } from '../arrange/population.ts'
import { makeNeighbours, makePopulation, type Neighbours, readPopulation } from '../arrange/populations.ts'
import { openRun, type Run } from '../arrange/run.ts'
import { type Ground, makeScratch, openGround } from '../arrange/scratch.ts'
import { handOut, type Shared, share } from '../arrange/shared.ts'
import { makeBurst, makeCrowd, makeForest, makePunctuated } from '../arrange/shared-groups.ts'
import { tellDays } from '../expiry/elapsed-days.ts'
import type { Log } from '../http/call.ts'
import { OwnIssuer } from '../sts/identities.ts'

const file = { scope: 'file' } as const

const withRun = base
  .extend('run', file, ({}, { onCleanup }): Run => {
    const run = openRun()
    onCleanup(async () => {
      run.tell({ sent: run.client.wire.sent })
      run.journal.close()
      await run.client.close()
    })
    return run
  })
  .extend('ownIssuer', file, ({ run }, { onCleanup }): OwnIssuer => {
    const issuer = new OwnIssuer(run.config.sts.issuerUrl)
    onCleanup(() => issuer.close())
    return issuer
  })
  /** Opens the scratch group once, when it is first needed. */
  .extend('openedGround', file, ({ run }) => {
    let opened: Promise<Shared<Ground>> | undefined
    return () => {
      opened ??= share((log) => openGround(apiOver(run, log), run, run.names))
      return opened
    }
  })
  .extend('sharedGround', file, ({ openedGround }) => openedGround())

/** What a shared fixture needs to make something of its own. */
async function groundwork(run: Run, shared: Shared<Ground>, log: Log) {
  const api = apiOver(run, log)
  const ground = handOut(shared, log.exchanges)
  const settled = settledWithin(ground.lag)
  const scratch = await makeScratch(api, { ...run, ground, settled })
  const registryGroup = run.config.target.registryGroupUid
  return { api, names: run.names, settled, lagging: ground.lag > 0, scratch, registryGroup }
}

const withPopulations = withRun
  .extend('sharedCrowd', file, ({ run, sharedGround }) =>
    share(async (log) => {
      const crowd = await makeCrowd(await groundwork(run, sharedGround, log))
      run.allAnswers.nobodyChanges(crowd.scope, crowd.siblings)
      return crowd
    }),
  )
  .extend('sharedForest', file, ({ run, sharedGround }) =>
    share(async (log) => {
      const forest = await makeForest(await groundwork(run, sharedGround, log))
      run.allAnswers.nobodyChanges(forest.scope, forest.all)
      return forest
    }),
  )
  .extend('sharedBurst', file, ({ run, sharedGround }) =>
    share(async (log) => makeBurst(await groundwork(run, sharedGround, log))),
  )
  .extend('sharedPunctuated', file, ({ run, sharedGround }) =>
    share(async (log) => makePunctuated(await groundwork(run, sharedGround, log))),
  )
  .extend('sharedPopulations', file, ({ run, sharedGround, sharedForest }) => {
    const made = new Map<KindName, Promise<Shared<Population>>>()
    const make = (kind: KindName) =>
      share(async (log) => {
        // what is only read needs no group of the run's own
        const read = await readPopulation(kind, apiOver(run, log), run.config.target.registryGroupUid)
        if (read !== undefined) return read
        const forest = async () => handOut(sharedForest, log.exchanges)
        return makePopulation(kind, forest, await groundwork(run, sharedGround, log))
      })
    return (kind: KindName, again: boolean): Promise<Shared<Population>> => {
      const population = (again ? undefined : made.get(kind)) ?? make(kind)
      made.set(kind, population)
      return population
    }
  })
  .extend('sharedNeighbours', file, ({ run, sharedGround }) => {
    const made = new Map<KindName, Promise<Shared<Neighbours>>>()
    return (kind: KindName): Promise<Shared<Neighbours>> => {
      const neighbours =
        made.get(kind) ??
        share(async (log) => {
          const { api, scratch } = await groundwork(run, sharedGround, log)
          return makeNeighbours(api, scratch, kind)
        })
      made.set(kind, neighbours)
      return neighbours
    }
  })

/** The chain of fixtures that many cases share: what they make is made once, and never throws. */
export const withShared = withPopulations.extend('sharedDays', file, ({ run, openedGround, ownIssuer }) =>
  share((log) => tellDays(run, async () => handOut(await openedGround(), log.exchanges), ownIssuer, log)),
)
