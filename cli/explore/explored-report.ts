import type { Explorer, Find } from '../../helpers/explore/explorer.ts'
import { stepOf } from '../../helpers/explore/recorded.ts'
import { plain } from '../../helpers/http/exchange.ts'
import { modelRows } from '../../helpers/model/rows.ts'
import type { Config } from '../../helpers/settings/configuration.ts'
import { blamed, type Row } from '../../reports/judge/outcome.ts'
import { reportOf } from '../../reports/model/report.ts'
import { present } from '../../schemas/present.ts'
import type { Report } from '../../schemas/types.ts'
import { untestable } from '../../specs/untestable.ts'
import { contractOfSuite, suite } from '../input/package.ts'
import { tracesOf } from '../run/suite-digest.ts'
import { withoutSecrets } from '../run/without-secrets.ts'
import { fileOf } from './finding-file.ts'

/** The facts of an exploration besides its findings. */
interface Facts {
  started: Date
  exchangesSent: number
  problems: string[]
  left: string[]
}

/** The report of an exploration: the rows of the model that it judged. */
export function exploredReport(explorer: Explorer, config: Config, { started, ...facts }: Facts): Report {
  const { coverage, finds, histories } = explorer
  const durationMs = Date.now() - started.getTime()
  const rows = modelRows.flatMap((header): Row[] => {
    const judgements = explorer.met.get(header.id) ?? 0
    const find = finds.get(header.id)
    if (find === undefined && judgements === 0) return []
    const shared = { header, met: { judgements }, startedAt: started.toISOString(), ms: durationMs }
    if (find === undefined) return [{ ...shared, exchanges: [], requests: 0, outcome: 'pass' }]
    return [{ ...shared, requests: find.calls.length, outcome: blamed(header), ...saidOf(find) }]
  })
  const report = reportOf(rows, {
    ...facts,
    ...tracesOf(config),
    target: config.target,
    suite,
    node: process.version,
    startedAt: started.toISOString(),
    durationMs,
    seed: config.seed,
    selection: { only: ['model.*'], skip: [], profiles: [], ...(config.transport && { transport: config.transport }) },
    contract: contractOfSuite(),
    untestable,
    explored: {
      histories,
      commands: coverage.commands,
      states: coverage.states,
      combinations: coverage.combinations,
      findings: [...finds].map(([row, { drawn, calls, reproduced }]) => ({
        row,
        file: fileOf(row),
        drawn,
        calls: calls.length,
        reproduced,
      })),
    },
  })
  return withoutSecrets(report, config)
}

function saidOf({ finding, calls, exchanges, drawn, reproduced }: Find) {
  const { quote, expected, got, n } = finding
  const shown = exchanges.some(({ number }) => number === n)
  return {
    ...present({ quote }),
    expected,
    got,
    exchanges: exchanges.map(plain),
    ...(reproduced ? { steps: calls.map(stepOf) } : {}),
    note: reproduced
      ? `${drawn} calls showed it first, and these ${calls.length} show it again in a fresh group`
      : `these ${drawn} calls showed it, and no fresh group showed it again`,
    ...(shown ? { where: `exchange ${n}` } : {}),
  }
}
