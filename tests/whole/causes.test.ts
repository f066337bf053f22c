import { beforeAll, describe, expect, test, vi } from 'vitest'
import { collectHeaders } from '../../cli/input/collect.ts'
import { everything } from '../../cli/input/selections.ts'
import { basicFaults } from '../../reference/faults.ts'
import { toConsole } from '../../reports/formats/console.ts'
import type { Report, Requirement } from '../../schemas/types.ts'
import { faults, runSuite } from '../support/runs/built.ts'

// one run keeps a core and a half busy
vi.setConfig({ maxConcurrency: 2 })

/** What may stand red beside nothing else: a claim counts once, on however many kinds. */
const most = 3

const claimsOf = (requirements: readonly Requirement[]) => [...new Set(requirements.map(({ id }) => id.split('@')[0]!))]

const redIn = ({ requirements }: Report) =>
  requirements.filter(({ outcome }) => ['fail', 'warning', 'error'].includes(outcome))

/** A few claims are red, all that they keep undecided is blocked by them, and the report leads with the cause. */
function expectFewCauses(report: Report): void {
  const red = redIn(report)
  const causes = report.requirements.flatMap(({ blockedBy }) => blockedBy ?? [])
  const printed = toConsole(report, false)

  expect(report.problems).toEqual([])
  expect(report.verdict).toBe('nonconformant')
  expect(claimsOf(red).length, claimsOf(red).join(', ')).toBeLessThanOrEqual(most)
  expect(causes.filter((cause) => !red.some(({ id }) => id === cause))).toEqual([])
  const blocks = (id = '') => causes.filter((cause) => cause === id).length
  expect(blocks(/^FAIL (\S+)/m.exec(printed)?.[1])).toBe(Math.max(0, ...causes.map(blocks)))
}

let ids: string[]
beforeAll(async () => {
  ids = (await collectHeaders()).map(({ id }) => id)
})

// the other rules of a server that was built for the tests are unknown to these
const basics = basicFaults.map(({ name }) => faults.find((fault) => fault.name === name)!)

test('the faults that almost everything stumbles over are faults of the suite', () => {
  expect(basics.length).toBeGreaterThan(0)
  expect(basics).not.toContain(undefined)
})

describe.concurrent('at most three claims are red, and what rests on them is blocked:', () => {
  test.each(basics.map((fault, index) => ({ ...fault, index })))(
    '$name',
    async ({ turnsRed, spreadsTo, rules, index }) => {
      // beside the plain requirements each fault meets some others of its own
      const others = ids.filter((_, each) => each % 40 === 2 * index)

      const { report } = await runSuite({
        values: { RMAPI_SEED: '1' },
        selection: { ...everything, only: [...turnsRed, ...spreadsTo, ...plain, ...others] },
        embedded: { rules },
      })

      expectFewCauses(report)
    },
  )
})

/** The requirements that decide one thing in a few calls. */
const plain = [
  'group.*.answers',
  '*.list.answers',
  'error.never-succeeds',
  'auth.required.get',
  'auth.refuses.other-signer',
]

test('the whole suite too names one cause where every list is empty', async () => {
  const { rules } = basics.find(({ name }) => name === 'every list is empty')!

  const { report } = await runSuite({
    values: { RMAPI_SEED: '1' },
    selection: everything,
    embedded: { rules },
  })

  expectFewCauses(report)
  expect(redIn(report).map(({ id }) => id)).toEqual(['group.list.answers'])
})
