import type { Driver } from './driver.ts'
import type { World } from './world.ts'

/** One command on a full world: each is sent once, and everything is read after it. */
export type Command = (driver: Driver, world: World) => Promise<unknown>

/** Updates a group. */
export const update = (to: Driver, uid: string | undefined, body: Record<string, unknown>, updateMask?: string) =>
  to.send(() => to.api.groups.update(uid!, body, { query: { updateMask } }))

/** Updates an identity. */
export const identity = (to: Driver, uid: string | undefined, body: Record<string, unknown>, updateMask?: string) =>
  to.send(() => to.api.identities.update(uid!, body, { query: { updateMask } }))
