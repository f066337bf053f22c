import { beforeAll, describe, expect, test, vi } from 'vitest'
import { collectHeaders } from '../cli/collect.ts'
import { everything } from '../cli/selections.ts'
import { matchesGlob, type Selection } from '../helpers/selection.ts'
import type { Fault } from '../reference/replace.ts'
import type { Report, Requirement } from '../reports/report.ts'
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

/** The verdict on a server with a fault, of all requirements or of some. */
async function examine({ rules }: Fault, selection: Selection): Promise<Report> {
  const { report } = await runSuite({ values: { RMAPI_SEED: '1' }, selection, embedded: { rules } })
  expect(report.problems).toEqual([])
  return report
}

/**
 * With MATRIX=whole every fault meets the whole suite; else the requirements that it names, with those that answer for
 * the operations, and the whole suite only where these do not tell.
 */
async function complaintsOf(fault: Fault): Promise<string[]> {
  const { turnsRed } = fault
  if (process.env.MATRIX !== 'whole') {
    const { requirements } = await examine(fault, { ...everything, only: [...turnsRed, '*.answers'] })
    const found = complaints(requirements, turnsRed)
    if (found.length === 0 || found.some((complaint) => !complaint.startsWith('missed: '))) return found
  }
  const { requirements } = await examine(fault, everything)
  return complaints(requirements, turnsRed)
}

describe.concurrent('the suite finds', () => {
  test.each(faults)('$name', async (fault) => {
    expect(await complaintsOf(fault)).toEqual([])
  })
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
