import type { Observation } from '../observation.ts'
import type { State, Thing } from '../state.ts'

/** Whose token a list was asked for with, empty for the run's own: the rights of each may decide its order (R22). */
export const readerOf = (state: State, { caller }: Observation): string =>
  caller.is === 'bearer' ? `for ${state.issued.get(caller.token)?.identity}` : ''

/** The roles that the identity of a token has had in the scope of a list, above it and inside it. */
export function rolesIn(state: State, seen: Observation): string {
  const { query } = seen
  const [, uid] = readerOf(state, seen).split(' ')
  const scope = state.group(query['uidp.children_of'] ?? query['uidp.descendants_of'] ?? '')
  const above = new Set(scope && state.upwards(scope).map((group) => group.uid))
  const isInside = (home: Thing | undefined) => home !== undefined && state.upwards(home).some((each) => each === scope)
  const places = state.ofKind('roleBindings').flatMap(({ binds, parent }) => {
    const place = above.has(parent) ? 'above' : isInside(state.group(parent)) ? 'inside' : undefined
    const isOwn = binds.identity.writes.some(({ value }) => value === uid)
    return isOwn && place ? binds.role.writes.map(({ value }) => `${value} ${place}`) : []
  })
  return [...new Set(places)].sort().join()
}
