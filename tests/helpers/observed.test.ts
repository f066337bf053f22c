import { beforeAll, expect, test } from 'vitest'
import { collectHeaders } from '../../cli/input/collect.ts'
import { everything } from '../../cli/input/selections.ts'
import { runSuite } from '../support/runs/built.ts'

let ids: string[]
beforeAll(async () => {
  ids = (await collectHeaders()).filter(({ level }) => level === 'observe').map(({ id }) => id)
})

const observe = async (seed: string) => {
  const { report } = await runSuite({
    values: { RMAPI_SEED: seed },
    selection: { ...everything, only: ids },
  })
  return report.requirements.map(({ id, outcome, observed }) => ({ id, outcome, observed }))
}

test('what is observed reads the same in each run, is short, and comes at least thirty times', async () => {
  const [first, second] = await Promise.all([observe('1'), observe('2')])

  const seen = first.filter(({ outcome }) => outcome === 'observed')
  expect(second).toEqual(first)
  expect(seen.length).toBeGreaterThanOrEqual(30)
  expect(seen.filter(({ observed = '' }) => observed.length > 400 || observed === '')).toEqual([])
})
