import { knockAtGrpc } from '../helpers/grpc.ts'
import { requirement } from '../helpers/requirement.ts'
import { mustWrite } from '../helpers/stopped.ts'

requirement(
  {
    id: 'grpc.door',
    level: 'observe',
    statement: 'S1.5, R60',
    says: 'What the published ListGroups answers over gRPC to an empty message, on the same host or at RMAPI_GRPC_URL',
    profile: 'grpc',
  },
  async ({ run, observe }) => {
    mustWrite('grpc.ListGroups', run.config)
    const { header } = await run.tokens.credential()

    observe(await knockAtGrpc(run.config.target, header))
  },
)
