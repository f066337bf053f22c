import { type Api, apiOver } from '../api/api.ts'
import { hour, minute } from '../api/instant.ts'
import { type KindName, listedKinds, ownKinds } from '../api/kinds.ts'
import { listedItems } from '../arrange/listings.ts'
import type { Run } from '../arrange/run.ts'
import { makeScratch, type RunGroup, type Scratch } from '../arrange/scratch.ts'
import type { Shared } from '../arrange/shared.ts'
import { type Answer, type Log, succeeded } from '../http/call.ts'
import { Inconclusive } from '../http/case-errors.ts'
import type { Wish } from '../sts/exchange-call.ts'
import { type OwnIssuer, openAssumed, openOwn } from '../sts/identities.ts'
import { type Exchanging, type OwnExchanging, type StsContext, untilSuccess } from '../sts/token-exchange.ts'
import { letWrite } from '../sts/write-rights.ts'
import { v1Over } from '../v1/v1-api.ts'
import type { Passing } from './elapse.ts'
import { callWithEnded, type EndedCalls } from './ended-token.ts'

/** The answer to a read with an API token; throws `Inconclusive` where it shows nothing of the token's age. */
export type ReadWith = () => Answer

/** The answers to reading with one API token, at its ages in minutes. */
interface Ages {
  at59: ReadWith
  at61: ReadWith
  at70: ReadWith
}

/** Two API tokens of one identity, the second exchanged minutes later: each has its own hour (R40). */
export interface HourOld {
  first: Ages
  second: Ages
  /** How the operations of each kind, of v1 and over gRPC answered a token more than 70 minutes old. */
  ended: Record<KindName | 'v1' | 'grpc', Shared<EndedCalls>>
  /** The answer to an identity token whose key was published an hour earlier; undefined where no own issuer signs. */
  anotherKey: Answer | undefined
}

/** How often the clock moves in the hour of API tokens. */
export const movesOfAnHour = 5

/** The time between the two exchanges: one token is over its hour when the other is just below it. */
const apart = 2.5 * minute
/** The ages at which a token is used: still valid, just over its hour, and certainly refused (R40). */
const [below, above, wellAbove] = [58.75 * minute, 61.25 * minute, 70.25 * minute]

/** How many exchanges follow the first one. */
const further = 10

/** The times between which a token was issued, by the target's clock. */
interface Issued {
  token: string
  from: number
  by: number
}

/** What happens while the hour passes. */
export function passAnHour(run: Run, runGroup: RunGroup, ownIssuer: OwnIssuer, clock: Passing) {
  const start = clock.read()
  const issued = {
    first: { token: '', from: start, by: start },
    second: { token: '', from: start, by: start },
  }
  const age = (since: number) => clock.read() - since
  // in the order in which the clock reaches them, each with the time left until then
  const moments = {
    secondExchange: () => apart,
    firstAt59: () => below - age(issued.first.from) - 1_000,
    firstAt61: () => above - age(issued.first.by),
    secondAt61: () => above - age(issued.second.by),
    secondAt70: () => wellAbove - age(issued.second.by),
  }
  const moves = Object.values(moments).map((left) => () => clock.pass(Math.max(0, Math.ceil(left() / 1000))))
  const part = async (own: Log, next: () => Promise<void>): Promise<HourOld> => {
    const until = (_moment: keyof typeof moments) => next()
    const api = apiOver(run, own)
    const scratch = await makeScratch(api, { ...run, runGroup })
    const log: Log = { ...own, phase: 'act' }
    const exchanging = await open({ run, api, scratch, log, arranged: own }, ownIssuer)
    const control = () => api.attempt.groups.get(scratch.uid)
    const { exchange, untilReadable, stillYoung, tooOld } = tokensOf(exchanging, control, clock, run.patience.rights)

    const identityToken = await exchanging.fresh()
    const [first] = await Promise.all([exchange({ token: identityToken }), exchanging.workingToken()])
    issued.first = first
    if (exchanging.sign) await letWrite(api, scratch, { uid: exchanging.uid, token: first.token }, run.patience.rights)
    await useEverywhere(run, own, scratch, exchanging.uid, first.token)
    // whatever is exchanged or changed afterwards, the token keeps its own hour
    if (exchanging.sign) {
      await Promise.all(Array.from({ length: further }, () => exchanging.exchange()))
      await api.attempt.identities.update(exchanging.uid, { description: 'changed within the hour' })
    }
    await until('secondExchange')
    issued.second = await exchange()
    await until('firstAt59')
    const firstAt59 = await stillYoung(issued.first)
    // a server may extend a token that is used
    await useEverywhere(run, own, scratch, exchanging.uid, issued.first.token)
    // young when the others are old: it keeps neither alive, nor do they end it
    const third = exchanging.sign && (await exchanging.apiToken())
    if (third) await untilReadable(third)
    // after the keys were read again, and more than ten minutes before it is used (R41)
    const signAnother = await exchanging.publishAnother?.()
    // the second is at 59 then
    await until('firstAt61')
    const [firstAt61, secondAt59] = await Promise.all([tooOld(issued.first), stillYoung(issued.second)])
    await until('secondAt61')
    const secondAt61 = await tooOld(issued.second)
    await until('secondAt70')
    const [firstAt70, secondAt70] = await Promise.all([tooOld(issued.first), tooOld(issued.second)])
    // one was accepted before and has expired, one is still young: the model judges both
    await Promise.all([exchanging.exchange({ token: identityToken }), third && exchanging.read(third)])
    return {
      first: { at59: firstAt59, at61: firstAt61, at70: firstAt70 },
      second: { at59: secondAt59, at61: secondAt61, at70: secondAt70 },
      ended: await callWithEnded(run, scratch, issued.first.token),
      anotherKey: signAnother && (await exchanging.exchange({ token: await signAnother() })),
    }
  }
  return { moves, part }
}

/** How API tokens are exchanged and read at an age; `rights`: how long those of the identity may take to spread. */
function tokensOf(exchanging: Exchanging, control: () => Promise<Answer>, clock: Passing, rights: number) {
  const untilReadable = (token: string) => untilSuccess(() => exchanging.read(token), rights)
  return {
    untilReadable,
    exchange: async (wish?: Wish): Promise<Issued> => {
      const from = clock.read()
      return { from, token: await exchanging.apiToken(wish), by: clock.read() }
    },
    // however old it is by the target's clock, it may have been issued a moment ago (R41)
    stillYoung: async ({ token, from }: Issued) => young(await untilReadable(token), clock.read() - from),
    tooOld: async ({ token }: Issued) => {
      const [answer, twin] = await Promise.all([exchanging.read(token), control()])
      return old(answer, twin)
    },
  }
}

/**
 * Uses a token of an identity to list each kind and to change a group, in v1 and over gRPC where they are served: each may
 * remember what it once accepted, or want a newer token (R40).
 */
async function useEverywhere(
  run: Run,
  log: Log,
  { uid, children }: Scratch,
  identity: string,
  token: string,
): Promise<void> {
  const options = { credential: { header: `Bearer ${token}`, shown: 'Bearer <API token>' } }
  const { credential } = options
  const useGrpc = async () => {
    await run.grpcSupport.mustBeServed()
    await use(apiOver({ ...run, over: 'grpc' }, log).attempt, ownKinds)
  }
  const getBinding = async ({ roleBindings }: Api['attempt']) => {
    const [binding] = listedItems('roleBindings', await roleBindings.list(children, credential))
    return binding && roleBindings.get(binding.uid, options)
  }
  const others = (listed: readonly KindName[]) => listed.filter((kind) => kind !== 'roleBindings')
  const use = (attempt: Api['attempt'], listed: readonly KindName[]) =>
    Promise.allSettled([
      getBinding(attempt),
      ...others(listed).map((kind) => attempt[kind].list(kind === 'roles' ? {} : children, credential)),
      attempt.groups.get(uid, options),
      attempt.identities.get(identity, options),
      attempt.groups.create(uid, { name: run.names.fresh() }, options),
      attempt.groups.update(uid, { description: `used by ${identity}` }, options),
    ])
  const inV1 = v1Over(run, log).attempt
  await Promise.allSettled([
    useGrpc(),
    inV1.list(children, credential),
    inV1.get(uid, credential),
    use(apiOver(run, log).attempt, listedKinds),
  ])
}

/** An identity of the suite's own issuer, whose tokens follow the clock; else the operator's. */
async function open(
  context: StsContext,
  ownIssuer: OwnIssuer,
): Promise<Exchanging & Partial<Pick<OwnExchanging, 'publishAnother' | 'sign'>>> {
  const { assumed } = context.run.config.sts
  return openOwn(context, ownIssuer).catch((error) => {
    if (assumed && error instanceof Inconclusive) return openAssumed(context, assumed)
    throw error
  })
}

const young =
  (answer: Answer, age: number): ReadWith =>
  () => {
    if (age >= hour) throw new Inconclusive('the target took so long that the token was an hour old')
    if (succeeded(answer) || answer.status === 401) return answer
    throw new Inconclusive(`the assumed identity, which could read before, was answered ${answer.status}`)
  }

const old =
  (answer: Answer, twin: Answer): ReadWith =>
  () => {
    if (succeeded(twin)) return answer
    throw new Inconclusive(`what the old token is tried on could not be read with a good one: ${twin.status}`)
  }
