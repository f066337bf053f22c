import { setTimeout as sleep } from 'node:timers/promises'
import { type Api, apiOver } from '../api/api.ts'
import { instant, minute, threeDays } from '../api/instant.ts'
import { type Page, type Received, uids } from '../api/received.ts'
import type { Run } from '../arrange/run.ts'
import { makeScratch, type RunGroup } from '../arrange/scratch.ts'
import { type Shared, share } from '../arrange/shared.ts'
import type { Log } from '../http/call.ts'
import { Inconclusive, Stopped } from '../http/case-errors.ts'
import type { Query } from '../http/url.ts'
import type { OwnIssuer } from '../sts/identities.ts'
import { type HourOld, movesOfAnHour, passAnHour } from './access-token-expiry.ts'
import { moving } from './elapse.ts'
import { apiFor, type ExpiringQuery, expiringQueries, listsIn, type MakeList } from './expiring-lists.ts'
import { keepPageTokens } from './kept-page-tokens.ts'
import { inLockstep, type Participant } from './lockstep.ts'
import { openSecondScratch } from './second-scratch.ts'

/**
 * Returns the page that a token gave, and the uids that it should have given. Throws `Stopped` if the call was refused,
 * `Inconclusive` if it cannot be decided.
 */
export type Spent = () => { page: Page; wanted: string[] }

/** The page tokens of one query: one was spent just before it was three days old and again just after, another only then (R42). */
export interface ExpiringTokens {
  justBefore: Spent
  again: Spent
  justAfter: Spent
}

/** What was made and changed after the clock had moved by days, and what it showed then. */
export interface Later {
  now: number | undefined
  made: Record<'groups' | 'identities' | 'roleBindings', () => Received>
  /** The updateTime of the change; undefined where it did not move (R26). */
  stamped(): unknown
}

/** The results of the days that passed. */
export interface Days {
  tokens: Record<ExpiringQuery, Shared<ExpiringTokens>>
  later: Shared<Later>
  apiTokens: Shared<HourOld>
}

/** How far from three days a token is spent: some honest servers count in minutes. */
const margin = 2 * minute

/** Moves the clock: an hour for API tokens, then three days for page tokens, in its own scratch group. */
export async function passDays(run: Run, ownIssuer: OwnIssuer, log: Log): Promise<Days> {
  const { clock } = run
  await keepPageTokens(run, log)
  const runGroup = await openSecondScratch(run, log)
  const lists = listsIn(run, runGroup, log)
  let [issued, allIssued, late] = [0, 0, false]
  const sinceIssue = (from: number) => clock.read() - from
  const anHour = passAnHour(run, runGroup, ownIssuer, moving(run, log))
  const moves = [
    ...anHour.moves.map((move) => async () => {
      await move()
      issued = clock.read()
    }),
    async () => {
      allIssued = clock.read()
      await clock.advance(Math.floor((threeDays - margin - sinceIssue(issued)) / 1000), log)
    },
    async () => {
      late = sinceIssue(issued) >= threeDays
      await clock.advance(Math.ceil((threeDays + margin - sinceIssue(allIssued)) / 1000), log)
    },
  ]
  const ageing = expiringQueries.map((name) =>
    witnessed(log, (own, next) => growOld(lists[name], () => late, run, own, next)),
  )
  const [apiTokens, later, ...tokens] = await inLockstep(
    [
      witnessed(log, anHour.part),
      witnessed(log, async (own, next) => {
        const nextOf = async () => {
          for (let move = 0; move < movesOfAnHour + 2; move++) await next()
        }
        return makeLater(run, runGroup, own, nextOf, () => clock.lastKnown())
      }),
      ...ageing,
    ],
    moves,
  )
  return {
    apiTokens,
    later,
    tokens: Object.fromEntries(expiringQueries.map((name, index) => [name, tokens[index]])) as Days['tokens'],
  }
}

/** Keeps the result of a participant, with its exchanges and the common ones. */
function witnessed<T>(common: Log, part: (own: Log, next: () => Promise<void>) => Promise<T>): Participant<Shared<T>> {
  return async (next) => {
    const own: Log = { phase: 'arrange', exchanges: [] }
    const shared = await share(() => part(own, next))
    return { ...shared, exchanges: [...common.exchanges, ...own.exchanges] }
  }
}

/**
 * The life of two tokens of one query. The first is of the second page, an hour after the walk began, because a token's
 * life begins when it is issued, or of a new walk where all pages share one; the other is of a longer first page, because
 * none is sent twice (R14).
 */
async function growOld(
  arrangeList: MakeList,
  isLate: () => boolean,
  run: Run,
  own: Log,
  next: () => Promise<void>,
): Promise<ExpiringTokens> {
  const { kind, query, ...over } = await arrangeList(own)
  const [arrange, act] = [apiFor(run, own, over), apiFor(run, { ...own, phase: 'act' }, over)]
  const list = (api: Api, page: Query) => api[kind].list({ ...query, ...page })
  await longEnough(() => list(arrange, { page_size: 3 }), run.patience.readings)
  const begun = await list(arrange, { page_size: 1 })
  for (let move = 0; move < movesOfAnHour; move++) await next()
  const size = kind === 'roles' ? 2 : 3
  const [head, second, first] = await Promise.all([
    list(arrange, { page_size: 3 }),
    list(arrange, { page_size: 1, page_token: tokenOf(begun) }),
    list(arrange, { page_size: size }),
  ])
  // a cursor that the server holds is as old as its walk (R11)
  const isHeld = tokenOf(second) === tokenOf(begun)
  const [young, shown] = isHeld ? [await list(arrange, { page_size: 1 }), 1] : [second, 2]
  const tokens = [tokenOf(young), tokenOf(first)]
  await next()
  const [third, headAgain] = await Promise.all([
    outcome(list(act, { page_size: 1, page_token: tokens[0] })),
    list(arrange, { page_size: 3 }),
  ])
  await next()
  const [restarted, used, firstAgain] = await Promise.all([
    outcome(list(act, { page_size: size, page_token: tokens[1] })),
    outcome(list(act, { page_size: 1, page_token: tokens[0] })),
    list(arrange, { page_size: size }),
  ])
  const wanted = uids(head.items).slice(shown, shown + 1)
  const newest = Math.max(
    ...[head, second, first].flatMap(({ items }) => items.map((item) => instant(item.createTime))),
  )
  const isMoved = uids(begun.items)[0] === uids(head.items)[0] ? changed(head, headAgain) : hasChanged
  return {
    justBefore: spent(third, wanted, newest, isLate() ? tookTooLong : isMoved),
    again: spent(mayWorkOnce(used), uids(firstAgain.items).slice(0, 1), newest, changed(first, firstAgain)),
    justAfter: spent(restarted, uids(firstAgain.items), newest, changed(first, firstAgain)),
  }
}

/**
 * What a page token gave and should have given, unless there is a reason `against` judging it. An item newer than
 * `newest`, in epoch milliseconds, was made later and may come next in some orders; NaN leaves that open.
 */
export const spent =
  (came: () => Page, wanted: string[], newest: number, against?: string): Spent =>
  () => {
    if (against !== undefined) throw new Inconclusive(against)
    const page = came()
    if (page.items.some(({ createTime }) => instant(createTime) > newest))
      throw new Inconclusive('the list holds what was made after the token was issued')
    return { page, wanted }
  }

/** The page of a token that was used before: refused, it may work only once, which `list.token.twice` warns of (R14). */
const mayWorkOnce = (came: () => Page) => () => {
  try {
    return came()
  } catch (error) {
    if (!(error instanceof Stopped) || (error.stop.status ?? 0) > 499) throw error
    throw new Inconclusive('the page token had been used before, and was refused: it may work only once')
  }
}

const tookTooLong = 'the target took so long that the token may have been three days old'

const hasChanged = 'what the list holds changed meanwhile'

function changed(then: Page, now: Page): string | undefined {
  return uids(then.items).join() === uids(now.items).join() ? undefined : hasChanged
}

/** The result of a call that must succeed, for later. */
export const outcome = <T>(asked: Promise<T>): Promise<() => T> =>
  asked.then(
    (result) => () => result,
    (error) => () => {
      throw error
    },
  )

/** How long to wait before a list is read again, in milliseconds. */
const pause = 250

/** Reads a list until it is longer than a page: what was just made may show late (R52). */
async function longEnough(read: () => Promise<Page>, patience: number): Promise<void> {
  const started = performance.now()
  while ((await read()).nextPageToken === undefined && performance.now() - started < patience) await sleep(pause)
}

function tokenOf({ nextPageToken, items }: Page): string {
  if (nextPageToken !== undefined) return nextPageToken
  throw new Inconclusive(`a page of ${items.length} has no token: the list is too short to judge`)
}

/** Makes one of each kind, and changes what was made before, after the days have passed. */
export async function makeLater(
  run: Run,
  runGroup: RunGroup,
  own: Log,
  daysPass: () => Promise<void>,
  now: () => number | undefined,
): Promise<Later> {
  const api = apiOver(run, { ...own, phase: 'act' })
  const scratch = await makeScratch(apiOver(run, own), { ...run, runGroup })
  const [identity, role] = await Promise.all([scratch.makeIdentity(), scratch.anyRole()])
  const name = run.names.fresh()
  const claimMatch = await scratch.claimMatchFor(name)
  await daysPass()
  const [groups, identities, roleBindings, changed] = await Promise.all([
    outcome(api.groups.create(scratch.uid, { name: run.names.fresh() })),
    outcome(api.identities.create(scratch.uid, { name, description: `identity ${name}`, claimMatch })),
    outcome(api.roleBindings.create(scratch.uid, { identityUid: identity.uid, roleUid: role.uid })),
    outcome(api.groups.update(scratch.uid, { description: 'changed days later' })),
  ])
  const stamped = () => {
    const { updateTime } = changed()
    return updateTime === scratch.group.updateTime ? undefined : updateTime
  }
  return { now: now(), made: { groups, identities, roleBindings }, stamped }
}
