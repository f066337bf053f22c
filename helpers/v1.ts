import { type Answer, type Call, type Credential, type Log, succeeded } from './client.ts'
import type { Premises } from './doorways.ts'
import { kinds } from './kinds.ts'
import type { Names } from './names.ts'
import type { Query } from './paths.ts'
import { isMissing, whereOf } from './refusal.ts'
import { type Body, isObject, type Reach, type Received } from './resources.ts'
import { instant } from './same.ts'
import { childrenOf, descendantsOf, type Scratch } from './scratch.ts'
import { Inconclusive, Stopped } from './stopped.ts'
import { violated } from './violation.ts'

/** A resource in its v1 form, as it came: nothing about it is sure. */
type Item = Record<string, unknown>

/** The answer to a list of v1. */
export interface V1List {
  /** Undefined where there is no array under `items`. */
  items: Item[] | undefined
  /** True where it may be a part only: it holds what looks like a token, or a round number of items (R44). */
  cutOff: boolean
  /** What it was asked with. */
  query: Query
  answer: Answer
}

/** The groups of v1: the list has to succeed, the rest, whose paths are not shown, may answer anything (R44, R45). */
export interface V1 {
  /** Lists what stands in a group: by the scope of v2, or without one where that is refused. */
  list(parent: string): Promise<V1List>
  readonly attempt: {
    list(query: Query, credential?: Credential): Promise<Answer>
    get(id: string): Promise<Answer>
    create(parent: string, body: Body): Promise<Answer>
    /** PUT of the full resource (S9.4). */
    replace(id: string, body: Body): Promise<Answer>
    delete(id: string): Promise<Answer>
  }
}

/** The groups of v1 over one log. */
export function v1Over({ client, paths, journal }: Reach, log: Log): V1 {
  const path = (id?: string) => paths.of(kinds.groups, id, 'v1')
  const send = (operation: string, call: Omit<Call, 'operation'>) =>
    client.send({ ...call, operation: `v1.group.${operation}` }, log)
  const attempt: V1['attempt'] = {
    list: (query, credential) =>
      send('list', { method: 'GET', path: path(), query, ...(credential && { credential }) }),
    get: (id) => send('get', { method: 'GET', path: path(id) }),
    create: async (parent, body) => {
      const entry = journal.before('groups', parent, body)
      const answer = await send('create', { method: 'POST', path: path(parent), body })
      if (succeeded(answer)) journal.after(entry, answer.json)
      return answer
    },
    replace: (id, body) => {
      journal.guard(id)
      return send('update', { method: 'PUT', path: path(id), body })
    },
    delete: (id) => {
      journal.guard(id)
      return send('delete', { method: 'DELETE', path: path(id) })
    },
  }
  const list = async (parent: string) => {
    let query = childrenOf(parent)
    const first = await attempt.list(query)
    let answer = first
    for (const other of [descendantsOf(parent), {}]) {
      if (![400, 422].includes(answer.status)) break
      query = other
      answer = await attempt.list(query)
    }
    return { query, ...readList(succeeded(answer) ? answer : first, log) }
  }
  return { list, attempt }
}

function readList(answer: Answer, { phase }: Log): Omit<V1List, 'query'> {
  const { json, status, text } = answer
  if (!succeeded(answer) || !isObject(json)) {
    const code = isObject(json) && typeof json.code === 'number' ? { code: json.code } : {}
    const why = `was answered ${status}${text === '' ? ' without a body' : `: ${text.slice(0, 200)}`}`
    throw new Stopped({ operation: 'v1.group.list', phase, why, status, ...code })
  }
  const items = Array.isArray(json.items) && json.items.every(isObject) ? json.items : undefined
  return { items, cutOff: goesOn(json) || isRound(items?.length ?? 0), answer }
}

/** Numbers of items at which a list may have ended for its length alone. */
const isRound = (count: number) => count > 0 && (count % 10 === 0 || count % 25 === 0)

/** True where a member looks as if more were to come: v1's paging is not shown. */
function goesOn(json: Item, depth = 0): boolean {
  return Object.entries(json).some(([member, value]) => {
    if (member === 'items') return false
    if (isObject(value)) return depth === 0 && goesOn(value, 1)
    return /token|cursor|next|more/i.test(member) && Boolean(value)
  })
}

/** Fails unless the answer holds an array of objects under `items` (S9.3). */
export function hasItems({ items, answer }: V1List): void {
  if (items) return
  const message = 'the v1 list has no array of objects under items'
  violated({
    message,
    expected: '{"items": [{…}, …]}',
    got: answer.text.slice(0, 300),
    where: whereOf(answer),
  })
}

function itemsOf({ items }: V1List): Item[] {
  if (items) return items
  throw new Inconclusive('the v1 list has no array under items, see v1.list.items')
}

/** Fails unless each item holds an `id`, and each of the uids is that of exactly one (R44). */
export function holdsOnce(list: V1List, uids: readonly string[]): void {
  const ids = itemsOf(list).map(({ id }) => id)
  const where = whereOf(list.answer)
  const odd = ids.find((id) => typeof id !== 'string' || id === '')
  if (ids.length > 0 && ids.some((id) => id === odd)) {
    violated({ message: 'an item of the v1 list has no id', expected: 'a string', got: odd, where })
  }
  for (const uid of uids) {
    const times = ids.filter((id) => id === uid).length
    if (times === 1) continue
    if (times === 0 && list.cutOff) throw new Inconclusive(`${uid} may stand on another page of the v1 list`)
    const message = `the v1 list shows ${times} items whose id is the uid of a group of v2`
    violated({ message, expected: `one with ${uid}`, got: ids.join(', ') || 'an empty list', where })
  }
}

/** The item whose id is that uid; without one the case is inconclusive, for `v1.group.id` tells of it. */
export function itemIn(list: V1List, uid: string): Item {
  const item = itemsOf(list).find(({ id }) => id === uid)
  if (item) return item
  throw new Inconclusive(`the v1 list shows no item with the id ${uid}, see v1.group.id`)
}

/** The group in an answer of v1; fails unless it bears the uid as its id. */
export function readGroup(answer: Answer, uid: string): Item {
  const { json, text } = answer
  if (isObject(json) && json.id === uid) return json
  const message = 'v1 answers something else than the group'
  violated({
    message,
    expected: `an object with the id ${uid}`,
    got: text.slice(0, 300),
    where: whereOf(answer),
  })
}

/** Fails where the list shows what is gone. */
export function showsNoLonger(list: V1List, uid: string): void {
  if (!itemsOf(list).some(({ id }) => id === uid)) return
  const message = 'the v1 list shows a group that was deleted through v2'
  violated({ message, expected: `no item with the id ${uid}`, got: 'one', where: whereOf(list.answer) })
}

/** Fails unless a v1 form has the name and the description of a group of v2; an unset description may be absent. */
export function agrees(item: Item, group: Received, where: Answer): void {
  const told = ({ name, description }: Item) => ({ name, description: description ?? '' })
  const [got, expected] = [told(item), told(group)]
  if (got.name === expected.name && got.description === expected.description) return
  violated({ message: 'v1 and v2 show one group differently', expected, got, where: whereOf(where) })
}

/** Fails unless a time of v1 names the same instant as one of v2, as exactly as the less exact one is told (R44). */
export function sameInstant(v1: unknown, v2: unknown, member: string, where: Answer): void {
  const digits = [v1, v2].map((time) => /(?<=\.)\d*/.exec(String(time))?.[0].length ?? 0)
  const apart = Math.abs(instant(v1) - instant(v2))
  // a fraction of fewer digits, or none, is a time told less exactly, cut or rounded
  if (apart < 10 ** (3 - Math.min(...digits, 3))) return
  if (Number.isNaN(instant(v2))) throw new Inconclusive(`v2 shows no time to compare ${member} of v1 with`)
  const message = `${member} of v1 names another instant than v2`
  violated({ message, expected: v2, got: v1, where: whereOf(where) })
}

/** What bad credentials are tried on in v1 (R39): the operations of a group, seen through v2. */
export async function openV1Premises({
  v1,
  scratch,
  names,
  paths,
}: { v1: V1; scratch: Scratch; names: Names } & Pick<Reach, 'paths'>): Promise<Premises> {
  const home = await scratch.makeGroup()
  const [thing, wouldBe] = [await scratch.makeGroup({ description: 'as it was' }, home.uid), names.fresh()]
  await scratch.emptyOfStrangers(thing.uid)
  const call = (operation: string, method: Call['method'], uid?: string, more: Partial<Call> = {}): Call => ({
    operation: `v1.group.${operation}`,
    method,
    path: paths.of(kinds.groups, uid, 'v1'),
    ...more,
  })
  const { query: scope } = await v1.list(home.uid)
  return {
    kind: 'groups',
    thing,
    home,
    wouldBe,
    calls: {
      list: [scope, { ...scope, page_size: 5 }, { ...scope, name: String(thing.name) }].map((query) =>
        call('list', 'GET', undefined, { query }),
      ),
      get: [call('get', 'GET', thing.uid)],
      create: [call('create', 'POST', home.uid, { body: { name: wouldBe } })],
      update: [
        call('update', 'PUT', thing.uid, { body: { name: String(thing.name), description: wouldBe } }),
      ],
      delete: [call('delete', 'DELETE', thing.uid)],
    },
  }
}

/** Ends the case as inconclusive where v1 has no such operation, or takes it in another way: none is shown (R45, R49). */
export function taken(answer: Answer): Answer {
  if (succeeded(answer)) return answer
  const how = isMissing(answer) ? 'is missing' : 'is refused'
  throw new Inconclusive(
    `${answer.exchange.operation} ${how}, whose path is not shown: it was answered ${answer.status}`,
  )
}
