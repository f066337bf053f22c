import type { KindName } from '../../api/kinds.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'

/**
 * Lists all there is of those kinds of which the target put some there itself: asked before other lists and after them,
 * this shows how many there were (R50).
 */
export async function askWhole(driver: Driver, kinds: readonly KindName[], scopes: readonly string[]): Promise<void> {
  const { flags } = driver.run.model.hearing.judge.state
  const mixed = kinds.filter((kind) => flags.has(`alien ${kind}`))
  const places = scopes.flatMap((uid) => [childrenOf(uid), descendantsOf(uid)])
  const asked = mixed.flatMap((kind) => places.map((place) => ({ kind, query: { ...place, page_size: 200 } })))
  await inParallel(asked, 4, ({ kind, query }) => driver.walk(kind, query))
}
