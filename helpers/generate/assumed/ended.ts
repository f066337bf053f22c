import { descendantsOf } from '../../arrange/scratch.ts'
import { exchangedToken } from '../../http/call.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import { otherPaths, type Shape, shapesOf } from '../wire/operations.ts'
import { type World, withForeign } from '../world.ts'
import { readOf } from './opened.ts'

/** How many calls are sent at once. */
const atOnce = 8

const isOfV2 = ({ name }: Shape) => !name.startsWith('v1.')

/** Sends every operation with an expired API token, also over gRPC if `beside` uses it (R39, R40); returns how many. */
export async function askEnded(driver: Driver, made: World, beside: Driver | undefined): Promise<number> {
  const tokens = driver.run.model.ended()
  if (tokens.length === 0 || made.places.length === 0) return 0
  const world = await withForeign(driver, made)
  const shapes = shapesOf()
  const overHttp = shapes.map((shape) => ({ to: driver, shape }))
  const overGrpc = shapes.filter(isOfV2).map((shape) => ({ to: beside, shape }))
  const all = [...overHttp, ...(beside ? overGrpc : [])].map((one, index) => ({ ...one, index }))
  await inParallel(all, atOnce, async ({ to, shape, index }) => {
    const call = await shape.call(driver, world)
    if (to === undefined || call === undefined) return
    const credential = exchangedToken(driver.draw.one(tokens))
    // a guard may know only one spelling of the path
    const [escaped = call.path] = to === driver && index % 2 === 1 ? otherPaths(call) : []
    await to.call({ ...call, path: escaped, credential })
  })
  await driver.frame()
  return all.length
}

/** How many expired API tokens are tried. */
const mostTried = 8

/**
 * Reads a group and lists what is in it with expired API tokens, and sends every operation over gRPC, if `beside` uses it,
 * with the one that ended last (R40).
 */
export async function askEndedOf(driver: Driver, made: World, beside: Driver | undefined): Promise<void> {
  const [home, ended] = [driver.scope, driver.run.model.ended()]
  const tokens = driver.draw.some(ended, mostTried)
  const reads = [readOf(driver, 'groups', { uid: home }), readOf(driver, 'identities', { query: descendantsOf(home) })]
  await inParallel(tokens, atOnce, async (token) => {
    const credential = exchangedToken(token)
    for (const read of reads) await driver.call({ ...read, credential })
  })
  const last = ended.at(-1)
  if (beside === undefined || last === undefined || made.places.length === 0) return
  const world = await withForeign(driver, made)
  await inParallel(shapesOf().filter(isOfV2), atOnce, async (shape) => {
    const call = await shape.call(driver, world)
    if (call) await beside.call({ ...call, credential: exchangedToken(last) })
  })
  await driver.frame()
}
