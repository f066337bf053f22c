import { describe, expect, test } from 'vitest'
import { everything } from '../../cli/input/selections.ts'
import { remedyFor } from '../../reports/judge/remedies.ts'
import { undecidedIn } from '../../reports/model/select.ts'
import type { Report, Requirement } from '../../schemas/types.ts'
import { runSuite, variants } from '../support/runs/built.ts'

describe('why requirements could not be decided', () => {
  const reasons = (...notes: string[]) => {
    const rows = notes.map((note, at) => ({ id: `row.${at}`, note })) as Requirement[]
    return undecidedIn(rows, { verdict: 'partial', requirements: rows } as Report).length
  }

  test.each([
    [
      'group.create was answered 400: {"details":[{"requestId":"0908389e-bc56","servingData":""}]}',
      'group.create was answered 400: {"details":[{"requestId":"b894b9e5-9b0d","servingData":""}]}',
    ],
    [
      'group.create was answered 403: {"message":"too deep","x-trace":"4bf92f3577b3',
      'group.create was answered 403: {"message":"too deep","x-trace":"00f067aa0ba9',
    ],
    [
      "the target does not show what the run made as '-gOzfZloXHkh66nPgQ8xI': nothing is written there",
      "the target does not show what the run made as '_NoRJb3DWuqhdH7ugkv2c': nothing is written there",
    ],
    [
      'identity.update was answered 400 without the resource 01JAJVH2D4XWGJ60: {"code":3}',
      'identity.update was answered 400 without the resource 01JGGCMPQ5PTPSTS: {"code":3}',
    ],
  ])('is one reason, whatever each answer is about: %s', (one, other) => {
    expect(reasons(one, other)).toBe(1)
  })

  test('names the definitions where gRPC is served without the lists of a kind', () => {
    const note = 'this target serves gRPC, and neither List nor Get of role bindings under the published names'

    expect(remedyFor({ note }, 'partial')).toContain('RMAPI_PROTO_DESCRIPTORS')
  })

  test('asks for room where a group lies too deep, and for a right where one is lacking', () => {
    const refused = (message: string) => ({ note: `group.create was answered 403: {"code":7,"message":"${message}"}` })

    expect(remedyFor(refused('groups are nested too deeply'), 'partial')).toContain('five levels deep')
    expect(remedyFor(refused('not allowed'), 'partial')).toContain('give the token the right')
  })

  test('is another reason where status or code differ', () => {
    const with9 = 'group.create was answered 400: {"code":9,"message":"too deep"}'

    expect(reasons(with9, with9.replace('9', '8'))).toBe(2)
    expect(reasons(with9, with9.replace('400', '403'))).toBe(2)
  })
})

test('page tokens that a target need not give keep it from nothing (R11)', async () => {
  const { rules } = variants.find(({ name }) => name === 'a page that was reached by a skip has no token')!
  const { report } = await runSuite({
    values: { RMAPI_SEED: '1' },
    selection: { ...everything, only: ['list.walk.skip-*', 'list.skip.*'] },
    embedded: { rules },
  })
  const left = report.requirements.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'observed')

  expect(left.map(({ id, outcome }) => `${id}: ${outcome}`)).toEqual([
    'list.walk.skip-filtered: not offered',
    'list.walk.skip-first: not offered',
    'list.walk.skip-token: warning',
  ])
})

test('a refusal of what was allowed elsewhere is no lack of a right', async () => {
  const { rules } = variants.find(({ name }) => name === 'no group lies deeper than two below a scratch group')!
  const selection = { ...everything, only: ['group.*.answers', 'list.scope.*'] }
  const { report } = await runSuite({ values: { RMAPI_SEED: '1' }, selection, embedded: { rules } })

  const notes = report.requirements.map(({ note = '' }) => note)
  expect(notes).toContainEqual(expect.stringMatching(/^group\.create was answered 403/))
  expect(notes.filter((note) => note.includes('lack the right'))).toEqual([])
})
