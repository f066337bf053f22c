import { beforeAll, describe, expect, test, vi } from 'vitest'
import { collectHeaders } from '../cli/collect.ts'
import { everything } from '../cli/selections.ts'
import { runSuite, variants } from './built.ts'

// one run keeps a core and a half busy
vi.setConfig({ maxConcurrency: 2 })

let levels: Map<string, string>
beforeAll(async () => {
  levels = new Map((await collectHeaders()).map(({ id, level }) => [id, level]))
})

test('a variant makes warn what should be, and there are variants enough', () => {
  const warned = [...new Set(variants.flatMap(({ warns }) => warns))]

  expect(warned.filter((id) => levels.get(id) !== 'should')).toEqual([])
  expect(variants.length).toBeGreaterThanOrEqual(25)
})

// with MATRIX=whole every variant is examined, else every third
const examined = variants.filter((_, index) => process.env.MATRIX === 'whole' || index % 3 === 0)

describe.concurrent('the suite accuses nobody because', () => {
  test.each(examined)('$name', async ({ rules, warns }) => {
    const { report } = await runSuite({
      values: { RMAPI_SEED: '1' },
      selection: everything,
      embedded: { rules },
    })

    const accused = report.requirements.filter(({ outcome }) =>
      ['fail', 'warning', 'error'].includes(outcome),
    )
    expect(accused.filter(({ id }) => !warns.includes(id)).map(({ id, note }) => `${id}: ${note}`)).toEqual(
      [],
    )
    expect(accused.map(({ id }) => id).sort()).toEqual([...warns].sort())
    expect(report.problems).toEqual([])
    expect(report.verdict).not.toBe('undetermined')
  })
})
