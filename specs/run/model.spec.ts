import { fits } from '../../helpers/assertions/model-finding.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { modelRows } from '../../helpers/model/rows.ts'

for (const { least, ...header } of modelRows) {
  requirement({ ...header, alone: 'whole run' }, async ({ run, evidence, atLeast }) => {
    await run.model.eventually()
    atLeast(least, 'judgements', run.model.judge.met.get(header.id) ?? 0)

    fits(run.model.found(header.id), evidence)
  })
}
