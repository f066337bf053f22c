import type { Api } from '../api/api.ts'
import { isReceived, type Received } from '../api/received.ts'
import { type Answer, succeeded } from '../http/call.ts'
import { Inconclusive } from '../http/case-errors.ts'

/** A group whose uid was issued, with its name if it is one of the run's own. */
type Issued = Pick<Received, 'uid'> & { name?: unknown }

/**
 * Uids close to an issued one: a digit changed, one more, one fewer, an extra segment, another parent, or its name
 * alone or below the parent. Some may have been issued after all.
 */
export function alikeTo({ uid, name }: Issued, parent: string): string[] {
  const last = uid.at(-1) ?? ''
  const other = /[0-9a-f]/i.test(last) && last !== '0' ? '0' : '1'
  const segment = uid.slice(uid.lastIndexOf('/') + 1)
  const alike = [
    uid.slice(0, -1) + other,
    `${uid}0`,
    uid.slice(0, -1),
    // with zeros, because what counts may have issued the same digit below it
    `${uid}/00000000${segment}`,
    `${parent}/00000000${segment.slice(8)}`,
    ...(typeof name === 'string' ? [name, `${parent}/${name}`] : []),
  ]
  return alike.filter((one) => one !== uid && !one.endsWith('/'))
}

/** Uids that nobody issued, however similar to a group's (R38); without any that Get knows after all. */
export async function unissuedUids(api: Api, group: Issued, parent: string): Promise<string[]> {
  return stillUnissued(api, alikeTo(group, parent))
}

/** One of them; inconclusive where every uid tried exists after all (R38). */
export async function oneUnissued(api: Api, group: Issued, parent: string): Promise<string> {
  for (const uid of alikeTo(group, parent)) if ((await stillUnissued(api, [uid])).length > 0) return uid
  throw new Inconclusive('Get shows a group with every uid that is tried, although none was issued')
}

/** Only an answer with exactly the uid shows that it exists (R38). */
const showsUid = (uid: string, answer: Answer) =>
  succeeded(answer) && isReceived(answer.json) && answer.json.uid === uid

/** Those uids that Get of a group does not know, because short ones may have been issued to somebody else (R10). */
export async function stillUnissued(api: Api, uids: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(uids.map((uid) => api.attempt.groups.get(uid)))
  return uids.filter((uid, index) => !showsUid(uid, answers[index]!))
}
