import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everything } from '../../cli/input/selections.ts'
import { judgeTrace } from '../../cli/trace/judge-trace.ts'
import type { Replacement } from '../../reference/replace.ts'
import type { Decided } from '../../reports/certificate/traced.ts'
import type { Requirement } from '../../schemas/types.ts'
import { faults, runSuite, variants } from '../support/runs/built.ts'

let folder = ''

/** Cases of several sorts, and every row of the model over what they send. */
const some = [
  'group.update.*',
  'list.filter.*',
  'list.skip.echo',
  'list.total.*',
  'sts.token.*',
  'v1.group.*',
  'model.*',
]
const selection = { ...everything, only: some, skip: ['model.inputs.*'] }

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rmapi judged '))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a row of a report says, in the words of the judge of a trace. */
function asDecided({ outcome, met, expected, got }: Requirement) {
  const isOpen = outcome === 'inconclusive' || outcome === 'not offered'
  if (outcome === 'pass') return { outcome: 'holds', met }
  return isOpen ? { outcome: 'open' } : { outcome: 'broken', met, expected, got }
}

const inWords = ({ outcome, met, expected, got }: Decided) => {
  if (outcome === 'open') return { outcome }
  const counted = { outcome, met: `${met} judgements` }
  return outcome === 'holds' ? counted : { ...counted, expected, got }
}

const servers = [
  ...['skip is not echoed', 'a filter finds one of several', 'the name to filter by is ignored'].map((name) => ({
    name,
    rules: faults.find((fault) => fault.name === name)?.rules,
  })),
  ...['a list shows everything 300 ms late', 'a list by name shows what is new 400 ms late'].map((name) => ({
    name,
    rules: variants.find((variant) => variant.name === name)?.rules,
  })),
]

describe('the rows of a trace are those of the run:', () => {
  test.each([{ name: 'the reference', rules: undefined as Replacement | undefined }, ...servers])(
    '$name',
    async ({ rules }) => {
      const server = rules === undefined ? {} : { embedded: { rules } }
      const run = { values: { RMAPI_SEED: '42' }, selection, out: folder, traced: true }
      const { report } = await runSuite({ ...run, ...server })

      const { decided, problems } = await judgeTrace(join(folder, 'trace.ndjson.gz'))

      expect(problems).toEqual([])

      const live = report.requirements.filter(({ id }) => decided.has(id))
      expect(live.length).toBeGreaterThan(90)
      // what another failure explains is inconclusive in a report, and broken all the same
      const plain = live.filter(({ blockedBy }) => blockedBy === undefined)
      expect(Object.fromEntries(plain.map((one) => [one.id, asDecided(one)]))).toEqual(
        Object.fromEntries(plain.map(({ id }) => [id, inWords(decided.get(id)!)])),
      )
    },
  )
})
