import { setTimeout as sleep } from 'node:timers/promises'
import type { KindName } from '../../api/kinds.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'

/** The kinds of which the target put something of its own among those of the run (R50). */
const mixedOf = ({ run }: Driver, kinds: readonly KindName[]) =>
  kinds.filter((kind) => run.model.hearing.judge.state.flags.has(`alien ${kind}`))

/**
 * Lists all there is of those kinds of which the target put some there itself: asked before other lists and after them,
 * this shows how many there were (R50).
 */
export async function askWhole(driver: Driver, kinds: readonly KindName[], scopes: readonly string[]): Promise<void> {
  const places = scopes.flatMap((uid) => [childrenOf(uid), descendantsOf(uid)])
  const asked = mixedOf(driver, kinds).flatMap((kind) =>
    places.map((place) => ({ kind, query: { ...place, page_size: 200 } })),
  )
  await inParallel(asked, 4, ({ kind, query }) => driver.walk(kind, query))
}

/** The same before other lists, and waits until no list may lag any more: then they are judged strictly (R52). */
export async function askWholeOnceStill(
  driver: Driver,
  kinds: readonly KindName[],
  scopes: readonly string[],
): Promise<void> {
  // this shows first of which kinds there are such
  await inParallel(kinds, 4, (kind) => driver.list(kind, { ...childrenOf(scopes[0]!), page_size: 200 }))
  await driver.run.model.settled()
  await askWhole(driver, kinds, scopes)
  if (mixedOf(driver, kinds).length > 0) await sleep(driver.run.patience.readings)
}
