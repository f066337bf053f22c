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
}

/** True for a JSON object, arrays and `null` excluded. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True for a JSON object with a uid. */
export function isReceived(value: unknown): value is Received {
  return isObject(value) && typeof value.uid === 'string' && value.uid !== ''
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
