import { namedResource, type Resource, timeAt } from './resource.ts'

/** Roles: the built-in ones are read (S2.13, S4.4); whether others can be made is up to the rules. */
export const roles: Resource = {
  ...namedResource((item, at) => at.world.rules.role(item, timeAt(at), at)),
  operations: ['list', 'get'],
}
