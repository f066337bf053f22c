import { type Resource, timeAt } from './resource.ts'

/** Roles, all of them built in (S2.13, S4.4). */
export const roles: Resource = {
  family: 'iam',
  operations: ['list', 'get'],
  refuses: () => undefined,
  render: (item, at) => at.world.rules.role(item, timeAt(at), at),
}
