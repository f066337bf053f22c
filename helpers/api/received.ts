import { Inconclusive } from '../http/case-errors.ts'

/** A resource as received: only its uid is certain, the schemas judge the rest. */
export type Received = { readonly uid: string } & { readonly [member: string]: unknown }

/** One answer to a list call. */
export interface Page {
  items: Received[]
  /** Undefined on the last page: absent, empty or `null` (R11). */
  nextPageToken: string | undefined
  totalCount: unknown
  skipped: unknown
  /** The whole body, checked against the schemas. */
  body: Record<string, unknown>
  headers: Record<string, string>
  /** The number of its exchange. */
  number?: number
}

/** True for a JSON object, arrays and `null` excluded. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True for a JSON object with a uid. */
export function isReceived(value: unknown): value is Received {
  return isObject(value) && typeof value.uid === 'string' && value.uid !== ''
}

/**
 * True where an answer of v1 may be one page of a longer list: v1's paging is not shown, so whatever looks like a token,
 * a link or a greater total counts, in the body or in a header (R44).
 */
export function mayGoOn(json: Record<string, unknown>, headers: Readonly<Record<string, string>> = {}): boolean {
  const { items, ...rest } = json
  const count = Array.isArray(items) ? items.length : 0
  // a token in a header of another kind is one against forgery
  const others = Object.entries(headers).filter(([name]) => !/csrf|xsrf|auth|security|nextjs/i.test(name))
  const isNext = /;\s*rel="?[^";,]*\bnext\b/i.test(headers.link ?? '')
  return isNext || others.some(([name, value]) => isOnward(name, value, count)) || leadsOn(rest, count)
}

const leadsOn = (part: object, count: number, within = ''): boolean =>
  Object.entries(part).some(([member, value]) => {
    const name = `${within}-${member}`
    return typeof value === 'object' && value !== null ? leadsOn(value, count, name) : isOnward(name, value, count)
  })

function isOnward(name: string, value: unknown, count: number): boolean {
  const words = name.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase()
  if (/(^|[-_])(pages|page[-_]count)$/.test(words)) return Number(value) > 1
  if (/(^|[-_])total([-_][a-z]+)?$/.test(words)) return Number(value) > count
  if (String(value).toLowerCase() === 'next') return true
  const isNamed = /(^|[-_.])(next|more|cursor|continu(e|ation)|(page)?token)([-_.]|$)/.test(words)
  return isNamed && Boolean(value) && !/^(false|null|none|0)$/i.test(String(value))
}

/** The uids of some resources, in their order. */
export function uids(resources: readonly Received[]): string[] {
  return resources.map(({ uid }) => uid)
}

/** The names of some resources, in their order. */
export function names(resources: readonly Received[]): unknown[] {
  return resources.map(({ name }) => name)
}

/** What a resource embeds; inconclusive where that is missing, which is judged elsewhere. */
export function embeddedIn(resource: Received, part: 'identity' | 'group' | 'role'): Received {
  const shown = resource[part]
  if (isReceived(shown)) return shown
  throw new Inconclusive(`'${resource.uid}' shows no ${part} with a uid`)
}

/** True unless an item is shown to be outside a group, by the group that a binding embeds or by the path in a uid. */
export function livesIn(home: string, kind: string, { uid, group }: Received): boolean {
  const place = kind === 'roleBindings' && isReceived(group) ? group.uid : uid
  return place === home || place.startsWith(`${home}/`) || !place.includes('/')
}

/** Numbers of items at which a list of v1 may have been cut off (R44): tens, quarters of a hundred, powers of two. */
export const isRound = (count: number): boolean =>
  count > 0 && (count % 10 === 0 || count % 25 === 0 || (count >= 16 && Number.isInteger(Math.log2(count))))
