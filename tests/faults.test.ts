import { beforeAll, describe, expect, test, vi } from 'vitest'
import { collectHeaders } from '../cli/collect.ts'
import { everything } from '../cli/selections.ts'
import { matchesGlob } from '../helpers/selection.ts'
import type { Fault } from '../reference/replace.ts'
import { complaintsOnFault, examinedAs } from '../selftest/judge.ts'
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
  expect(faults.length).toBeGreaterThanOrEqual(200)
})

/** Each fault meets the requirements that it names, and others only where these do not tell; the matrix says what else it turns red. */
async function complaintsOf(fault: Fault): Promise<string[]> {
  let complaints: string[] = []
  for (const only of [fault.turnsRed, [...fault.turnsRed, '*.answers'], []]) {
    const { report } = await runSuite({
      values: { RMAPI_SEED: '1' },
      selection: { ...everything, only: [...only] },
      embedded: { rules: fault.rules },
    })
    complaints = complaintsOnFault(fault, examinedAs(report))
    if (complaints.every((complaint) => !complaint.startsWith('missed: '))) return complaints
  }
  return complaints
}

describe.concurrent('the suite finds', () => {
  test.each(faults)('$name', async (fault) => {
    expect(await complaintsOf(fault)).toEqual([])
  })
})
