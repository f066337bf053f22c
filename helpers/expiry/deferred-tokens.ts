import { readFileSync, writeFileSync } from 'node:fs'
import { present } from '../../schemas/present.ts'
import { apiOver } from '../api/api.ts'
import { hour, instant, minute, threeDays } from '../api/instant.ts'
import { Journal } from '../api/journal.ts'
import { kinds } from '../api/kinds.ts'
import { isObject, type Page, uids } from '../api/received.ts'
import { OverflowGroups } from '../arrange/overflow-groups.ts'
import type { Run } from '../arrange/run.ts'
import type { Log } from '../http/call.ts'
import { Inconclusive } from '../http/case-errors.ts'
import { type Aged, apiFor, type ExpiringQuery, listsIn, type MakeList } from './expiring-lists.ts'

/** The page tokens that a run leaves for another, days later: no secrets, and of lists that outlive the run (R42). */
export interface Kept {
  /** The run that left them. */
  run: string
  baseUrl: string
  apiVersion: string
  /** When the tokens were issued, by the suite's clock and by the target's own `Date`, RFC 3339. */
  issued: { here: string; target?: string }
  lists: Partial<Record<ExpiringQuery, KeptList>>
  /** The journal of what stays in the target while the tokens are kept; absent where nothing does. */
  journal?: string
}

/** One list; each token is removed from the file before it is sent, because none is sent twice (R14). */
interface KeptList extends Aged {
  /** The first items, by uid. */
  head: string[]
  /** When the newest item seen then was made, in epoch milliseconds; null where the items show no time. */
  newest?: number | null
  tokens: { justBefore?: KeptToken; justAfter?: KeptToken }
}

/** A token with the size of its page. */
interface KeptToken {
  token: string
  page_size: number
}

/** When to spend a token that should continue, and from when one that should start over: the two clocks may differ. */
export const window = {
  from: threeDays - 4 * hour,
  until: threeDays - 10 * minute,
  after: threeDays + 10 * minute,
}

/** The moments between which a later run should take over, in UTC, in readable form. */
export function dueOf({ issued }: Kept): { from: string; until: string } {
  const [from, until] = [window.from, window.until].map((ms) => toTheMinute(new Date(instant(issued.here) + ms)))
  return { from: from!, until: until! }
}

/** Writes two tokens of each list that outlives the run to a file; `lasting` makes some lists for that. */
export async function keepTokens(run: Run, path: string, log: Log, lasting?: Lasting): Promise<Kept> {
  const { baseUrl, apiVersion } = run.config.target
  const ofRoles: MakeList = async () => ({ kind: 'roles', query: { order_by: 'name desc' } })
  const makers = Object.entries({ ...lasting?.lists, roles: ofRoles }) as [ExpiringQuery, MakeList][]
  const here = new Date()
  const all = await Promise.allSettled(
    makers.map(async ([name, make]) => ({ name, ...(await keepList(run, await make(log), log)) })),
  )
  const made = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const broken = all.find((one) => one.status === 'rejected')
  if (broken && made.length === 0) throw broken.reason
  const lists: Kept['lists'] = Object.fromEntries(made.map(({ name, kept }) => [name, kept]))
  const target = made.find(({ date }) => date !== undefined)?.date
  const kept: Kept = {
    run: /resume-(.*)\.json$/.exec(path)?.[1] ?? path,
    baseUrl,
    apiVersion,
    issued: { here: here.toISOString(), ...(target && { target }) },
    lists,
    ...(lasting ? { journal: lasting.journal } : {}),
  }
  writeKept(path, kept)
  return kept
}

/** A group that stays in the target until its page tokens are spent, with its own lists. */
export interface Lasting {
  /** Where its journal is. */
  journal: string
  /** Nothing more is made in it. */
  close(): void
  lists: Record<ExpiringQuery, MakeList>
}

/** Makes a group that stays: the run that spends the tokens deletes it, or `sweep` with its journal. */
export async function openLasting(run: Run, path: string, log: Log): Promise<Lasting> {
  const file = path.replace(/\.json$/, '.jsonl')
  const journal = new Journal(run.journal.operatorsGroup, file, undefined, run.header)
  journal.clean = (text) => run.secrets.redact(text)
  const own: Run = { ...run, journal }
  const { uid } = await apiOver(own, log).groups.create(own.journal.operatorsGroup, { name: run.names.root(true) })
  journal.root = uid
  return {
    journal: file,
    close: () => journal.close(),
    lists: listsIn(own, { uid, overflow: new OverflowGroups([uid]) }, log),
  }
}

async function keepList(run: Run, aged: Aged, log: Log) {
  const { kind, query } = aged
  const { list } = apiFor(run, log, aged)[kind]
  const one = await list({ ...query, page_size: 1 })
  const two = await list({ ...query, page_size: 2 })
  const head = await list({ ...query, page_size: 3 })
  const token = (page: Page, page_size: number) =>
    page.nextPageToken === undefined ? undefined : { token: page.nextPageToken, page_size }
  const [justBefore, justAfter] = [token(one, 1), token(two, 2)]
  if (!justBefore) throw new Inconclusive(`the list of ${kind} is too short to have a page token`)
  const tokens = { justBefore, ...present({ justAfter }) }
  const times = [one, two, head].flatMap(({ items }) => items.map(({ createTime }) => instant(createTime)))
  return { kept: { ...aged, head: uids(head.items), newest: Math.max(...times), tokens }, date: one.headers.date }
}

/** A moment in UTC, in readable form. */
export const toTheMinute = (moment: Date) => `${moment.toISOString().slice(0, 16)}Z`

/** Writes down what is kept. */
export function writeKept(path: string, kept: Kept): void {
  try {
    writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
  } catch (error) {
    throw new Inconclusive(`${path} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** The contents of a file; throws an `Error` that says why it is not such a file. */
export function readKept(path: string): Kept {
  const kept: unknown = JSON.parse(readFileSync(path, 'utf8'))
  const { run, baseUrl, apiVersion, issued, lists } = isObject(kept) ? kept : {}
  const fits =
    [run, baseUrl, apiVersion].every((text) => typeof text === 'string') &&
    isObject(issued) &&
    !Number.isNaN(instant(issued.here)) &&
    isObject(lists) &&
    Object.values(lists).every(isKeptList)
  if (!fits) throw new Error('it is no resume-….json of an earlier run')
  return kept as unknown as Kept
}

function isKeptList(list: unknown): boolean {
  const { kind, query, head, tokens } = isObject(list) ? list : {}
  return (
    typeof kind === 'string' &&
    Object.hasOwn(kinds, kind) &&
    isObject(query) &&
    Array.isArray(head) &&
    head.every((uid) => typeof uid === 'string') &&
    isObject(tokens) &&
    Object.values(tokens).every(
      (token) => isObject(token) && typeof token.token === 'string' && Number.isInteger(token.page_size),
    )
  )
}
