import { beforeAll, describe, expect, test, vi } from 'vitest'
import { collectHeaders } from '../cli/collect.ts'
import { everything } from '../cli/selections.ts'
import { matchesGlob } from '../helpers/selection.ts'
import type { Fault } from '../reference/replace.ts'
import type { Requirement } from '../reports/report.ts'
import { faults, runSuite } from './built.ts'

// one run keeps a core and a half busy
vi.setConfig({ maxConcurrency: 2 })

let ids: string[]
beforeAll(async () => {
  ids = (await collectHeaders()).map(({ id }) => id)
})

test('a fault names requirements that there are, three globs at the most, and there are faults enough', () => {
  const unknown = faults.flatMap(({ name, turnsRed }) =>
    turnsRed.filter((glob) => !ids.some((id) => matchesGlob(id, glob))).map((glob) => `${name}: ${glob}`),
  )

  expect(unknown).toEqual([])
  expect(faults.filter(({ turnsRed }) => turnsRed.length < 1 || turnsRed.length > 3)).toEqual([])
  expect(faults.length).toBeGreaterThanOrEqual(70)
})

/** What is told by the whole run, or by what it makes for others, is not told by a part of it. */
const told = ['time.*', 'service.*', 'error.domain', 'group.create.answers', 'list.total.*']

/**
 * With MATRIX=whole every fault meets the whole suite; else those do that only a whole run tells. The others meet the
 * requirements that they name with those that answer for the operations.
 */
const meetsAll = ({ turnsRed }: Fault) =>
  process.env.MATRIX === 'whole' || turnsRed.some((glob) => told.some((wide) => matchesGlob(glob, wide)))

describe.concurrent('the suite finds', () => {
  test.each(faults.map((fault) => ({ ...fault, all: meetsAll(fault) })))(
    '$name',
    async ({ rules, turnsRed, all }) => {
      const { report } = await runSuite({
        values: { RMAPI_SEED: '1' },
        selection: all ? everything : { ...everything, only: [...turnsRed, '*.answers'] },
        embedded: { rules },
      })

      expect(complaints(report.requirements, turnsRed)).toEqual([])
      expect(report.problems).toEqual([])
    },
  )
})

/** What a fault was to turn red and did not, and what else it turned red, in words. */
function complaints(requirements: readonly Requirement[], turnsRed: Fault['turnsRed']): string[] {
  const red = requirements.filter(({ outcome }) => ['fail', 'warning'].includes(outcome))
  const named = (id: string) => turnsRed.some((glob) => matchesGlob(id, glob))
  return [
    ...turnsRed
      .filter((glob) => !red.some(({ id }) => matchesGlob(id, glob)))
      .map((glob) => `missed: ${glob}`),
    ...red.filter(({ id }) => !named(id)).map(({ id, note }) => `also red: ${id}: ${note}`),
    ...requirements
      .filter(({ outcome }) => outcome === 'error')
      .map(({ id, note }) => `error: ${id}: ${note}`),
  ]
}
