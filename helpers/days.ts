import { agedQueries, type Days, passDays } from './ageing.ts'
import type { Log } from './client.ts'
import { keepTokens, spendKept, toTheMinute } from './resume.ts'
import type { Run } from './run.ts'
import type { Ground } from './scratch.ts'
import { type Shared, share } from './shared.ts'
import { Inconclusive } from './stopped.ts'
import type { OwnIssuer } from './sts-identities.ts'

/** What days do to a target: those that an earlier run began, or those by which its clock is moved; else they stay untold. */
export async function tellDays(
  run: Run,
  ground: () => Promise<Ground>,
  ownIssuer: OwnIssuer,
  log: Log,
): Promise<Days> {
  if (run.resume !== undefined) return resumed(run, run.resume)
  if (run.spares)
    return untold('--keep leaves what failing cases made: the clock is not moved, for that begins anew')
  if (run.clock.movable) return passDays(run, await ground(), ownIssuer, log)
  const left = run.keep === undefined ? undefined : await leftBehind(run, run.keep, log)
  return { ...untold(noHook), tokens: untold(left === undefined ? noHook : `${noHook}; ${left}`).tokens }
}

const noHook = 'the clock of this target cannot be moved: no RMAPI_CLOCK_URL is set'

const not = (why: string) => ({ broken: new Inconclusive(why), exchanges: [] })

function untold(why: string): Days {
  const tokens = Object.fromEntries(
    agedQueries.map((query) => [query, not(why)]),
  ) as unknown as Days['tokens']
  return { tokens, later: not(why), apiTokens: not(why) }
}

async function resumed(run: Run, path: string): Promise<Days> {
  const others = untold('an earlier run kept page tokens of roles alone')
  const roles = await withExchanges((log) => spendKept(run, path, log))
  return { ...others, tokens: { ...others.tokens, roles } }
}

async function withExchanges<T>(make: (log: Log) => Promise<T>): Promise<Shared<T>> {
  let exchanges: Log['exchanges'] = []
  const shared = await share((log) => {
    exchanges = log.exchanges
    return make(log)
  })
  return { ...shared, exchanges }
}

async function leftBehind(run: Run, path: string, log: Log): Promise<string> {
  try {
    const from = await keepTokens(run, path, log)
    return `'rmapi-conformance run --resume ${path}' tells it of roles from ${toTheMinute(from)} on`
  } catch (error) {
    return `nor could a page token be kept for a later run: ${(error as Error).message}`
  }
}
