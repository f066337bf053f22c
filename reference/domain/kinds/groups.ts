import { namedResource, timeAt } from './resource.ts'

/** Groups (S4.1). */
export const groups = namedResource((item, at) => at.world.rules.group(item, timeAt(at), at))
