import { requirement } from '../../helpers/case/requirement.ts'
import { Driver } from '../../helpers/generate/driver.ts'
import { askOldTokens } from '../../helpers/generate/expiry.ts'

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
  async ({ run, later, evidence, observe }) => {
    const scope = run.journal.root ?? String(later.made.groups().uid)
    const driver = new Driver(run, { phase: 'act', exchanges: evidence }, scope, 'expired')
    observe((await askOldTokens(driver)) > 0 ? 'used' : 'not used')
  },
)
