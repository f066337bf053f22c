import { requirement } from '../../helpers/case/requirement.ts'
import { openDormant } from '../../helpers/generate/aged/dormant.ts'
import { askOldTokens } from '../../helpers/generate/aged/expiry.ts'
import { Driver } from '../../helpers/generate/driver.ts'
import { askTakenAgain } from '../../helpers/generate/end/taken-late.ts'
import { servedOverGrpc } from '../../helpers/generate/over-either.ts'
import type { Log } from '../../helpers/http/call.ts'

requirement(
  {
    id: 'model.inputs.expired',
    level: 'observe',
    statement: 'S5.5, S8.3, R40, R42',
    quote: 'A page token lives for 3 days',
    says: 'Whether tokens were used when their time was over',
    profile: 'time',
    alone: true,
  },
  async ({ run, later, ownIssuer, evidence, observe }) => {
    const scope = run.journal.root ?? String(later.made.groups().uid)
    const log: Log = { phase: 'act', exchanges: evidence }
    const driver = new Driver(run, log, scope, 'expired')
    const overGrpc = await servedOverGrpc(run)
    const beside = overGrpc && new Driver(overGrpc, log, scope, 'expired over gRPC')
    const dormant = run.clock.movable ? await openDormant(driver, ownIssuer, beside) : undefined
    observe((await askOldTokens(driver, { beside, dormant })) > 0 ? 'used' : 'not used')
    await askTakenAgain(driver)
  },
)
