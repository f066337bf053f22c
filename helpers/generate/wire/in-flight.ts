import { type Call, type Credential, noCredential } from '../../http/call.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import type { World } from '../world.ts'
import { callOf, listOf } from './operations.ts'

/** The credentials with which each call goes out beside the same call with the good token. */
const bad: readonly Credential[] = [noCredential, { header: 'Bearer garbage', shown: 'Bearer garbage' }]

/** Sends calls with a bad credential beside the same calls with the good one: each is judged on its own (R39). */
export async function askInFlight(driver: Driver, world: World): Promise<void> {
  const home = await driver.group(driver.scope)
  if (home === undefined) return
  // there is no v1 over gRPC
  const version = driver.run.over === undefined ? 'v1' : undefined
  const get = await callOf(driver, world, 'groups', 'get', version)
  const reads = [listOf(driver, 'groups', version), ...(get ? [get] : [])]
  const create = (): Call => ({
    operation: 'group.create',
    method: 'POST',
    path: driver.path('groups', home.uid),
    body: { name: driver.name() },
  })
  const calls = [
    ...reads.map((call) => ({ good: () => driver.call(call), same: () => call })),
    { good: () => driver.group(home.uid), same: create },
  ]
  const pairs = bad.flatMap((credential) => calls.map((call) => ({ ...call, credential })))
  await inParallel(pairs, 2, ({ good, same, credential }) =>
    Promise.all([good(), driver.call({ ...same(), credential }), good()]),
  )
}
