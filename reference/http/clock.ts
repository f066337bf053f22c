import type { IncomingMessage } from 'node:http'
import { errorBody, Refusal } from '../domain/refusal.ts'
import type { At } from '../domain/world.ts'
import type { Answer } from '../rules.ts'
import { bytesOf } from './body.ts'

/** Where the clock is moved: a hook of the operator's, no part of the API. */
export const clockPath = '/clock'

/** Moves the service's clock by `advanceSeconds`, and answers what time it is then (R2). */
export async function moveClock(incoming: IncomingMessage, at: At): Promise<Answer> {
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

/** The hook is no part of the API: its body is no matter of the rules. */
function secondsIn(bytes: Uint8Array): unknown {
  try {
    return (JSON.parse(new TextDecoder().decode(bytes)) as { advanceSeconds?: unknown } | null)?.advanceSeconds
  } catch {
    return undefined
  }
}
