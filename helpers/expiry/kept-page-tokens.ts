import { apiOver } from '../api/api.ts'
import type { Journal } from '../api/journal.ts'
import { type KindName, registryKinds } from '../api/kinds.ts'
import type { Run } from '../arrange/run.ts'
import { descendantsOf } from '../arrange/scratch.ts'
import type { Log } from '../http/call.ts'
import { TargetGone } from '../http/case-errors.ts'
import type { Query } from '../http/url.ts'

/** A page of a list. */
export interface OnePage {
  kind: KindName
  query: Query
}

const kept = new WeakMap<Journal, OnePage[]>()

/** Takes page tokens of lists that the run did not make: only these outlive the run's deletions (S8.3, R42). */
export async function keepPageTokens(run: Run, log: Log): Promise<void> {
  const api = apiOver(run, log)
  const registry = run.config.target.registryGroupUid
  const others = registry === undefined ? [] : registryKinds.map((kind) => ({ kind, query: descendantsOf(registry) }))
  const open = async ({ kind, query }: OnePage): Promise<OnePage[]> => {
    // the model knows what a page continues if it saw the whole list
    await api[kind].list({ ...query, page_size: 200 })
    const page = { ...query, page_size: 1 }
    const { nextPageToken } = await api[kind].list(page)
    return nextPageToken === undefined ? [] : [{ kind, query: { ...page, page_token: nextPageToken } }]
  }
  const lists: OnePage[] = [{ kind: 'roles', query: {} }, ...others]
  const opened = lists.map((list) =>
    open(list).catch((error) => {
      if (error instanceof TargetGone) throw error
      return []
    }),
  )
  kept.set(run.journal, (await Promise.all(opened)).flat())
}

/** The pages that continue those tokens; each is handed out once (R14). */
export function keptPages({ journal }: Run): OnePage[] {
  const pages = kept.get(journal) ?? []
  kept.delete(journal)
  return pages
}
