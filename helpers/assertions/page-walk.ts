import { counted } from '../../schemas/counted.ts'
import type { Page, Received } from '../api/received.ts'
import { uids } from '../api/received.ts'
import type { Query } from '../http/url.ts'
import { violated } from './violation.ts'

/** One call of a list operation. */
export type List = (query: Query) => Promise<Page>

/** A walk from the first page to the one without a token. */
export interface Walk {
  pages: Page[]
  items: Received[]
}

/** The orders in which the contract allows a list to be requested (S4.13); undefined is the default order. */
export const orders = [undefined, 'name', 'name desc', 'created_at', 'created_at desc'] as const

/**
 * Follows `nextPageToken` until there is none (S4.25). `expected` is how many items there are: a page that was seen
 * before, or more than two pages beyond what they need, ends the walk as a violation (R11). `begun` are pages already
 * read.
 */
export async function walk(list: List, query: Query, expected: number, begun?: readonly Page[]): Promise<Walk> {
  const asked = typeof query.page_size === 'number' ? query.page_size : 50
  // a token may keep the page size that it was issued under (R14)
  const size = Math.min(asked, ...(begun ?? []).map(({ items }) => items.length || asked))
  const pages = [...(begun ?? [await list(query)])]
  const budget = Math.ceil(atMost(expected, pages[0]) / size) + 2
  const seen = new Map(pages.slice(0, -1).map((page, index) => [content(page), index + 1]))
  for (;;) {
    const page = pages.at(-1)!
    const shown = content(page)
    const before = seen.get(shown)
    if (page.items.length > 0 && before !== undefined)
      endless(query, pages, `shows page ${before} again: a cursor cycle`)
    seen.set(shown, pages.length)
    if (page.nextPageToken === undefined) break
    if (pages.length >= budget) endless(query, pages, `goes on after ${counted(pages.length, 'page')}`)
    pages.push(await list(onward(query, page)))
  }
  return { pages, items: pages.flatMap(({ items }) => items) }
}

/** How many strangers a list may hold per thing that a run made, and in addition (R50): more make no walk longer. */
const [strangersBesideEach, mostStrangers] = [10, 50]

function atMost(expected: number, first: Page | undefined): number {
  const total = Number(first?.totalCount)
  return total > expected ? Math.min(total, expected * (1 + strangersBesideEach) + mostStrangers) : expected
}

/** How often some walks continued from one page to the next. */
export function boundaries(walks: readonly Pick<Walk, 'pages'>[]): number {
  return walks.reduce((sum, { pages }) => sum + pages.length - 1, 0)
}

/** The first `count` pages of a walk, or all if there are fewer. */
export async function firstPages(list: List, query: Query, count: number): Promise<Page[]> {
  const pages = [await list(query)]
  while (pages.length < count && pages.at(-1)!.nextPageToken !== undefined)
    pages.push(await list(onward(query, pages.at(-1)!)))
  return pages
}

/** The query for the page after another one (R14). */
function onward({ skip: _, ...query }: Query, { nextPageToken }: Page): Query {
  return { ...query, page_token: nextPageToken }
}

/** The contents of a page; a renamed item may lawfully come again (R22). */
function content({ items }: Page): string {
  return items.map(({ uid, name }) => `${uid} ${name}`).join()
}

function endless(query: Query, pages: readonly Page[], what: string): never {
  const { items } = pages.at(-1)!
  const names = items.map(({ name, uid }) => name ?? uid)
  violated({
    message: `a walk ${what}${endOf(pages)}`,
    expected: 'pages that come to an end, none of them twice (S4.25, R11)',
    got: `${counted(items.length, 'item')}${strangersOn(pages, query)}, the first of them ${names.slice(0, 3).join(', ') || 'none'}`,
    where: `page ${pages.length} of the walk`,
  })
}

/** The exchange of the last page, which a reader needs. */
export function endOf(pages: readonly Page[]): string {
  const number = pages.at(-1)?.number
  return number === undefined ? '' : `, up to exchange ${number}`
}

/** How many items of the last page no longer fit what was asked for, as those of the first do: a cursor forgot it. */
function strangersOn(pages: readonly Page[], query: Query): string {
  const scope = query['uidp.children_of'] ?? query['uidp.descendants_of']
  const asked: Record<string, (item: Received) => boolean> = {
    [`named ${query.name}`]: ({ name }) => query.name === undefined || name === query.name,
    [`below ${scope}`]: ({ uid }) => scope === undefined || uid.startsWith(`${scope}/`),
  }
  const [first, last] = [pages[0]!.items, pages.at(-1)!.items]
  const strange = Object.entries(asked).flatMap(([what, belongs]) => {
    const others = last.filter((item) => !belongs(item)).length
    return others > 0 && first.every(belongs) ? [`, ${others} of them not ${what}`] : []
  })
  return strange.join('')
}

/**
 * Fails unless a walk found exactly these resources, each once, and says on which page it went wrong (S4.25). With
 * `elsewhere`, only those are out of place: what else is there is the target's business (R50).
 */
export function foundAll({ pages, items }: Walk, made: readonly Received[], elsewhere?: readonly Received[]): void {
  const wanted = new Set(uids(made))
  const strange = elsewhere && new Set(uids(elsewhere))
  const belongs = (uid: string) => wanted.has(uid) || strange?.has(uid) === false
  const seen = new Map<string, number>()
  pages.forEach((page, index) => {
    for (const { uid } of page.items) {
      const before = seen.get(uid)
      if (before !== undefined) astray(`lists ${uid} twice`, `on page ${before + 1} and page ${index + 1}`)
      if (!belongs(uid)) astray(`lists ${uid}, which does not belong`, `on page ${index + 1}`)
      seen.set(uid, index)
    }
  })
  const lost = made.filter(({ uid }) => !seen.has(uid))
  if (lost.length > 0) {
    const sizes = pages.map(({ items }) => items.length).join(', ')
    astray(
      `lost ${lost.length} of ${made.length} items`,
      `missing: ${lost
        .slice(0, 5)
        .map(({ uid, name }) => (name === undefined ? uid : `${uid} ('${name}')`))
        .join(', ')}; the ${counted(pages.length, 'page')} held ${sizes} items`,
    )
  }

  function astray(what: string, got: string): never {
    violated({
      message: `the walk ${what}${endOf(pages)}`,
      expected: `each of the ${made.length} items once (S4.25)`,
      got,
      where: `${counted(items.length, 'item')} on ${counted(pages.length, 'page')}`,
    })
  }
}

/** The items of a list that are among some resources, in the order of the list. */
export function among(items: readonly Received[], some: readonly Received[]): Received[] {
  const known = new Set(uids(some))
  return items.filter(({ uid }) => known.has(uid))
}

/** A walk with only those of its items that are among some resources. */
export function only({ pages, items }: Walk, some: readonly Received[]): Walk {
  const met = (all: readonly Received[]) => among(all, some)
  return { pages: pages.map((page) => ({ ...page, items: met(page.items) })), items: met(items) }
}
