import type {} from 'vitest'
import { ClaimIssuers } from '../api/claim-issuers.ts'
import { Clock } from '../api/clock.ts'
import type { ApiContext } from '../api/context.ts'
import { Journal } from '../api/journal.ts'
import type { JournalHeader } from '../api/journal-lines.ts'
import type { KindName } from '../api/kinds.ts'
import { Names } from '../api/names.ts'
import { OwnKeys } from '../api/own-keys.ts'
import { isObject } from '../api/received.ts'
import { Paths, readPath } from '../api/resource-path.ts'
import { type Patience, SecondChances } from '../api/soft-refusal.ts'
import { Grpc } from '../grpc/protocol.ts'
import { GrpcSupport } from '../grpc/support.ts'
import { type TokenSource, tokenSource } from '../http/access-token.ts'
import { type Call, succeeded } from '../http/call.ts'
import { Client } from '../http/client.ts'
import type { Wire } from '../http/progress.ts'
import { Secrets } from '../http/secrets.ts'
import { AllAnswers } from '../invariants/all-answers.ts'
import { AnsweredOperations } from '../invariants/answered-operations.ts'
import { Lateness } from '../invariants/lateness.ts'
import { isBadName } from '../model/names.ts'
import type { Config } from '../settings/configuration.ts'
import { Trace, type Traced, type TraceTo } from '../trace/trace.ts'
import { type Eventually, eventuallyWithin, usualPatience } from './eventually.ts'
import { ModelAnswers } from './model-answers.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The command line's decisions: the configuration, and where the journal is. */
    run: Given
  }
}

/** What the worker of a run reports to the command line. */
export interface Notice {
  /** Why the run ends early. */
  ended?: string
  /** What all cases that are under way wait for; empty once it is over. */
  doing?: string
  /** How many exchanges the run had made at its end. */
  sent?: number
  /** The resulting trace. */
  traced?: Traced
}

/** What a run gets besides its settings, as file paths. */
export interface Given {
  config: Config
  journal?: string
  /** The first line of that journal. */
  header?: JournalHeader | undefined
  /** Where page tokens are left for a later run; absent where none are kept. */
  pageTokensFile?: string
  /** Set where one of the run's groups stays for that, until its page tokens are spent. */
  forResume?: true
  /** Where an earlier run left them. */
  resume?: string
  /** Set where the run waits for hours because no clock can be moved. */
  wait?: true
  /** Set where passed cases also hand over their exchanges. */
  allExchanges?: true
  /** Set where what failed cases made is kept. */
  keepFailed?: true
  /** How long a reading may take to fit; as in R52 unless the suite examines itself. */
  patience?: Patience
  /** Where every exchange is recorded; absent where none is. */
  trace?: TraceTo
  /** The name of the channel on which the command line listens. */
  channel?: string | undefined
}

/** What all cases of a run share. */
export interface Run extends ApiContext, Omit<Given, 'journal' | 'patience' | 'trace'> {
  secrets: Secrets
  tokens: TokenSource
  names: Names
  clock: Clock
  /** Sends the command line a notice. */
  notify(notice: Notice): void
  /** Facts about every answer that the cases judging the whole run need. */
  allAnswers: AllAnswers
  /** Which operations answered. */
  answered: AnsweredOperations
  /** How soon each view showed what the run wrote. */
  lateness: Lateness
  patience: Patience
  secondChances: SecondChances
  claimIssuers: ClaimIssuers
  /** Judges a reading of what the run wrote, for at most 5 seconds (R52). */
  eventually: Eventually
  /** The model that judges every answer. */
  model: ModelAnswers
  /** A new model that hears every call from now on; `patience`: how long the target may lag, in milliseconds. */
  freshModel(patience?: number): ModelAnswers
  grpc: Grpc
  /** Whether gRPC is served, and which of its services. */
  grpcSupport: GrpcSupport
  /** Every exchange of the run. */
  trace: Trace
  /** The keys of the suite's own token issuer. */
  ownKeys: OwnKeys
}

/** Opens what all calls of a run share; `wire` counts its requests, and those of earlier runs that share a budget. */
export function openRun(
  { journal, patience = usualPatience, trace: to, ...given }: Given,
  wire: Wire = { sent: 0 },
): Run {
  const { config } = given
  const secrets = new Secrets()
  const tokens = tokenSource(config, secrets, wire)
  const grpc = new Grpc(config.target, wire)
  const client = new Client(config, secrets, tokens, undefined, { wire, grpc })
  const own = new Journal(config.target.groupUid, journal, config.target.nonemptyGroupUid, given.header)
  own.clean = (text) => secrets.redact(text)
  const notify = channelTo(given.channel)
  client.onEnded((ended) => notify({ ended }))
  own.onBroken = (why) => notify({ ended: `the journal ${journal} can no longer be written (${why})` })
  const allAnswers = new AllAnswers(patience.readings)
  const lateness = new Lateness((uid) => own.made(uid))
  const clock = new Clock(config, secrets, client)
  const ownKeys = new OwnKeys()
  const signedByOwn = ownKeys.signed.bind(ownKeys)
  // where a hook moves the clock, a gateway's Date may not know it (R2)
  const now = () => (clock.movable ? clock.lastKnown() : allAnswers.lastDate)
  const trace = new Trace(to, secrets, patience.readings)
  const facts = { client, version: config.target.apiVersion, signedByOwn, now, trace }
  const freshModel = (lag = patience.readings) => new ModelAnswers({ ...facts, patience: lag })
  const model = freshModel()
  clock.onMoved = (seconds) => model.moved(seconds)
  clock.onCalled = (exchange, seconds) => model.clockCalled(exchange, seconds)
  const answered = new AnsweredOperations()
  client.onAnswer = (answer, call) => {
    const { uid } = readPath(call.path) ?? {}
    if (call.method === 'DELETE' && uid !== undefined && !succeeded(answer)) own.keeps(uid)
    // what no client would send says nothing about the others
    if (call.rpc) return
    allAnswers.note(answer, call.query)
    answered.note(answer, call)
  }
  const secondChances = new SecondChances(patience, (operation) => answered.has(operation))
  client.isTooEarly = (call, answer) =>
    secondChances.isTooEarly(call, answer, (within, kind) => isNew(call, own, model, within, kind), isPlain(call))
  return {
    ...given,
    secrets,
    tokens,
    client,
    journal: own,
    notify,
    paths: new Paths(config.target.apiVersion),
    names: new Names(),
    clock,
    allAnswers,
    answered,
    lateness,
    patience,
    secondChances,
    claimIssuers: new ClaimIssuers(),
    eventually: eventuallyWithin(patience.readings, lateness),
    model,
    freshModel,
    grpc,
    grpcSupport: new GrpcSupport(grpc, config, async () => (await tokens.credential()).header),
    trace,
    ownKeys,
  }
}

/** True where a call names what the run made within a time, in milliseconds: the target may not know it yet. */
function isNew(call: Call, journal: Journal, model: ModelAnswers, within: number, kind?: KindName): boolean {
  const { identityUid } = Object(call.body) as { identityUid?: unknown }
  const uids = [readPath(call.path)?.uid, identityUid, ...Object.values(call.query ?? {})]
  return journal.madeLately(uids, within, kind) && !(kind !== undefined && namesUnknown(call.body, journal, model))
}

/** True for a Delete, or an Update that takes good texts: it is invalid only where what it names is unknown (R38, R54). */
function isPlain({ method, body, query }: Call): boolean {
  const mask = query?.updateMask === undefined ? undefined : String(query.updateMask).split(',')
  const isGood = ([member, value]: [string, unknown]) =>
    typeof value === 'string' &&
    ['name', 'description'].includes(member) &&
    (member !== 'name' || mask?.includes('name') === false || !isBadName(value))
  return method === 'DELETE' || (method === 'PATCH' && isObject(body) && Object.entries(body).every(isGood))
}

/** True for a binding that is refused for good, however well the target knows the group. */
function namesUnknown(body: unknown, journal: Journal, model: ModelAnswers): boolean {
  const { identityUid, roleUid } = isObject(body) ? body : {}
  const { roles } = model.hearing.judge.state
  // the operator's identity lies outside the run's group
  const isOurs = typeof identityUid === 'string' && journal.covers(identityUid)
  return (
    (isOurs && !journal.madeLately([identityUid], Infinity, 'identities')) ||
    (typeof roleUid === 'string' && roles.size > 0 && !roles.has(roleUid))
  )
}

/** A channel to the command line; it keeps no process alive. */
function channelTo(name?: string): (notice: Notice) => void {
  if (name === undefined) return () => {}
  const channel = new BroadcastChannel(name) as BroadcastChannel & { unref(): void }
  channel.unref()
  return (notice) => channel.postMessage(notice)
}
