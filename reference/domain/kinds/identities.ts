import { namedResource, timeAt } from './resource.ts'

/** Identities (S4.3). */
export const identities = namedResource(
  (item, at) => at.world.rules.identity(item, timeAt(at), at),
  ({ claimMatch }, at) => ({ claimMatch: () => at.world.rules.claimMatchProblem(claimMatch, at) }),
)
