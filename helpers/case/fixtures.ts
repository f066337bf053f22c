import type fc from 'fast-check'
import { type Api, apiOver } from '../api/api.ts'
import { type KindName, kinds } from '../api/kinds.ts'
import type { Names } from '../api/names.ts'
import type { Received } from '../api/received.ts'
import { readsOver } from '../api/unusual-reads.ts'
import { confirmByRereading, judgeBesideStrangers, type Strangers } from '../arrange/confirmed-by-rereading.ts'
import type { Eventually } from '../arrange/eventually.ts'
import { strangersIn } from '../arrange/listings.ts'
import { mustBeOffered } from '../arrange/optional-operations.ts'
import type { Population } from '../arrange/population.ts'
import { type Neighbours, registryGroupIn } from '../arrange/populations.ts'
import { inGroupsOf } from '../arrange/registry-groups.ts'
import { descendantsOf, makeScratch, type RunGroup } from '../arrange/scratch.ts'
import { handOut } from '../arrange/shared.ts'
import type { Burst, Crowd, Forest, Punctuated } from '../arrange/shared-groups.ts'
import type { OperationCalls } from '../auth/operation-calls.ts'
import type { UnauthorizedCalls } from '../auth/unauthorized-calls.ts'
import type { ExpiringQuery } from '../expiry/expiring-lists.ts'
import type { Answer, Log } from '../http/call.ts'
import { Inconclusive } from '../http/case-errors.ts'
import type { Client } from '../http/client.ts'
import type { Exchange } from '../http/exchange.ts'
import { openAssumed, openOwn } from '../sts/identities.ts'
import type { Exchanging, OwnExchanging, StsContext } from '../sts/token-exchange.ts'
import { openTried, type Tried } from '../v1/open-operations.ts'
import { type V1, type V1List, v1Over } from '../v1/v1-api.ts'
import { sentFor, takeDown } from './evidence.ts'
import { checkForAll } from './for-all.ts'
import { noteAge, noteListed, openScratch, patienceBeside, tooFew } from './judged-again.ts'
import { handOutGroups, withShared } from './shared-fixtures.ts'
import { type Walked, walksOver } from './walks.ts'

/** Hands a population and its walks to a judge; if it is foreign, a second reading confirms a mismatch (R24). */
export type WithPopulation = (
  kind: KindName,
  judge: (population: Population, walked: Walked) => Promise<unknown>,
) => Promise<void>

/** The chain of fixtures: a case gets what it destructures. */
export const test = withShared
  /** Evidence: the case's exchanges, in the order of sending; handed to the report at the end. */
  .extend('evidence', { auto: true }, ({ task, run, signal }, { onCleanup }): Exchange[] => {
    const exchanges: Exchange[] = sentFor(task, [])
    signal.addEventListener('abort', () => run.client.interrupt())
    onCleanup(takeDown(task, run, exchanges))
    return exchanges
  })
  /** The API; what is called here is what the case is about. */
  .extend('api', ({ run, evidence }): Api => apiOver(run, { phase: 'act', exchanges: evidence }))
  .extend('runGroup', ({ sharedRunGroup, evidence }): RunGroup => handOut(sharedRunGroup, evidence))
  /** Reads and judges what the case itself wrote: a mismatch is read again for 5 seconds (R52). */
  .extend('eventually', ({ run }): Eventually => run.eventually)
  /** A throw-away group for this case. */
  .extend('scratch', ({ run, runGroup, evidence, task }) => openScratch(run, runGroup, evidence, task))
  /** More sibling groups than a page holds, only ever read. */
  .extend('crowd', ({ sharedCrowd, run, task, evidence }): Crowd => handOutGroups(sharedCrowd, { run, task, evidence }))
  /** A small tree of groups with equal names under different parents, only ever read. */
  .extend(
    'forest',
    ({ sharedForest, run, task, evidence }): Forest => handOutGroups(sharedForest, { run, task, evidence }),
  )
  /** Groups made in one burst, with ties of createTime where the target has them, only ever read. */
  .extend('burst', ({ sharedBurst, run, task, evidence }): Burst => handOutGroups(sharedBurst, { run, task, evidence }))
  /** Groups whose names differ in digits and punctuation, only ever read. */
  .extend(
    'punctuated',
    ({ sharedPunctuated, run, task, evidence }): Punctuated => handOutGroups(sharedPunctuated, { run, task, evidence }),
  )
  /** What a list family works on, kind by kind. */
  .extend(
    'withPopulation',
    ({ run, api, sharedPopulations, evidence, skip, task }): WithPopulation =>
      async (kind, judgeWalks) => {
        const shared = await sharedPopulations(kind, false)
        const population = handOut(shared, evidence)
        const isYoung = !kinds[kind].foreign && noteAge(task, shared, run)
        const judge = (population: Population) => judgeWalks(population, walksOver(population, run, task.name, isYoung))
        const { length } = population.items
        skip(length === 0, `there are no ${kind}: nothing to judge`)
        const readAgain = async () => handOut(await sharedPopulations(kind, true), evidence)
        const patience = patienceBeside(kind, run)
        const strangers: Strangers = {
          now: () => strangersIn(population, api, run.journal),
          patience,
          noteArrival: (at) => void noteAge(task, { at }, run),
        }
        const [home] = Object.values(population.scope)
        // the descendants of a group may include the group itself (R15)
        const isOwn = (uid: string) => run.journal.made(uid) || uid === home
        await (kinds[kind].foreign
          ? confirmByRereading(population, readAgain, judge, patience)
          : judgeBesideStrangers(population, isOwn, strangers, judge))
      },
  )
  /** The hook's time, beside an answer with or without a Date. */
  .extend('hookTime', ({ run, evidence }) => (isDated: boolean) => {
    return run.clock.now(isDated, { phase: 'arrange', exchanges: evidence })
  })
  /** What page tokens of a query gave, just before and just after they were three days old. */
  .extend('expiringTokens', ({ sharedDays, evidence }) => {
    const { tokens } = handOut(sharedDays, evidence)
    return (query: ExpiringQuery) => handOut(tokens[query], evidence)
  })
  /** The answers to two API tokens of one identity at almost an hour of age, and at more than that. */
  .extend('hourOld', ({ sharedDays, evidence }) => handOut(handOut(sharedDays, evidence).apiTokens, evidence))
  /** What was made after the clock had moved by days. */
  .extend('later', ({ sharedDays, evidence }) => handOut(handOut(sharedDays, evidence).later, evidence))
  /** Items of a kind in a group, below it and beside it, only ever read. */
  .extend(
    'neighboursOf',
    ({ sharedNeighbours, evidence, run, task }) =>
      async (kind: KindName): Promise<Neighbours> => {
        const shared = await sharedNeighbours(kind)
        noteAge(task, shared, run)
        const neighbours = handOut(shared, evidence)
        noteListed(task, kind, neighbours.group, run)
        return neighbours
      },
  )
  /** The group with repos that the operator names, only ever read. */
  .extend('registryGroup', ({ run }): string => registryGroupIn(run.config.target.registryGroupUid))
  /** The group with repos that the operator allows the run to lose (R30). */
  .extend('expendableGroup', ({ run }): string => {
    const { nonemptyGroupUid } = run.config.target
    if (nonemptyGroupUid !== undefined) return nonemptyGroupUid
    throw new Inconclusive(
      'RMAPI_NONEMPTY_GROUP_UID is not set: no group with repos may be lost, so none is tried to be deleted',
    )
  })
  .extend('names', ({ run }): Names => run.names)
  /** The targets for bad credentials, made for this case (R39). */
  .extend(
    'operationCallsOf',
    ({ run, scratch, evidence }) =>
      (tried: Tried): Promise<OperationCalls> =>
        openTried(tried, run, scratch, { phase: 'arrange', exchanges: evidence }),
  )
  /** The groups of v1. */
  .extend('v1', ({ run, evidence }): V1 => v1Over(run, { phase: 'act', exchanges: evidence }))
  /** Judges the repos that v1 lists next to some of v2; a second reading confirms a mismatch (R24). */
  .extend(
    'overV1Repos',
    ({ v1, api, run, registryGroup }) =>
      async (judge: (list: V1List, repos: readonly Received[]) => void) => {
        const judgeIn = async (home: string) => {
          const scope = descendantsOf(home)
          const read = async (): Promise<Population> => {
            const { items, nextPageToken } = await api.repos.list({ ...scope, page_size: 50 })
            return { kind: 'repos', scope, items, isPart: nextPageToken !== undefined }
          }
          const first = await read()
          if (first.items.length === 0) throw new Inconclusive(`the group ${home} holds no repos`)
          const judgeBoth = async ({ items }: Population) => judge(await v1.listRepos(home), items)
          await confirmByRereading(first, read, judgeBoth, patienceBeside('repos', run))
        }
        await judgeIn(registryGroup)
        await inGroupsOf(api, registryGroup, judgeIn)
      },
  )
  /** What calls with bad credentials are sent with. */
  .extend('authContext', ({ run, api, evidence }) => ({
    run,
    api,
    log: { phase: 'act', exchanges: evidence } satisfies Log as Log,
  }))
  /** The targets for bad credentials, used in turn: they do not change where all are refused (R39). */
  .extend(
    'inTurn',
    ({ run, runGroup, evidence, authContext, badCredentialTargets }) =>
      <T>(tried: Tried, use: (unauthorized: UnauthorizedCalls) => Promise<T>): Promise<T> => {
        const log: Log = { phase: 'arrange', exchanges: evidence }
        const reopen = async () =>
          openTried(tried, run, await makeScratch(apiOver(run, log), { ...run, runGroup }), log)
        return badCredentialTargets.turns.take(tried, reopen, (operationCalls) =>
          use({ ...authContext, operationCalls, reopen }),
        )
      },
  )
  .extend('stsContext', ({ run, scratch, evidence }): StsContext => {
    const arranged: Log = { phase: 'arrange', exchanges: evidence }
    const log: Log = { phase: 'act', exchanges: evidence }
    return { run, scratch, api: apiOver(run, arranged), arranged, log }
  })
  /** An identity that the suite's own issuer vouches for, and its exchanges (R41). */
  .extend('sts', ({ stsContext, ownIssuer }): Promise<OwnExchanging> => openOwn(stsContext, ownIssuer))
  /** The operator's identity if it is set, else one that the suite's own issuer vouches for. */
  .extend('exchanging', ({ run, stsContext, ownIssuer }): Promise<Exchanging> => {
    const { assumed } = run.config.sts
    return assumed ? openAssumed(stsContext, assumed) : openOwn(stsContext, ownIssuer)
  })
  /** An identity token that was not exchanged (R39). */
  .extend('identityToken', async ({ badCredentialTargets, evidence }) =>
    handOut(await badCredentialTargets.unexchanged(), evidence)(),
  )
  /** A client with one connection, kept alive from call to call. */
  .extend('narrowClient', ({ run }, { onCleanup }): Client => {
    const client = run.client.narrow(1)
    run.model.watch(client)
    onCleanup(() => client.close())
    return client
  })
  /** The API over that one connection. */
  .extend(
    'narrowApi',
    ({ run, narrowClient: client, authContext }): Api => apiOver({ ...run, client }, authContext.log),
  )
  /** Reads at paths and with methods that no client would send. */
  .extend('read', ({ run, authContext }) => readsOver(run.client, authContext.log))
  /** Reports what an `observe` case saw. */
  .extend('observe', ({ task }) => (observed: string) => {
    task.meta.rmapi = { ...task.meta.rmapi!, observed }
  })
  /** Records how much was really exercised, and ends the case as inconclusive if that is not enough. */
  .extend('atLeast', ({ task, skip }) => (least: number, what: string, met: number) => {
    task.meta.rmapi = { ...task.meta.rmapi!, met: { ...task.meta.rmapi!.met, [what]: met } }
    if (!(met >= least)) tooFew(`${what}: found ${met}, needed ${least}`, task, skip)
  })
  /** Ends the case as not offered where an operation whose path the contract does not print is missing (R49). */
  .extend(
    'present',
    ({}) =>
      async (asked: Promise<Answer>) =>
        mustBeOffered(await asked),
  )
  /** Checks drawn inputs, side by side, and returns each result; the smallest that fails is the evidence. */
  .extend(
    'forAll',
    ({ run, evidence, task }) =>
      <T, R>(
        arbitrary: fc.Arbitrary<T> | readonly fc.Arbitrary<T>[],
        holds: (input: T, api: Api, exchanges: Exchange[]) => Promise<R>,
        runs = 24,
      ): Promise<R[]> =>
        checkForAll(
          arbitrary,
          (input, exchanges) =>
            holds(input, apiOver(run, { phase: 'act', exchanges: sentFor(task, exchanges) }), exchanges),
          {
            seed: run.config.seed,
            runs,
            evidence: (exchanges) => evidence.push(...exchanges),
          },
        ),
  )
