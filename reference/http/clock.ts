import type { IncomingMessage } from 'node:http'
import { errorBody } from '../domain/error-body.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Context } from '../domain/service.ts'
import type { Answer } from '../rules/values.ts'
import { bytesOf } from './body.ts'

/** The path of the operator's hook that moves the clock; it is not part of the API. */
export const clockPath = '/clock'

/** Moves the service's clock by `advanceSeconds` and answers the new time (R2). */
export async function moveClock(incoming: IncomingMessage, at: Context): Promise<Answer> {
  const { world } = at
  try {
    const advanceSeconds = secondsIn(await bytesOf(incoming))
    if (typeof advanceSeconds !== 'number' || !(advanceSeconds >= 0)) {
      throw new Refusal('invalid', 'advanceSeconds', 'a number of seconds, 0 or more, is required')
    }
    world.advance(advanceSeconds)
    const body = world.rules.clockMoved(new Date(world.now()).toISOString(), at)
    return { status: body === undefined ? 204 : 200, headers: {}, body }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: 400, headers: {}, body: errorBody(error, at) }
  }
}

/** Read without the rules, because the hook is not part of the API. */
function secondsIn(bytes: Uint8Array): unknown {
  try {
    return (JSON.parse(new TextDecoder().decode(bytes)) as { advanceSeconds?: unknown } | null)?.advanceSeconds
  } catch {
    return undefined
  }
}
