import type { Run } from '../../helpers/arrange/run.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { Driver } from '../../helpers/generate/driver.ts'
import { askOwnRoles } from '../../helpers/generate/end/own-roles.ts'
import { askQuietly } from '../../helpers/generate/end/quiet.ts'
import { askEverything, askHalfEmptied, walkEverything } from '../../helpers/generate/end/remains.ts'
import { overEither } from '../../helpers/generate/over-either.ts'

// these cases only send: the model judges the answers

requirement(
  {
    id: 'model.inputs.everything',
    level: 'observe',
    statement: 'S4.8, S4.25',
    quote: 'a List holds only resources that are anywhere below the group',
    says: 'Whether one list of each kind was read to its end, with all that the run made',
    alone: true,
  },
  async ({ run, runGroup, evidence, observe }) => {
    const driver = new Driver(run, { phase: 'act', exchanges: evidence }, runGroup.uid, 'everything')
    observe((await askEverything(driver)) > 0 ? 'walked' : 'not walked')
  },
)

requirement(
  {
    id: 'grpc.inputs.everything',
    level: 'observe',
    statement: 'S1.5, S4.8, R60',
    quote: 'a List holds only resources that are anywhere below the group',
    says: 'Whether all that the run made was walked over gRPC',
    alone: true,
  },
  async ({ run, runGroup, evidence, observe }) => {
    await run.grpcSupport.mustBeServed()
    const log = { phase: 'act', exchanges: evidence } as const
    const driver = new Driver({ ...run, over: 'grpc' }, log, runGroup.uid, 'everything over gRPC')
    observe((await walkEverything(driver)) > 0 ? 'walked' : 'not walked')
  },
)

requirement(
  {
    id: 'model.inputs.half-emptied',
    level: 'observe',
    statement: 'S7.6, R29, R30',
    quote: 'Deleting a group that has child resources gives code 9',
    says: 'Whether a group was deleted when most of its many children were gone',
    alone: true,
  },
  async ({ run, crowd, evidence, observe }) => {
    const driver = new Driver(
      run,
      { phase: 'act', exchanges: evidence },
      String(Object.values(crowd.scope)[0]),
      'emptied',
    )
    observe((await askHalfEmptied(driver, crowd)) > 0 ? 'tried' : 'not tried')
  },
)

requirement(
  {
    id: 'model.inputs.roles',
    level: 'observe',
    statement: 'S1.2, S2.3, R39, R49',
    quote:
      'Roles, RoleBindings, IdentityProviders, AccountAssociations and GroupInvites offers List, Get, Create, Update and Delete',
    says: 'Whether roles were made, changed and deleted',
    profile: 'identities',
    alone: true,
  },
  async ({ run, runGroup, evidence, observe }) => {
    const driver = new Driver(run, { phase: 'act', exchanges: evidence }, runGroup.uid, 'roles')
    observe((await askOwnRoles(driver)) > 0 ? 'made' : 'not made')
  },
)

/** How the changes are sent; over gRPC, each reading draws its own protocol. */
const quietly = [
  { id: 'model.inputs.quiet', profile: 'core', ruling: 'R55', change: 'change', through: async (run: Run) => run },
  { id: 'grpc.inputs.quiet', profile: 'grpc', ruling: 'R60', change: 'change over gRPC', through: overGrpc },
] as const

async function overGrpc(run: Run): Promise<Run> {
  await run.grpcSupport.mustBeServed()
  return overEither(run, 'quiet', 'grpc')
}

for (const { id, profile, ruling, change, through } of quietly) {
  requirement(
    {
      id,
      level: 'observe',
      statement: `S4.28, R52, ${ruling}`,
      quote: 'answers the resource as it is after the update',
      profile,
      says: `Whether each ${change} was read through many views while nothing else was written`,
      alone: true,
    },
    async ({ run, runGroup, evidence, observe }) => {
      const driver = new Driver(await through(run), { phase: 'act', exchanges: evidence }, runGroup.uid, id)
      observe((await askQuietly(driver)) > 0 ? 'read' : 'not read')
    },
  )
}
