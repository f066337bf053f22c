import { describe, expect, test } from 'vitest'
import { everything } from '../../cli/input/selections.ts'
import { fault } from '../../reference/fault.ts'
import type { Replacement } from '../../reference/replace.ts'
import { on } from '../../reference/replace.ts'
import { toConsole } from '../../reports/formats/console.ts'
import { toMarkdown } from '../../reports/formats/markdown.ts'
import { faults, runSuite } from '../support/runs/built.ts'

const changes = 'group.story.changes'
const faultNamed = (name: string) => faults.find((one) => one.name === name)!

async function tellTo(rules: Replacement, only = [changes], seed = '1') {
  const { report } = await runSuite({
    values: { RMAPI_SEED: seed },
    selection: { ...everything, only },
    embedded: { rules },
  })
  const row = report.requirements.find(({ id }) => id === changes)!
  return { report, row }
}

describe('a story that goes wrong', () => {
  test('is told in its shortest form, as steps and as the calls of exactly these', async () => {
    const { rules } = faultNamed('a group that was renamed and then deleted stays in the index of names')
    const { report, row } = await tellTo(rules)

    expect(row).toMatchObject({ outcome: 'fail', expected: 'nothing', got: 'A' })
    expect(row.steps).toEqual([
      expect.stringMatching(/^create group A, named a1( and described)?, below the scratch group$/),
      expect.stringMatching(/^rename A from a1 to a2/),
      'delete A',
      expect.stringMatching(/^list name=a[12] below the scratch group → expected nothing, got A$/),
    ])
    const acted = row.exchanges!.filter(({ phase }) => phase === 'act')
    // the last one is read again for as long as R52 allows
    expect([...new Set(acted.map(({ request }) => request.method))]).toEqual(['POST', 'PATCH', 'DELETE', 'GET'])
    expect(row.note).toMatch(/^in story \d of 8 \(seed 1\), shortened to 3 of its 20 commands \([\d, ]+\): /)

    const console = toConsole(report, false)
    expect(console).toMatch(/steps {5}1\. create group A/)
    expect(console).toMatch(/4\. list name=a\d below the scratch group → expected nothing, got A/)
    expect(console.match(/curl -sS/g)).toHaveLength(4)
    expect(toMarkdown(report)).toMatch(/\n3\. delete A\n4\. list name=a\d/)
  })

  test('is the same story again with the same seed, and another one with another', async () => {
    const { rules } = faultNamed('the third change of one group is answered and forgotten')
    const [one, again, other] = [await tellTo(rules), await tellTo(rules), await tellTo(rules, [changes], '2')]

    expect([again.row.steps, again.row.note]).toEqual([one.row.steps, one.row.note])
    expect(other.row.note).not.toBe(one.row.note)
  })

  test('draws the same whether it runs alone or with others', async () => {
    const { rules } = faultNamed('the third change of one group is answered and forgotten')
    const [alone, among] = [await tellTo(rules), await tellTo(rules, ['group.*'])]

    expect(among.row.steps).toEqual(alone.row.steps)
  })

  test('that does not go wrong again keeps its first telling, and says so', async () => {
    let deletes = 0
    const once: Replacement = on('groups', (contract) => ({
      forget: (steps, item, at) => ++deletes === 3 || contract.forget(steps, item, at),
    }))
    const { row } = await tellTo(once)

    expect(row.outcome).toBe('fail')
    expect(row.note).toMatch(/which did not go wrong in this way when it was told again/)
    expect(row.steps!.length).toBeGreaterThan(3)
  })

  test('says nothing more where a plainer requirement already fails', async () => {
    const { rules } = faultNamed('the mask is ignored')
    const [alone, among] = [await tellTo(rules), await tellTo(rules, ['group.update.*', changes])]

    expect(alone.row.outcome).toBe('fail')
    expect(among.row).toMatchObject({
      outcome: 'inconclusive',
      blockedBy: expect.stringMatching(/^group\.update\./),
    })
  })

  test('sends a bounded number of calls, however it goes', async () => {
    const broken = fault('nothing that is renamed keeps its name', [changes], on('groups', { changed: () => [] }))
    const { report } = await tellTo(broken.rules)

    expect(report.exchangesSent).toBeLessThan(1_500)
  })
})
