import { describe, expect, test } from 'vitest'
import { contractOfSuite } from '../../cli/input/package.ts'
import { coverageLine, coverageOf } from '../../reports/judge/coverage.ts'

const contract = contractOfSuite()
const header = (id: string, statement: string, level: 'must' | 'should' | 'observe' = 'must') => ({
  id,
  statement,
  level,
})

test('a statement is explained by what cites it, by its reason, or by the lack of both', () => {
  const headers = [
    header('a.b.c', 'S4.8, R15'),
    header('a.b.d', 'S4.8, S4.80', 'should'),
    header('a.e', 'S4.8', 'observe'),
    header('f.g', 'R15 (S4.9)', 'observe'),
  ]
  const rows = coverageOf(headers, contract, { 'S5.2': 'Nobody sees it.', 'S4.8': 'Not asked for.' })
  const of = (id: string) => rows.find((row) => row.id === id)

  expect(rows.map(({ id }) => id)).toEqual([...contract.statements.keys()])
  expect(of('S4.8')).toMatchObject({ tested: ['a.b.c', 'a.b.d'], observed: ['a.e'] })
  expect(of('S4.8')).not.toHaveProperty('why')
  expect(of('S4.9')).toMatchObject({ tested: [], observed: ['f.g'] })
  expect(of('S5.2')).toMatchObject({ tested: [], observed: [], why: 'Nobody sees it.' })
  expect(of('S5.1')!.why).toMatch(/No requirement cites it/)
})

describe('the line of a statement', () => {
  const line = (tested: string[], observed: string[] = []) =>
    coverageLine({ id: 'S4.8', text: '', tested, observed }, 60)

  test.each<[string, string[], string[], string]>([
    ['its requirements where they fit', ['a.b.c', 'a.d'], ['e.f'], 'tested: a.b.c, a.d; observed: e.f'],
    ['nothing of what there is none of', [], ['e.f'], 'observed: e.f'],
    [
      'a claim on several kinds as one',
      ['list.walk.complete', 'list.walk.complete@roles', 'list.walk.complete@identities'],
      [],
      'tested: list.walk.complete, list.walk.complete@* (2)',
    ],
    [
      'families where the claims do not fit',
      Array.from({ length: 14 }, (_, n) => `list.walk.claim-${n}`).concat('list.lag'),
      ['list.skip.one'],
      'tested: list.walk.* (14), list.lag; observed: list.skip.one',
    ],
    [
      'whole parts where the families do not fit',
      ['a', 'b', 'c', 'd', 'e'].flatMap((family) => [1, 2].map((n) => `list.long-${family}.claim-${n}`)),
      ['list.x'],
      'tested: list.* (10); observed: list.x',
    ],
  ])('holds %s', (_what, tested, observed, words) => {
    expect(coverageLine({ id: 'S4.8', text: '', tested, observed }, 72)).toBe(`S4.8   ${words}`)
  })

  test('is cut where nothing helps', () => {
    const parts = Array.from({ length: 30 }, (_, n) => `part${n}.claim`)

    expect(line(parts)).toHaveLength(60)
    expect(line(parts)).toMatch(/…$/)
    const why = 'long '.repeat(20)
    expect(coverageLine({ id: 'S4.8', text: '', tested: [], observed: [], why }, 60)).toHaveLength(60)
  })
})
