import { present } from '../../schemas/present.ts'
import type { Body } from '../api/api.ts'
import type { ApiContext } from '../api/context.ts'
import { type Kind, kinds } from '../api/kinds.ts'
import type { Names } from '../api/names.ts'
import { isObject, isRound, mayGoOn } from '../api/received.ts'
import { childrenOf, descendantsOf, type Scratch } from '../arrange/scratch.ts'
import { isMissing } from '../assertions/refused.ts'
import type { OperationCalls } from '../auth/operation-calls.ts'
import { type Answer, answerInWords, type Call, type Credential, type Log, succeeded } from '../http/call.ts'
import { Inconclusive, NotOffered, Stopped } from '../http/case-errors.ts'
import type { Query } from '../http/url.ts'

/** A resource in its v1 form, as received: nothing about it is certain. */
export type Item = Record<string, unknown>

/** The answer to a list of v1. */
export interface V1List {
  /** Undefined where there is no array under `items`. */
  items: Item[] | undefined
  /** True where it may be only part: it seems to go on, or has a round number of items (R44). */
  cutOff: boolean
  /** The query that was sent. */
  query: Query
  answer: Answer
}

/** v1: its two lists must succeed; the rest, whose paths are not shown, may get any answer (R44, R45). */
export interface V1 {
  /** Lists the groups in a group: by the scope of v2, or without one where that is refused. */
  list(parent: string): Promise<V1List>
  /** Lists the repos below a group, in the same way. */
  listRepos(group: string): Promise<V1List>
  readonly attempt: {
    list(query: Query, credential?: Credential): Promise<Answer>
    get(id: string, credential?: Credential): Promise<Answer>
    create(parent: string, body: Body): Promise<Answer>
    /** PUT of the full resource (S9.4). */
    replace(id: string, body: Body, form?: Pick<Call, 'contentType' | 'headers'>): Promise<Answer>
    delete(id: string): Promise<Answer>
  }
}

/** v1 over one log. */
export function v1Over({ client, paths, journal }: ApiContext, log: Log): V1 {
  const path = (id?: string) => paths.of(kinds.groups, id, 'v1')
  const send = (operation: string, call: Omit<Call, 'operation'>) =>
    client.send({ ...call, operation: `v1.group.${operation}` }, log)
  const attempt: V1['attempt'] = {
    list: (query, credential) => send('list', { method: 'GET', path: path(), query, ...present({ credential }) }),
    get: (id, credential) => send('get', { method: 'GET', path: path(id), ...present({ credential }) }),
    create: async (parent, body) => {
      const entry = journal.before('groups', parent, body)
      const answer = await send('create', { method: 'POST', path: path(parent), body })
      if (succeeded(answer)) journal.after(entry, answer.json)
      return answer
    },
    replace: (id, body, form) => {
      journal.guard(id)
      return send('update', { method: 'PUT', path: path(id), body, ...form })
    },
    delete: (id) => {
      journal.guard(id)
      return send('delete', { method: 'DELETE', path: path(id) })
    },
  }
  const listIn = async (kind: Kind, scopes: readonly Query[]) => {
    const operation = `v1.${kind.name}.list`
    const ask = (query: Query) =>
      client.send({ operation, method: 'GET', path: paths.of(kind, undefined, 'v1'), query }, log)
    let query = scopes[0]!
    const first = await ask(query)
    let answer = first
    for (const other of [...scopes.slice(1), {}]) {
      if (![400, 422].includes(answer.status)) break
      query = other
      answer = await ask(query)
    }
    return { query, ...readList(operation, succeeded(answer) ? answer : first, log) }
  }
  return {
    list: (parent) => listIn(kinds.groups, [childrenOf(parent), descendantsOf(parent)]),
    listRepos: (group) => listIn(kinds.repos, [descendantsOf(group)]),
    attempt,
  }
}

function readList(operation: string, answer: Answer, { phase }: Log): Omit<V1List, 'query'> {
  const { json, status } = answer
  if (!succeeded(answer) || !isObject(json)) {
    const code = isObject(json) && typeof json.code === 'number' ? { code: json.code } : {}
    const why = `was answered ${answerInWords(answer)}`
    throw new Stopped({ operation, phase, why, status, ...code })
  }
  const items = Array.isArray(json.items) && json.items.every(isObject) ? json.items : undefined
  return { items, cutOff: mayGoOn(json, answer.headers) || isRound(items?.length ?? 0), answer }
}

/** Targets for bad credentials in v1 (R39): the operations of a group, seen through v2. */
export async function openV1OperationCalls({
  v1,
  scratch,
  names,
  paths,
  registryGroup,
}: { v1: V1; scratch: Scratch; names: Names; registryGroup: string | undefined } & Pick<
  ApiContext,
  'paths'
>): Promise<OperationCalls> {
  const home = await scratch.makeGroup()
  const [thing, wouldBe] = [await scratch.makeGroup({ description: 'as it was' }, home.uid), names.fresh()]
  await scratch.deleteForeign(thing.uid)
  const call = (operation: string, method: Call['method'], uid?: string, more: Partial<Call> = {}): Call => ({
    operation: `v1.group.${operation}`,
    method,
    path: paths.of(kinds.groups, uid, 'v1'),
    ...more,
  })
  const { query: scope } = await v1.list(home.uid)
  const listings = [scope, { ...scope, page_size: 5 }, { ...scope, name: String(thing.name) }]
  const repos: Call = {
    operation: 'v1.repo.list',
    method: 'GET',
    path: paths.of(kinds.repos, undefined, 'v1'),
    query: descendantsOf(registryGroup ?? ''),
  }
  return {
    kind: 'groups',
    thing,
    home,
    wouldBe,
    seen: { reads: new Map(), since: performance.now() },
    calls: {
      list: [
        ...listings.map((query) => call('list', 'GET', undefined, { query })),
        ...(registryGroup === undefined ? [] : [repos]),
      ],
      get: [call('get', 'GET', thing.uid)],
      create: [call('create', 'POST', home.uid, { body: { name: wouldBe } })],
      update: [call('update', 'PUT', thing.uid, { body: { name: String(thing.name), description: wouldBe } })],
      delete: [call('delete', 'DELETE', thing.uid)],
    },
  }
}

/** Ends the case where v1 has no such operation, or expects it in another form: none is shown (R45, R49). */
export function taken(answer: Answer): Answer {
  if (succeeded(answer)) return answer
  const { operation } = answer.exchange
  if (isMissing(answer)) throw new NotOffered(operation, answer)
  throw new Inconclusive(`${operation} is refused, whose path is not shown: it was answered ${answer.status}`)
}
