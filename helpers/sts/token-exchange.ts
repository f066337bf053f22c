import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../api/api.ts'
import { kinds } from '../api/kinds.ts'
import { viewerRole } from '../api/roles.ts'
import type { Run } from '../arrange/run.ts'
import type { Scratch } from '../arrange/scratch.ts'
import { outcomeOf, whereOf } from '../assertions/refused.ts'
import { isViolation, violated } from '../assertions/violation.ts'
import { type Answer, beginningOf, exchangedToken, type Log, succeeded } from '../http/call.ts'
import { Inconclusive } from '../http/case-errors.ts'
import { waitedInVain } from '../model/credentials.ts'
import { apiTokenIn, fitsHeader } from './api-token.ts'
import { exchangeCall, type Wish } from './exchange-call.ts'

/** One identity, and how to assume it. */
export interface Exchanging {
  readonly uid: string
  /** An identity token that fits the identity: a new one each time, if possible. */
  fresh(): Promise<string>
  /** Binds it to a role in the scratch group, once. */
  readonly bind: () => Promise<void>
  /** One exchange: a good one, except for these wishes. */
  exchange(wish?: Wish): Promise<Answer>
  /**
   * These exchanges, and a good one at the same moment; inconclusive where that is refused. A function is called again
   * for the tokens that have to be sent once more.
   */
  besideGood(wishes: readonly Wish[] | (() => Promise<readonly Wish[]>)): Promise<Answer[]>
  /** The API token of an exchange; inconclusive where none comes. */
  apiToken(wish?: Wish): Promise<string>
  /** The same, once the API has accepted it; inconclusive where it does not. */
  workingToken(): Promise<string>
  /** One reading of the scratch group with an API token. */
  read(token: string): Promise<Answer>
  /** Reads the scratch group with an API token (R41): 401 fails, another lasting refusal is inconclusive. */
  reads(token: string): Promise<Answer>
}

/** An identity in the scratch group that the suite's own issuer vouches for. */
export interface OwnExchanging extends Exchanging {
  /** The issuer and the subject of its claim match. */
  readonly match: { issuer: string; subject: string }
  /** The URL of a key set that is not the issuer's, and the issuer's own key as PEM text. */
  readonly keys: { strange: string; own: string }
  /** A token like a fresh one, except for some claims or members of its header. */
  sign(claims?: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>
  /** The time by the target's clock, in seconds since 1970. */
  now(): number
  /** Gives the identity another subject, and other members in the same Update; inconclusive where that is refused. */
  rematch(subject: string, beside?: Record<string, unknown>): Promise<void>
  /** Another issuer of the suite's, with its own key, which signs a token that is otherwise good. */
  readonly stranger: { name: string; sign(claims?: Record<string, unknown>): Promise<string> }
  /** Issuers of the suite's that publish no key which could sign anything. */
  readonly keyless: readonly string[]
  /** Publishes another key of the issuer, and returns what makes tokens signed with it. */
  publishAnother(): Promise<() => Promise<string>>
  /** Judges the effect of a change: again for ten seconds (R41), or at once. */
  takesEffect(when: 'in time' | 'at once', judge: () => Promise<void>): Promise<void>
}

/** What is needed for exchanges. */
export interface StsContext {
  run: Run
  /** For arrangement. */
  api: Api
  scratch: Scratch
  /** What is sent here is what the case is about; `arranged` is for preparation. */
  log: Log
  arranged: Log
  /** How identity tokens are hidden; by default as those that the suite signs. */
  hides?: 'hide'
}

/** How often an exchange is made that seems to have waited in vain for the issuer. */
const mostExchanges = 3

/** The wait before an exchange or a reading is repeated, in milliseconds. */
const between = 200

/** Exchanges for an identity, with fresh tokens from some source. */
export function exchangingFor(
  context: StsContext,
  uid: string,
  audience: string,
  fresh: () => Promise<string>,
  bind = bindingOnce(context, uid),
): Exchanging {
  const { run, scratch, log, hides } = context
  const assumed = { uid, audience, fresh, run, hides }
  const exchange = async (wish: Wish = {}, again = 'token' in wish ? undefined : async () => wish): Promise<Answer> => {
    const send = async () => run.client.send(await exchangeCall(assumed, wish, again), log)
    let answer = await send()
    for (let tries = 1; tries < mostExchanges && waited(answer); tries++) {
      log.exchanges.splice(log.exchanges.indexOf(answer.exchange), 1)
      answer = await send()
    }
    return answer
  }
  const waited = (answer: Answer) =>
    !succeeded(answer) && waitedInVain(answer.exchange.ms, run.model.hearing.judge.state)
  const good = async (wish?: Wish) => {
    const answer = await exchange(wish)
    if (succeeded(answer)) return answer
    throw new Inconclusive(`no token was given: the exchange was answered ${outcomeOf(answer)}`)
  }
  const read = (token: string) => {
    const credential = exchangedToken(token)
    const path = run.paths.of(kinds.groups, scratch.uid)
    return run.client.send({ operation: 'group.get', method: 'GET', path, credential }, log)
  }
  const apiToken = async (wish?: Wish) => {
    await bind()
    const token = apiTokenIn(await good(wish))
    if (token !== undefined && fitsHeader(token)) return token
    throw new Inconclusive('a good exchange was answered without a token that could be sent')
  }
  const readInTime = async (token: string) => {
    await bind()
    const answer = await untilSuccess(() => read(token), run.patience.rights)
    if (succeeded(answer) || answer.status === 401) return answer
    throw new Inconclusive(
      `the assumed identity may not read the group in which it has a role: ${outcomeOf(answer)} for ${run.patience.rights / 1000} seconds`,
    )
  }
  return {
    uid,
    fresh,
    bind,
    exchange,
    besideGood: async (wishes) => {
      const make = typeof wishes === 'function' ? wishes : undefined
      const all = make ? await make() : (wishes as readonly Wish[])
      const each = (wish: Wish, index: number) => exchange(wish, make && (async () => (await make())[index]!))
      const [, ...answers] = await Promise.all([good(), ...all.map(each)])
      return answers
    },
    apiToken,
    workingToken: async () => {
      const token = await apiToken()
      if (succeeded(await readInTime(token))) return token
      throw new Inconclusive('the API does not take the token of an exchange')
    },
    read,
    reads: async (token) => mustBeTaken(await readInTime(token)),
  }
}

/** Binds the identity on the first call, and never again (R54). */
function bindingOnce(context: StsContext, uid: string): () => Promise<void> {
  let bound: Promise<void> | undefined
  return () => {
    bound ??= bindIn(context, uid)
    return bound
  }
}

/** Binds the identity to a role in the scratch group, `viewer` if there is one; whether it helped shows later. */
export async function bindIn({ api, scratch }: StsContext, identityUid: string): Promise<void> {
  const viewer = await viewerRole(api)
  // not every role may be bound (R56), so the next one is tried
  for (const role of [...(viewer ? [viewer] : []), ...(await scratch.someRoles(3))]) {
    if (succeeded(await api.attempt.roleBindings.create(scratch.uid, { identityUid, roleUid: role.uid }))) return
  }
}

function mustBeTaken(answer: Answer): Answer {
  if (succeeded(answer)) return answer
  violated({
    message: 'the API did not take the token of an exchange',
    expected: 'any status but 401, within ten seconds (R41)',
    got: `401 ${beginningOf(answer.text, 300)}`,
    where: whereOf(answer),
  })
}

/** Repeats until an answer is a success, or one is not that was asked for after `most` milliseconds. */
export async function untilSuccess(ask: () => Promise<Answer>, most: number): Promise<Answer> {
  const started = performance.now()
  for (;;) {
    const isLate = performance.now() - started >= most
    const answer = await ask()
    if (succeeded(answer) || isLate) return answer
    await sleep(between)
  }
}

/** Judges again what does not hold yet, for as many milliseconds as a change may take to show (R41). */
export async function inTime(judge: () => Promise<void>, patience: number): Promise<void> {
  const started = performance.now()
  for (;;) {
    const began = performance.now()
    try {
      return await judge()
    } catch (error) {
      if (!isViolation(error) || began - started >= patience) throw error
      await sleep(between)
    }
  }
}

/** The target's time by its hook or its last answer, else by our own clock; in seconds since 1970. */
export function secondsAt({ allAnswers, clock }: Pick<Run, 'allAnswers' | 'clock'>): number {
  const byHook = clock.lastKnown()
  if (byHook !== undefined) return Math.floor(byHook / 1000)
  return Math.floor((allAnswers.lastDate ?? Date.now()) / 1000)
}
