import { describe, expect, test, vi } from 'vitest'
import { everything } from '../../cli/input/selections.ts'
import type { Rules } from '../../reference/rules.types.ts'
import type { Report } from '../../schemas/types.ts'
import { runSuite, variants } from '../support/runs/built.ts'

// one run keeps a core and a half busy
vi.setConfig({ maxConcurrency: 2 })

/** Examines a reference with other rules. */
async function examineWith(rules: Partial<Rules>, only: string[]): Promise<Report> {
  const selection = { ...everything, only }
  return (await runSuite({ values: { RMAPI_SEED: '1' }, selection, embedded: { rules: () => rules } })).report
}

const passedOf = ({ requirements }: Report) =>
  requirements.flatMap(({ id, level, outcome }) => (level === 'must' && outcome === 'pass' ? [id] : []))
const aboutLists = (ids: string[]) => ids.filter((id) => /(^|\.)list\./.test(id))

/** Requirements about groups that show nothing where everything is on one page. */
const beyondOnePage = [
  'list.page-size.asked',
  'list.page-size.exact',
  'list.walk.complete',
  'list.walk.order',
  'list.walk.ties.*',
  'list.walk.filter',
  'list.walk.scope',
  'list.walk.collation',
  'list.token.goes-on',
  'list.token.last-page',
  'list.token.other-scope',
  'list.token.strange.scope',
]

describe.concurrent('what was not met is not passed', () => {
  test('where every list is empty', async () => {
    const report = await examineWith({ *candidates() {} }, ['list.*', '*.list.*'])

    // v1 and the answers over gRPC have no more to say than that they came
    const silent = /^v1\.|^grpc\..*\.answers$/
    expect(aboutLists(passedOf(report)).filter((id) => !silent.test(id))).toEqual([])
  })

  test('where no page has a token', async () => {
    const report = await examineWith({ more: () => false }, beyondOnePage)

    expect(passedOf(report)).toEqual(['list.page-size.asked'])
    expect(report.verdict).toBe('nonconformant')
  })

  test('where everything is on one page, whatever size was asked for', async () => {
    const report = await examineWith({ pageSize: () => 200 }, beyondOnePage)

    expect(passedOf(report)).toEqual([])
    expect(report.verdict).toBe('nonconformant')
  })

  test('where a name filter finds nothing', async () => {
    const report = await examineWith({ matchesName: () => false }, ['list.filter.*'])

    expect(passedOf(report)).toEqual([])
  })

  test('where nothing can be ordered because all has one name and one time', async () => {
    const moment = Date.UTC(2026, 0, 1)
    const born = () => ({ createTime: moment, updateTime: moment, lastSeenTime: moment })
    const report = await examineWith({ born }, ['list.order.created_at*', 'list.walk.ties.created_at'])

    expect(passedOf(report).filter((id) => !/@(roles|repos|tags|advisories)$/.test(id))).toEqual([
      'list.walk.ties.created_at',
    ])
  })
})

test('a row says how much evidence the case met', async () => {
  const report = await examineWith({}, ['list.walk.complete', 'list.walk.ties.created_at'])

  expect(report.requirements.map(({ outcome, met }) => ({ outcome, met }))).toEqual([
    {
      outcome: 'pass',
      met: expect.stringMatching(/^[1-9]\d* groups that share a createTime, [1-9]\d* page boundaries$/),
    },
    { outcome: 'pass', met: expect.stringMatching(/^[1-9]\d* page boundaries$/) },
  ])
})

test('a token without a right is not held against the target: the right is named', async () => {
  const { rules } = variants.find(({ name }) => name === 'nobody may make invites or associations')!
  const only = ['groupInvite.*.answers', 'accountAssociation.*.answers', '*@groupInvites']
  const selection = { ...everything, only }
  const { report } = await runSuite({ values: { RMAPI_SEED: '1' }, selection, embedded: { rules } })
  const undecided = report.requirements.filter(({ outcome }) => outcome === 'inconclusive')
  const silent = undecided.filter(
    ({ note = '' }) =>
      !/the token seems to lack the right to create (groupInvites|accountAssociations) \(needed for identities, sts(, \w+)*\)$/.test(
        note,
      ),
  )

  expect(report.requirements.filter(({ outcome }) => outcome === 'fail')).toEqual([])
  expect(undecided.length).toBeGreaterThan(10)
  expect(silent.map(({ id, note }) => `${id}: ${note}`)).toEqual([])
})
