import fc from 'fast-check'
import type { Names } from './names.ts'
import { orders } from './paging.ts'
import { type Api, type Page, type Received, uids } from './resources.ts'
import { deleteGroup, type Scratch } from './scratch.ts'

/** What others may do between two pages of a walk. */
const kindsOfChange = [
  'insert in front',
  'insert behind',
  'delete the last one seen',
  'delete one not yet seen',
  'rename one seen to the end',
  'rename one not yet seen to the front',
  'touch the first one seen',
] as const

/** One of them. */
export type Change = (typeof kindsOfChange)[number]

/** A change in a walk of any order. */
export const changes = fc.record({
  order: fc.constantFrom(...orders),
  change: fc.constantFrom(...kindsOfChange),
})

/** A walk that is under way, and what it goes through. */
export interface UnderWay {
  api: Api
  scratch: Scratch
  parent: Received
  made: readonly Received[]
  pages: readonly Page[]
  names: Names
}

/** Makes the change, and gives the uids that it touched. */
export async function makeChange(
  change: Change,
  { api, scratch, parent, made, pages, names }: UnderWay,
): Promise<string[]> {
  const seen = uids(pages.flatMap(({ items }) => items))
  const unseen = uids(made).filter((uid) => !seen.includes(uid))
  const [firstSeen, lastSeen, next] = [seen[0] ?? '', seen.at(-1) ?? '', unseen[0] ?? '']
  const rename = (uid: string, start: string) => api.groups.update(uid, { name: `${start}${names.fresh()}` })
  const make: Record<Change, () => Promise<unknown>> = {
    'insert in front': () => api.groups.create(parent.uid, { name: `aaa${names.fresh()}` }),
    'insert behind': () => api.groups.create(parent.uid, { name: `zzz${names.fresh()}` }),
    'delete the last one seen': () => deleteGroup(api, scratch, lastSeen),
    'delete one not yet seen': () => deleteGroup(api, scratch, next),
    'rename one seen to the end': () => rename(firstSeen, 'zzz'),
    'rename one not yet seen to the front': () => rename(next, 'aaa'),
    'touch the first one seen': () => api.groups.update(firstSeen, { description: 'touched' }),
  }
  await make[change]()
  return change.startsWith('insert')
    ? []
    : [change.includes('not yet') ? next : change.includes('last') ? lastSeen : firstSeen]
}
