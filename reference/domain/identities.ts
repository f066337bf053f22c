import { firstInvalid, type Resource, timeAt } from './resource.ts'

/** Identities (S4.3). */
export const identities: Resource = {
  family: 'iam',
  operations: ['list', 'get', 'create', 'update', 'delete'],
  refuses(fields, listed, at) {
    const { rules } = at.world
    return firstInvalid(listed, {
      name: () => rules.nameProblem(fields.name, at),
      description: () => rules.descriptionProblem(fields.description, at),
      claimMatch: () => rules.claimMatchProblem(fields.claimMatch, at),
    })
  },
  render: (item, at) => at.world.rules.identity(item, timeAt(at), at),
}
