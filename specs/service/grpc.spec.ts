import { requirement } from '../../helpers/case/requirement.ts'
import { probeGrpc } from '../../helpers/grpc/probe.ts'
import { mustWrite } from '../../helpers/http/case-errors.ts'
import { withAgent } from '../../helpers/http/request.ts'

requirement(
  {
    id: 'grpc.door',
    level: 'observe',
    statement: 'S1.5, R60',
    quote: 'The same host serves every endpoint over gRPC as well',
    says: 'How an empty ListGroups over gRPC is answered, on the same host or at RMAPI_GRPC_URL',
  },
  async ({ run, observe }) => {
    mustWrite('grpc.ListGroups', run.config)
    const { header } = await run.tokens.credential()

    const { target, agent } = run.config
    const headers = withAgent(target.headers, agent, 'requirement grpc.door')
    observe(await probeGrpc({ ...target, headers }, header))
  },
)
