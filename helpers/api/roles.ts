import { Stopped } from '../http/case-errors.ts'
import type { Api } from './api.ts'
import type { Received } from './received.ts'

/** The roles of the first page that are the likeliest to stay: `viewer`, then the oldest, for others may delete theirs (R24). */
export async function standingRoles(api: Api): Promise<Received[]> {
  const { items } = await api.roles.list({})
  const age = ({ name, createTime }: Received) =>
    name === 'viewer' ? '' : typeof createTime === 'string' ? createTime : 'not told'
  return [...items].sort((a, b) => (age(a) < age(b) ? -1 : age(a) > age(b) ? 1 : 0))
}

/** The likeliest of them. */
export async function anyRole(api: Api): Promise<Received> {
  const [role] = await standingRoles(api)
  if (role !== undefined) return role
  throw new Stopped({ operation: 'role.list', phase: 'arrange', why: 'shows no role at all' })
}
