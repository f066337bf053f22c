import type { Run } from '../../helpers/arrange/run.ts'
import { fits } from '../../helpers/assertions/model-finding.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { modelRows, readsOf } from '../../helpers/model/rows.ts'
import { allowancesFor } from '../../helpers/model/shown/allowances.ts'
import type { Profile } from '../../helpers/requirement/header.ts'

/** What a part of the service needs: where it is not offered, neither are its rows. */
const needed: Partial<Record<Profile, (run: Run) => Promise<unknown>>> = {
  grpc: ({ grpcSupport }) => grpcSupport.mustBeServed(),
}

for (const header of modelRows) {
  const mustBeOffered = needed[header.profile ?? 'core'] ?? (async () => {})
  requirement({ ...header, alone: 'whole run' }, async ({ run, evidence, atLeast }) => {
    await mustBeOffered(run)
    await run.model.settled()
    const met = run.model.met(header.id)
    run.answered.explain(met === 0, readsOf(header.id))
    atLeast(1, 'judgements', met)

    fits(run.model.found(header.id), evidence, run.model.misfits(header.id))
  })
}

requirement(
  {
    id: 'model.allowances',
    level: 'observe',
    statement: 'S4.28, R24, R50, R52',
    quote: "What else lives in a scratch group is the target's own affair",
    says: 'What the model saw in this run and makes allowances for',
    alone: 'whole run',
  },
  async ({ run, observe }) => {
    await run.model.settled()

    observe(allowancesFor(run.model.hearing.judge.state.flags).sort().join('; ') || 'nothing')
  },
)
