import { Stopped } from '../http/case-errors.ts'
import type { Api } from './api.ts'
import { isObject, isReceived, type Received } from './received.ts'

/** Roles, those likeliest to stay first: `viewer`, then the oldest, because others may delete theirs (R24). */
export function likeliestToStay(roles: readonly Received[]): Received[] {
  const age = ({ name, createTime }: Received) =>
    name === 'viewer' ? '' : typeof createTime === 'string' ? createTime : 'unknown'
  return [...roles].sort((a, b) => (age(a) < age(b) ? -1 : age(a) > age(b) ? 1 : 0))
}

/** The roles of the first page in that order. */
export async function standingRoles(api: Api): Promise<Received[]> {
  return likeliestToStay((await api.roles.list({})).items)
}

/** The most likely of them. */
export async function anyRole(api: Api): Promise<Received> {
  const [role] = await standingRoles(api)
  if (role !== undefined) return role
  throw new Stopped({ operation: 'role.list', phase: 'arrange', why: 'shows no role at all' })
}

/** The most pages of roles that are searched. */
const mostPages = 10

/** The role of that name in a list by name, a filter that kinds other than groups need not know (R21). */
export async function roleNamed(attempt: Api['attempt'], wanted: string): Promise<Received | undefined> {
  const { json } = await attempt.roles.list({ name: wanted })
  const filtered = isObject(json) && Array.isArray(json.roles) ? json.roles.filter(isReceived) : []
  return filtered.find(({ name }) => name === wanted)
}

/** The role that every target has, on whichever page (R9); undefined where it is not found. */
export async function viewerRole(api: Api): Promise<Received | undefined> {
  const isViewer = ({ name }: Received) => name === 'viewer'
  const named = await roleNamed(api.attempt, 'viewer')
  let token: string | undefined
  for (let pages = 0; named === undefined && pages < mostPages; pages++) {
    const page = await api.roles.list({ page_size: 200, page_token: token })
    const found = page.items.find(isViewer)
    if (found || page.nextPageToken === undefined) return found
    token = page.nextPageToken
  }
  return named
}
