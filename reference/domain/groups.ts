import { firstInvalid, type Resource, timeAt } from './resource.ts'

/** Groups (S4.1). */
export const groups: Resource = {
  family: 'iam',
  operations: ['list', 'get', 'create', 'update', 'delete'],
  refuses(fields, listed, at) {
    const { rules } = at.world
    return firstInvalid(listed, {
      name: () => rules.nameProblem(fields.name, at),
      description: () => rules.descriptionProblem(fields.description, at),
    })
  },
  render: (item, at) => at.world.rules.group(item, timeAt(at), at),
}
