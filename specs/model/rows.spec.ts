import { kinds } from '../../helpers/api/kinds.ts'
import { violated } from '../../helpers/assertions/violation.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { modelRows } from '../../helpers/model/rows.ts'

const families = ['list.', 'update.', 'error.', 'service.', 'auth.', 'sts.', 'time.', 'v1.']

/** The families whose cases show in a few calls what the model sees among all of them. */
const deeperThan = [...Object.values(kinds).map(({ name }) => `${name}.`), ...families]

for (const { least, ...header } of modelRows) {
  requirement({ ...header, alone: 'whole run', deeperThan }, async ({ run, evidence, atLeast }) => {
    await run.model.settled()
    const met = run.model.judge.met.get(header.id) ?? 0
    const [, kind] = header.id.split('.')
    run.answered.explain(met < least, [`${kind}.list`, `${kind}.get`])
    atLeast(least, 'judgements', met)
    const [shown] = run.model.found(header.id)
    if (shown === undefined) return
    evidence.push(...shown.exchanges)
    const { expected, got, n, about } = shown.finding
    const of = about.length > 0 ? ` (${about.join(', ')})` : ''
    violated({ message: `exchange ${n} does not fit what was written${of}`, expected, got, where: `exchange ${n}` })
  })
}
