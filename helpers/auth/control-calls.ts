import type { Api } from '../api/api.ts'
import { isObject } from '../api/received.ts'
import { deleteGroup, type Scratch } from '../arrange/scratch.ts'
import { succeeded } from '../http/call.ts'

/** A case's own API and throw-away group. */
interface Sending {
  api: Api
  scratch: Scratch
}

/** How many plain Updates show their effect, one or none: without one, that others change nothing says nothing. */
export async function controlUpdates({ api, scratch }: Sending): Promise<number> {
  const description = 'by a plain update'
  const { json } = await api.attempt.groups.update(scratch.uid, { description })
  return isObject(json) && json.description === description ? 1 : 0
}

/** How many plain Deletes succeed, one or none: without one, that others are refused says nothing. */
export async function controlDeletes({ api, scratch }: Sending): Promise<number> {
  const { uid } = await scratch.makeGroup()
  return succeeded(await deleteGroup(api, scratch, uid)) ? 1 : 0
}
