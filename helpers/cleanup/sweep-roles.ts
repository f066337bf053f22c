import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../api/api.ts'
import type { Entry } from '../api/journal-lines.ts'
import { isMarkedDeleted } from '../assertions/deletion-marks.ts'
import { isMissing } from '../assertions/refused.ts'
import { type Answer, succeeded } from '../http/call.ts'
import { listedWhole } from './sweep-group.ts'

/** The waits before the roles are listed again, in milliseconds: a list may show deletions late (R52). */
const pauses = [0, 500, 1_500, 3_000]

/**
 * Deletes the roles that a journal records, which are in no group; returns those that still exist. One whose create had
 * no answer is only named, because nothing proves that it is the run's.
 */
export async function rolesLeft(api: Api, entries: readonly Entry[]): Promise<string[]> {
  const made = entries.filter(({ kind }) => kind === 'roles')
  if (made.length === 0) return []
  const uids = made.flatMap(({ uid = [] }) => uid)
  const names: unknown[] = made.flatMap(({ name = [] }) => name)
  let left: string[] = []
  for (const pause of pauses) {
    await sleep(pause)
    const answers = await Promise.all(uids.map((uid) => api.attempt.roles.delete(uid).catch(() => undefined)))
    const isGone = (answer?: Answer) => answer !== undefined && (succeeded(answer) || isMissing(answer))
    const listed = await listedWhole(api, 'roles', { page_size: 200 }).catch(() => undefined)
    left =
      listed
        ?.filter((role) => (uids.includes(role.uid) || names.includes(role.name)) && !isMarkedDeleted({ json: role }))
        .map(({ uid, name }) => `${uid} (the role '${String(name)}')`) ??
      uids.filter((_, index) => !isGone(answers[index]))
    if (left.length === 0) return []
  }
  return left
}
