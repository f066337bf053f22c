import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../api/api.ts'
import type { Names } from '../api/names.ts'
import { isObject, type Received } from '../api/received.ts'
import { deleteGroup, type Scratch } from '../arrange/scratch.ts'
import { limited } from '../assertions/refused.ts'
import { type Answer, succeeded } from '../http/call.ts'
import { Inconclusive } from '../http/case-errors.ts'

/** A case's own API and throw-away group. */
interface Sending {
  api: Api
  scratch: Scratch
}

/** How many plain Updates have an effect, one or none: without one, it proves nothing that others have none. */
export async function controlUpdates({ api, scratch }: Sending): Promise<number> {
  const description = 'by a plain update'
  const { json } = await api.attempt.groups.update(scratch.uid, { description })
  return isObject(json) && json.description === description ? 1 : 0
}

/** How many plain renames have an effect, one or none: without one, the refusal of others proves nothing. */
export async function controlRenames({ api, scratch, names }: Sending & { names: Names }): Promise<number> {
  const [{ uid }, name] = [await scratch.makeKnown(), names.fresh()]
  const { json } = await api.attempt.groups.update(uid, { name })
  return isObject(json) && json.name === name ? 1 : 0
}

/** How many plain Deletes succeed, one or none: without one, the refusal of others proves nothing. */
export async function controlDeletes({ api, scratch }: Sending): Promise<number> {
  const { uid } = await scratch.makeGroup()
  return succeeded(await deleteGroup(api, scratch, uid)) ? 1 : 0
}

/** Answers to Delete that are about something other than the contents of the group (R56). */
const isAboutSomethingElse = ({ status, json }: Answer) =>
  [403, 429].includes(status) || (isObject(json) && [7, 8, 10].includes(Number(json.code)))

/** Deletes a group that is not empty: tries again if that is refused for another reason, and then is inconclusive. */
export async function deleteFull({ api }: Pick<Sending, 'api'>, { uid }: { uid: string }): Promise<Answer> {
  for (const pause of [50, 200, 1_000]) {
    const answer = await api.attempt.groups.delete(uid)
    if (!isAboutSomethingElse(answer)) return answer
    await sleep(pause)
  }
  throw new Inconclusive(`Delete of ${uid} is refused for another reason than what the group holds`)
}

/** Makes a chain of groups, as deep as the target allows: the limit is not shown (R56). */
export async function makeLine(scratch: Scratch, top: Received, most: number): Promise<Received[]> {
  const line: Received[] = []
  for (let parent = top; line.length < most; parent = line.at(-1)!) {
    const next = await scratch.makeGroup({}, parent.uid).catch((error: unknown) => {
      if (!(error instanceof Inconclusive) && !limited(error)) throw error
    })
    if (!next) break
    line.push(next)
  }
  return line
}
