import { present } from '../../schemas/present.ts'
import type { RecordedCall } from '../../schemas/types.ts'
import { kinds } from '../api/kinds.ts'
import { readPath } from '../api/resource-path.ts'
import type { Call } from '../http/call.ts'
import { type Sent, saidBy } from './recorder.ts'

/** What becomes a variable from the beginning: each text with the name of its variable. */
export type Known = readonly (readonly [text: string, name: string])[]

/** The shortest text that is replaced inside others: a shorter one is only replaced as a whole. */
const shortest = 8

const operations = { GET: 'get', POST: 'create', PATCH: 'update', PUT: 'update', DELETE: 'delete' } as const

/** Calls with variables for what differs in another group; calls that no file can hold are left out. */
export function recorded(sent: readonly Sent[], known: Known): RecordedCall[] {
  const names = new Map(known.map(([text, name]) => [text, variable(name)]))
  const pages = new Map<string, string>()
  return sent.flatMap(({ call, answer }, index) => {
    const number = index + 1
    const written = writtenOf(call, number, (value) => replaced(value, names), pages)
    const { uid, nextPageToken } = saidBy(answer)
    if (uid !== undefined && !names.has(uid)) names.set(uid, variable(`${number}.uid`))
    if (nextPageToken !== undefined) pages.set(nextPageToken, variable(`${number}.nextPageToken`))
    return written ?? []
  })
}

function writtenOf(
  { method, path, query = {}, body, contentType, at, credential }: Call,
  number: number,
  write: <T>(value: T) => T,
  pages: ReadonlyMap<string, string>,
): RecordedCall | undefined {
  const place = readPath(path)
  const does = Object.hasOwn(operations, method) ? operations[method as keyof typeof operations] : undefined
  if (place === undefined || does === undefined || at !== undefined || credential !== undefined) return undefined
  // what the operator owns is somewhere else on another target
  if (kinds[place.kind].family !== 'iam') return undefined
  const asked = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return []
    const page = name === 'page_token' ? pages.get(String(value)) : undefined
    return [[name, page ?? (typeof value === 'number' ? value : write(String(value)))]]
  })
  return {
    number,
    does: does === 'get' && place.uid === undefined ? 'list' : does,
    kind: place.kind as RecordedCall['kind'],
    ...(place.version === 'v1' ? { version: 'v1' as const } : {}),
    ...(place.uid === undefined ? {} : { uid: write(place.uid) }),
    ...(asked.length === 0 ? {} : { query: Object.fromEntries(asked) as RecordedCall['query'] & {} }),
    ...(body === undefined ? {} : { body: write(inADay(body)) as NonNullable<RecordedCall['body']> }),
    ...present({ contentType }),
  }
}

/** The end of an invite is equally far away when it is sent again. */
function inADay(body: unknown): unknown {
  const isInvite = typeof body === 'object' && body !== null && 'expirationTime' in body
  return isInvite ? { ...body, expirationTime: variable('tomorrow') } : body
}

/** A value with texts replaced by their names, at any depth; the longest text first. */
function replaced<T>(value: T, names: ReadonlyMap<string, string>): T {
  const all = [...names].sort(([a], [b]) => b.length - a.length)
  return mapped(value, (text) => {
    let written = names.get(text) ?? text
    for (const [own, name] of all) if (own.length >= shortest) written = written.replaceAll(own, name)
    return written
  })
}

/** A value with each text in it changed, at any depth. */
function mapped<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T
  if (Array.isArray(value)) return value.map((one) => mapped(one, change)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapped(one, change)])) as T
}

/** A variable as written in a call. */
const variable = (name: string) => `\${${name}}`
/** The variables in a text. */
const variables = /\$\{([^{}]+)\}/g

/** A call with the values of its variables; undefined where one has no value. */
export function filledIn(call: RecordedCall, values: ReadonlyMap<string, string>): RecordedCall | undefined {
  let lacks = false
  const fill = (text: string) =>
    text.replace(variables, (whole, name: string) => {
      const value = values.get(name)
      lacks ||= value === undefined
      return value ?? whole
    })
  const filled = mapped(call, fill)
  return lacks ? undefined : filled
}

/** The numbers of the calls whose answers a call refers to. */
export function needsOf({ uid, query, body }: RecordedCall): number[] {
  const text = JSON.stringify([uid, query, body])
  return [...text.matchAll(/\$\{(\d+)\.\w+\}/g)].map(([, number]) => Number(number))
}

/** The calls without those that refer to removed ones. */
export function whole(calls: readonly RecordedCall[]): RecordedCall[] {
  const there = new Set<number>()
  return calls.filter((call) => {
    const fits = needsOf(call).every((number) => there.has(number))
    if (fits) there.add(call.number)
    return fits
  })
}

/** True for a call that changes, reads or deletes what another one makes. */
export const isAbout = ({ does, uid }: RecordedCall, { number }: RecordedCall) =>
  does !== 'create' && uid === variable(`${number}.uid`)

/** The calls without the create of a group: its contents move to the group above. */
export function hoisted(calls: readonly RecordedCall[], { number, uid = '' }: RecordedCall): RecordedCall[] {
  const others = calls.filter((call) => call.number !== number)
  return whole(others.map((call) => mapped(call, (text) => text.replaceAll(variable(`${number}.uid`), uid))))
}

/** The calls, renumbered from 1. */
export function renumbered(calls: readonly RecordedCall[]): RecordedCall[] {
  const numbers = new Map(calls.map(({ number }, index) => [String(number), index + 1]))
  const change = (text: string) =>
    text.replace(/\$\{(\d+)\.(\w+)\}/g, (_, number: string, member: string) =>
      variable(`${numbers.get(number)}.${member}`),
    )
  return calls.map((call, index) => ({ ...mapped(call, change), number: index + 1 }))
}

/** A call in a few words. */
export function stepOf({ does, kind, version, uid = '', query, body }: RecordedCall): string {
  const members = Object.entries(query ?? {}).map(([name, value]) => `${name}=${value}`)
  const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`
  const asked = members.length === 0 ? '' : ` ?${members.join('&')}`
  return `${does} ${version === undefined ? '' : 'v1 '}${kind}${uid === '' ? '' : ` ${uid}`}${asked}${sent}`
}
