import { readFileSync, writeFileSync } from 'node:fs'
import { type AgedTokens, outcome, type Spent, spent } from './ageing.ts'
import type { Log } from './client.ts'
import { apiOver, isObject, type Page, uids } from './resources.ts'
import type { Run } from './run.ts'
import { instant } from './same.ts'
import { Inconclusive } from './stopped.ts'

/** The page tokens that a run leaves for another one, days later: no secrets, and of a list that outlives the run (R42). */
export interface Kept {
  baseUrl: string
  apiVersion: string
  /** When the tokens were issued, by the suite's clock and by the target's own `Date`, RFC 3339. */
  issued: { here: string; target?: string }
  /** The roles at the head of the list, by their uids. */
  head: string[]
  /** Each with the size of its page; each is taken out of the file before it is sent, for none is sent twice (R14). */
  tokens: { justBefore?: KeptToken; justAfter?: KeptToken }
}
interface KeptToken {
  token: string
  page_size: number
}

/** The requirements that kept tokens tell. */
export const toldByKept = ['list.token.lives@roles', 'list.token.restarts@roles']

const minute = 60_000
const day = 24 * 60 * minute
/** When a token is spent that should go on, and from when one that should start over: the two clocks may run apart. */
const window = { from: 3 * day - 4 * 60 * minute, until: 3 * day - 10 * minute, after: 3 * day + 10 * minute }
const query = { order_by: 'name desc' }

/** Gets two tokens and writes them to a file; gives the moment from which they tell something. */
export async function keepTokens(run: Run, path: string, log: Log): Promise<Date> {
  const { baseUrl, apiVersion } = run.config.target
  const { list } = apiOver(run, log).roles
  const here = new Date()
  const one = await list({ ...query, page_size: 1 })
  const two = await list({ ...query, page_size: 2 })
  const head = await list({ ...query, page_size: 3 })
  const kept = (page: Page, page_size: number) =>
    page.nextPageToken === undefined ? undefined : { token: page.nextPageToken, page_size }
  const [justBefore, justAfter] = [kept(one, 1), kept(two, 2)]
  if (!justBefore) throw new Inconclusive('the list of roles is too short to have a page token')
  write(path, {
    baseUrl,
    apiVersion,
    issued: { here: here.toISOString(), ...(one.headers.date && { target: one.headers.date }) },
    head: uids(head.items),
    tokens: { justBefore, ...(justAfter && { justAfter }) },
  })
  return new Date(+here + window.from)
}

/** Spends what was kept, as far as its time has come. */
export async function spendKept(run: Run, path: string, own: Log): Promise<AgedTokens> {
  const kept = readKept(path)
  const [arrange, act] = [apiOver(run, own).roles, apiOver(run, { ...own, phase: 'act' }).roles]
  const now = await arrange.list({ ...query, page_size: 3 })
  const head = uids(now.items)
  const age = ageOf(kept, now)
  const at = (ms: number) => toTheMinute(new Date(Date.now() - age + ms))
  const against = head.join() === kept.head.join() ? undefined : 'the roles changed meanwhile'
  const spendOne = async (name: keyof Kept['tokens'], wanted: (size: number) => string[]): Promise<Spent> => {
    const { [name]: token, ...others } = kept.tokens
    if (!token) return untold(`no such token is left in ${path}: one is spent only once`)
    kept.tokens = others
    write(path, kept)
    const { token: page_token, page_size } = token
    const came = await outcome(act.list({ ...query, page_size, page_token }))
    return spent(came, wanted(page_size), against)
  }
  return {
    justBefore:
      age < window.from
        ? untold(`it is too early to tell: come back from ${at(window.from)} to ${at(window.until)}`)
        : age > window.until
          ? untold(`it is too late to tell: that was from ${at(window.from)} to ${at(window.until)}`)
          : await spendOne('justBefore', () => kept.head.slice(1, 2)),
    justAfter:
      age < window.after
        ? untold(`it is too early to tell: come back from ${at(window.after)} on`)
        : await spendOne('justAfter', (size) => head.slice(0, size)),
  }
}

const untold =
  (why: string): Spent =>
  () => {
    throw new Inconclusive(why)
  }

/** A moment for people, in UTC. */
export const toTheMinute = (moment: Date) => `${moment.toISOString().slice(0, 16)}Z`

/** How old the tokens are, in milliseconds: by the target's own clock where it tells it. */
function ageOf({ issued }: Kept, { headers }: Page): number {
  const byTarget = instant(headers.date) - instant(issued.target)
  return Number.isNaN(byTarget) ? Date.now() - instant(issued.here) : byTarget
}

function write(path: string, kept: Kept): void {
  writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`)
}

/** What a file keeps; throws an `Error` that says why it is none of these. */
export function readKept(path: string): Kept {
  const kept: unknown = JSON.parse(readFileSync(path, 'utf8'))
  const { baseUrl, apiVersion, issued, head, tokens } = isObject(kept) ? kept : {}
  const texts = [baseUrl, apiVersion, ...(Array.isArray(head) ? head : [undefined])]
  const known = isObject(tokens) ? Object.values(tokens) : [undefined]
  const fits =
    texts.every((text) => typeof text === 'string') &&
    isObject(issued) &&
    !Number.isNaN(instant(issued.here)) &&
    known.every(
      (token) => isObject(token) && typeof token.token === 'string' && Number.isInteger(token.page_size),
    )
  if (!fits) throw new Error('it is no resume-….json of an earlier run')
  return kept as unknown as Kept
}
