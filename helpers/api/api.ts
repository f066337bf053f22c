import { present } from '../../schemas/present.ts'
import { legible } from '../http/body.ts'
import {
  type Answer,
  answerInWords,
  beginningOf,
  type Call,
  type Credential,
  codeIn,
  isNotFound,
  type Log,
  type RpcForm,
  succeeded,
} from '../http/call.ts'
import { NotOffered, type Phase, Stopped, TokenEnded } from '../http/case-errors.ts'
import type { Query } from '../http/url.ts'
import type { ApiContext } from './context.ts'
import { type Kind, type KindName, kinds } from './kinds.ts'
import { guardOver } from './ownership.ts'
import { isObject, isReceived, type Page, type Received } from './received.ts'
import { distrusted, isOptional, isUnimplemented } from './soft-refusal.ts'

/** The members of a resource to send, or a body sent unchanged. */
export type Body = Record<string, unknown> | { raw: string } | unknown[] | string | number | null

/** What may differ from one attempt to the next. */
export interface Attempt {
  query?: Query
  credential?: Credential
  contentType?: string
  headers?: Record<string, string>
  /** What differs over gRPC. */
  rpc?: RpcForm
}

/** The operations of one kind that must succeed: a refusal or a senseless answer throws `Stopped`. */
export interface Operations {
  list(query: Query): Promise<Page>
  get(uid: string): Promise<Received>
  create(parent: string, body: Body): Promise<Received>
  update(uid: string, body: Body, query?: { updateMask?: string }): Promise<Received>
  delete(uid: string): Promise<Answer>
}

/** The same operations, whatever the answer. */
export interface Attempts {
  list(query: Query, credential?: Credential): Promise<Answer>
  get(uid: string, attempt?: Attempt): Promise<Answer>
  create(parent: string, body?: Body, attempt?: Attempt): Promise<Answer>
  update(uid: string, body?: Body, attempt?: Attempt): Promise<Answer>
  delete(uid: string, attempt?: Attempt): Promise<Answer>
}

/** The API as a case sees it: `api.groups.list(…)` must succeed, `api.attempt.groups.list(…)` may get any answer. */
export type Api = { readonly [K in KindName]: Operations } & {
  readonly attempt: { readonly [K in KindName]: Attempts }
}

/** The API over one log, which records what is sent. */
export function apiOver(context: ApiContext, log: Log): Api {
  context.client.admit(context.journal, () => guardOver(context))
  const attempt = perKind((kind) => attemptsAt(kind, context, log))
  const operations = perKind((kind) => operationsOf(kind, attempt[kind.plural as KindName], context, log.phase))
  return Object.assign(operations, { attempt })
}

/** Makes something for a kind on first use: of a dozen kinds a case uses two or three. */
function perKind<T>(make: (kind: Kind) => T): Record<KindName, T> {
  return new Proxy({} as Record<KindName, T>, {
    get(made, name: KindName) {
      if (Object.hasOwn(kinds, name)) made[name] ??= make(kinds[name])
      return made[name]
    },
  })
}

const protocolOf = ({ over }: ApiContext, operation: string) => (typeof over === 'function' ? over(operation) : over)

function attemptsAt(kind: Kind, context: ApiContext, log: Log): Attempts {
  const { client, paths, journal, onAnswer } = context
  const send = async (operation: string, call: Omit<Call, 'operation'>) => {
    const over = protocolOf(context, operation)
    const name = `${over === 'grpc' ? 'grpc.' : ''}${kind.name}.${operation}`
    const named = { ...call, operation: name, ...(over && { over }) }
    const answer = await client.send(named, log)
    await onAnswer?.(kind.plural as KindName, answer)
    return answer
  }
  const one = (uid: string) => paths.of(kind, uid)
  return {
    list: (query, credential) =>
      send('list', { method: 'GET', path: paths.of(kind), query, ...present({ credential }) }),
    get: (uid, attempt = {}) => send('get', { method: 'GET', path: one(uid), ...attempt }),
    create: async (parent, body, attempt = {}) => {
      const entry = journal.before(kind.plural as KindName, parent, body)
      const answer = await send('create', { method: 'POST', path: one(parent), body, ...attempt }).catch((error) => {
        if (error instanceof TokenEnded) journal.refused(entry)
        throw error
      })
      if (succeeded(answer)) journal.after(entry, legible(answer))
      else if (answer.status < 500) journal.refused(entry)
      return answer
    },
    update: (uid, body, attempt = {}) => {
      journal.guard(uid)
      journal.changing(kind.plural as KindName, uid, body)
      return send('update', { method: 'PATCH', path: one(uid), body, ...attempt })
    },
    delete: (uid, attempt = {}) => {
      journal.guardDelete(kind.plural, uid)
      return send('delete', { method: 'DELETE', path: one(uid), ...attempt })
    },
  }
}

function operationsOf(kind: Kind, attempts: Attempts, context: ApiContext, phase: Phase): Operations {
  const { secondChances, journal } = context
  // what is only refused for a moment is repeated (R52, R56)
  const ask = (call: () => Promise<Answer>, ...named: unknown[]) =>
    secondChances ? secondChances.allow(call, (within) => isNew(named, within)) : call()
  const isNew = (named: readonly unknown[], within: number) =>
    journal.madeLately(named, within) || journal.madeLately(named, within, 'groups')
  return {
    list: async (query) => readPage(kind, phase, await ask(() => attempts.list(query), ...Object.values(query))),
    get: async (uid) => mustAnswerFor(uid, phase, await ask(() => attempts.get(uid))),
    create: async (parent, body) =>
      mustBeNew(phase, body, await ask(() => attempts.create(parent, body), parent, Object(body).identityUid)),
    update: async (uid, body, query = {}) =>
      mustAnswerFor(uid, phase, await ask(() => attempts.update(uid, body, { query }), uid)),
    delete: async (uid) => mustSucceed(phase, await ask(() => attempts.delete(uid), uid)),
  }
}

function stopped(phase: Phase, why: string, answer: Answer): Stopped {
  const [code, distrust] = [codeIn(answer), distrusted(answer)]
  const { status, exchange } = answer
  const { operation } = exchange
  const absent = isNotFound(answer) && isOptional(operation) && { absent: true as const }
  return new Stopped({ operation, phase, why, status, ...present({ code, distrusted: distrust }), ...absent })
}

function mustSucceed(phase: Phase, answer: Answer): Answer {
  if (succeeded(answer)) return answer
  const { operation } = answer.exchange
  if (isUnimplemented(answer) && isOptional(operation)) throw new NotOffered(operation, answer)
  const distrust = distrusted(answer)
  // without the body, whose ids are never the same: one reason for all that is refused so
  const words = distrust ? `${answer.status} code 3: this target does not take its ${distrust}` : answerInWords(answer)
  throw stopped(phase, `was answered ${words}`, answer)
}

function mustHoldObject(phase: Phase, answer: Answer): Record<string, unknown> {
  mustSucceed(phase, answer)
  if (isObject(answer.json)) return answer.json
  throw stopped(
    phase,
    `was answered ${answer.status}, but ${answer.notJson ?? `the body is no JSON object: ${beginningOf(answer.text)}`}`,
    answer,
  )
}

function mustHoldResource(phase: Phase, answer: Answer): Received {
  const body = mustHoldObject(phase, answer)
  if (isReceived(body)) return body
  throw stopped(phase, `was answered ${answer.status} without a uid: ${beginningOf(answer.text)}`, answer)
}

/** The answer to a call on a uid must be the resource with that uid. */
function mustAnswerFor(uid: string, phase: Phase, answer: Answer): Received {
  const resource = mustHoldResource(phase, answer)
  if (resource.uid === uid) return resource
  throw stopped(
    phase,
    `was answered ${answer.status} with another resource than ${uid}: ${beginningOf(answer.text)}`,
    answer,
  )
}

/** The answer to a create must be the thing that was asked for: anything else may be a stranger's. */
function mustBeNew(phase: Phase, body: Body, answer: Answer): Received {
  const created = mustHoldResource(phase, answer)
  const name = (body as { name?: unknown } | null)?.name
  if (typeof name !== 'string' || created.name === name) return created
  throw stopped(
    phase,
    `was answered ${answer.status} with something else than '${name}': ${beginningOf(answer.text)}`,
    answer,
  )
}

function readPage(kind: Kind, phase: Phase, answer: Answer): Page {
  const body = mustHoldObject(phase, answer)
  const items = body[kind.plural] ?? (kind.plural in body ? null : [])
  if (!Array.isArray(items) || !items.every(isReceived)) {
    throw stopped(
      phase,
      `was answered ${answer.status}, but '${kind.plural}' is no array of resources with uids: ${beginningOf(answer.text)}`,
      answer,
    )
  }
  const token = body.nextPageToken
  return {
    items,
    nextPageToken: typeof token === 'string' && token !== '' ? token : undefined,
    totalCount: body.totalCount,
    skipped: body.skipped,
    body,
    headers: answer.headers,
    number: answer.exchange.number,
  }
}
