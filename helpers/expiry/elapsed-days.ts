import type { Run } from '../arrange/run.ts'
import type { RunGroup } from '../arrange/scratch.ts'
import { type Shared, share } from '../arrange/shared.ts'
import type { Log } from '../http/call.ts'
import { Inconclusive } from '../http/case-errors.ts'
import type { OwnIssuer } from '../sts/identities.ts'
import { type HourOld, passAnHour } from './access-token-expiry.ts'
import { Spending, spentOnce, tooYoung, untilAfter } from './deferred-checks.ts'
import { dueOf, keepTokens, openLasting } from './deferred-tokens.ts'
import { waiting } from './elapse.ts'
import { type ExpiringQuery, expiringQueries } from './expiring-lists.ts'
import { inLockstep } from './lockstep.ts'
import { type Days, type ExpiringTokens, makeLater, passDays } from './page-token-expiry.ts'

/** What the time part needs: the run's scratch group, opened on first use, and its token issuer. */
interface ExpiryContext {
  run: Run
  runGroup: () => Promise<RunGroup>
  ownIssuer: OwnIssuer
}

/** How a target changes over days that an earlier run began, or by which its clock is moved; else undecided. */
export async function elapseDays(
  run: Run,
  runGroup: () => Promise<RunGroup>,
  ownIssuer: OwnIssuer,
  log: Log,
): Promise<Days> {
  const context = { run, runGroup, ownIssuer }
  if (run.resume !== undefined) return resumed(context, run.resume, log)
  if (run.keepFailed) return undecided('with --keep the clock is not moved, because everything is deleted before that')
  // the run's own group decides how uids are written in paths
  if (run.clock.movable) return runGroup().then(() => passDays(run, ownIssuer, log))
  const left = run.pageTokensFile === undefined ? undefined : await leftBehind(context, run.pageTokensFile, log)
  const { tokens, later } = undecided(left === undefined ? noHook : `${noHook}; ${left}`)
  return { tokens, later, apiTokens: await anHour(context) }
}

const noHook = 'the clock of this target cannot be moved: no RMAPI_CLOCK_URL is set'

const not = (why: string) => ({ broken: new Inconclusive(why), exchanges: [] })

function undecided(why: string): Days {
  const tokens = Object.fromEntries(expiringQueries.map((query) => [query, not(why)])) as unknown as Days['tokens']
  return { tokens, later: not(why), apiTokens: not(why) }
}

/** What an earlier run began; with `--wait` all of it, as far as it is nearly due. */
async function resumed(context: ExpiryContext, path: string, log: Log): Promise<Days> {
  const { run, runGroup } = context
  const spending = new Spending(run, path)
  const age = await spending.age(log)
  const justBefore = await spending.justBefore(age)
  const now = () => run.allAnswers.lastDate
  const later = tooYoung(age)
    ? not('it is too early: the earlier run is not yet three days old')
    : await withExchanges(async (own) => makeLater(run, await runGroup(), own, async () => {}, now))
  const apiTokens = await anHour(context)
  const rest = untilAfter(await spending.age(log))
  if (run.wait && rest > 0 && !tooYoung(age)) await (await waiting(run)).pass(rest / 1000)
  const justAfter = await spending.justAfter(await spending.age(log))
  const tokensOf = (name: ExpiringQuery): Shared<ExpiringTokens> => ({
    made: { justBefore: justBefore[name], again: spentOnce, justAfter: justAfter[name] },
    exchanges: spending.exchanges[name] ?? [],
  })
  const tokens = Object.fromEntries(expiringQueries.map((name) => [name, tokensOf(name)])) as Days['tokens']
  return { tokens, later, apiTokens }
}

/** The hour of API tokens, waited for if the operator has the time. */
async function anHour({ run, runGroup, ownIssuer }: ExpiryContext): Promise<Shared<HourOld>> {
  if (!run.wait) return not(`${noHook}; --wait waits for the hour that a token lives`)
  return withExchanges(async (own) => {
    const { moves, part } = passAnHour(run, await runGroup(), ownIssuer, await waiting(run))
    const [hourOld] = await inLockstep<[HourOld]>([(next) => part(own, next)], moves)
    return hourOld
  })
}

async function withExchanges<T>(make: (log: Log) => Promise<T>): Promise<Shared<T>> {
  let exchanges: Log['exchanges'] = []
  const shared = await share((log) => {
    exchanges = log.exchanges
    return make(log)
  })
  return { ...shared, exchanges }
}

async function leftBehind({ run, runGroup }: ExpiryContext, path: string, log: Log): Promise<string> {
  try {
    const lasting = run.forResume ? await runGroup().then(() => openLasting(run, path, log)) : undefined
    const kept = await keepTokens(run, path, log, lasting).finally(() => lasting?.close())
    const { from, until } = dueOf(kept)
    const all = lasting ? '' : ' of roles alone, of the other lists with --for-resume'
    return `'npx --no-install rmapi-conformance run --resume ${path}' decides it from ${from} to ${until}${all}`
  } catch (error) {
    return `nor could a page token be kept for a later run: ${(error as Error).message}`
  }
}
