import { requirement } from '../../helpers/case/requirement.ts'
import { probeGrpc } from '../../helpers/grpc/door.ts'
import { mustWrite } from '../../helpers/http/case-errors.ts'

requirement(
  {
    id: 'grpc.door',
    level: 'observe',
    statement: 'S1.5, R60',
    quote: 'The same host serves every endpoint over gRPC as well',
    says: 'How an empty ListGroups over gRPC is answered, on the same host or at RMAPI_GRPC_URL',
    profile: 'grpc',
  },
  async ({ run, observe }) => {
    mustWrite('grpc.ListGroups', run.config)
    const { header } = await run.tokens.credential()

    observe(await probeGrpc(run.config.target, header))
  },
)
