import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { collectHeaders } from '../../cli/input/collect.ts'
import { packageRoot } from '../../cli/input/package.ts'
import type { Header } from '../../helpers/requirement/header.ts'
import { fault, variant } from '../../reference/fault.ts'
import { faults as allFaults } from '../../reference/faults.ts'
import { variants as allVariants } from '../../reference/variants.ts'
import { complaintsOnFault, complaintsOnVariants, type Examined, type Row } from '../../selftest/judge.ts'
import { figures, matrixToMarkdown } from '../../selftest/markdown.ts'
import {
  faultRow,
  merged,
  narrowFor,
  readMatrix,
  staleIn,
  timeless,
  unprovenBy,
  unwrittenIn,
  variantRow,
  widerFor,
} from '../../selftest/matrix.ts'

const row = (id: string, outcome: Row['outcome'], note?: string): Row => ({
  id,
  outcome,
  statement: 'S4.10, R3',
  ...(note === undefined ? {} : { note }),
})
const examined = (rows: Row[], problems: string[] = []): Examined => ({
  rows,
  problems,
  verdict: 'nonconformant',
  ms: 5,
})
const broken = fault('groups are lost', ['list.a', 'list.b*'], () => ({}))
const odd = variant('names are long', () => ({}), ['list.w'])
const header = (id: string, level: Header['level'] = 'must'): Header => ({
  id,
  level,
  statement: 'S1.1',
  quote: 'words of the contract',
  says: id,
})

describe('a fault', () => {
  test('is killed where all that it names turns red, and nothing else', () => {
    const rows = [row('list.a', 'fail'), row('list.b@tags', 'warning'), row('list.c', 'inconclusive')]

    expect(complaintsOnFault(broken, examined(rows))).toEqual([])
    expect(faultRow(broken, { examined: examined(rows) })).toEqual({
      name: 'groups are lost',
      statements: ['S4.10'],
      expected: ['list.a', 'list.b*'],
      spreadsTo: [],
      red: ['list.a', 'list.b@tags'],
      complaints: [],
      ms: 5,
    })
  })

  test('is also found by a requirement that a plainer red one overshadows', () => {
    const rows = [row('list.a', 'fail'), { ...row('list.b', 'inconclusive', 'no b'), overshadowed: true as const }]

    expect(complaintsOnFault(broken, examined(rows))).toEqual([])
    expect(faultRow(broken, { examined: examined(rows) }).red).toEqual(['list.a', 'list.b'])
    expect(complaintsOnFault(broken, examined(rows.slice(1)))).toEqual(['missed: nothing is red', 'missed: list.a'])
  })

  test('may turn others red that it names, which proves nothing', () => {
    const spreading = fault('groups are lost', { turnsRed: ['list.a'], spreadsTo: ['list.b*'] }, () => ({}))
    const rows = [row('list.a', 'fail'), row('list.b', 'fail')]
    const found = faultRow(spreading, { examined: examined(rows) })

    expect(found).toMatchObject({ red: ['list.a', 'list.b'], complaints: [] })
    expect(unprovenBy([found], [header('list.a'), header('list.b')])).toEqual(['list.b'])
    expect(complaintsOnFault(spreading, examined(rows.slice(1)))).toEqual(['missed: list.a'])
  })

  test('is complained about where it is missed, turns others red or breaks the suite', () => {
    const rows = [row('list.a', 'pass'), row('list.c', 'fail', 'no c'), row('list.b', 'error', 'a TypeError')]

    expect(complaintsOnFault(broken, examined(rows, ['the runner gave up']))).toEqual([
      'missed: list.a',
      'missed: list.b*',
      'also red: list.c: no c',
      'error: list.b: a TypeError',
      'the runner gave up',
    ])
    expect(faultRow(broken, { crash: 'its process ended (1)' }).complaints).toEqual(['its process ended (1)'])
  })

  test('is tried with what it must turn red and a sample of the rest, then with all that it may turn red', () => {
    const headers = Array.from({ length: 800 }, (_, index) => header(`family.claim-${index}`))
    const { only } = narrowFor(broken, headers)

    expect(only.slice(0, 2)).toEqual(['list.a', 'list.b*'])
    expect(only.length).toBeGreaterThan(5)
    expect(only.length).toBeLessThan(60)
    expect(narrowFor(broken, headers)).toEqual(narrowFor(broken, headers))
    expect(widerFor({ ...broken, spreadsTo: ['list.z'] }).only).toEqual(['list.a', 'list.b*', 'list.z', '*.answers'])
  })
})

describe('a variant', () => {
  test('is not accused where only that warns which may', () => {
    expect(complaintsOnVariants([odd], examined([row('list.w', 'warning'), row('list.a', 'pass')]))).toEqual([])
  })

  test('is complained about where it is accused or does not warn', () => {
    expect(complaintsOnVariants([odd], examined([row('list.w', 'pass'), row('list.a', 'fail', 'no')]))).toEqual([
      'accused: list.a: no',
      'does not warn: list.w',
    ])
  })

  test('names the others on the accused server', () => {
    const other = variant('times are late', () => ({}))
    const result = { examined: examined([row('list.w', 'warning'), row('list.a', 'fail', 'no')]) }

    expect(variantRow(odd, [odd, other], result).complaints).toEqual([
      'accused: list.a: no',
      'together with: times are late',
    ])
  })
})

describe('the matrix', () => {
  const headers = [header('list.a'), header('list.b@tags'), header('list.z'), header('list.w', 'should')]
  const red = { examined: examined([row('list.a', 'fail'), row('list.b@tags', 'fail')]) }
  const faults = [faultRow(broken, red)]
  const variants = [variantRow(odd, [odd], { examined: examined([row('list.w', 'warning')]) })]
  const matrix = timeless({ faults, variants, unproven: unprovenBy(faults, headers) })

  test('lists each must that no fault turns red', () => {
    expect(matrix.unproven).toEqual(['list.z'])
  })

  test('is a page without times, and one with them', () => {
    expect(matrixToMarkdown(matrix)).toContain(
      '| groups are lost | S4.10 | `list.a`, `list.b*` |  | `list.a`, `list.b` |\n',
    )
    expect(matrixToMarkdown({ ...matrix, faults })).toContain('`list.b` | 0.0 s |\n')
    expect(matrixToMarkdown(matrix)).toContain('1 of 1 faults killed, 0 of 1 variants accused, 1 musts without a fault')
  })

  test('keeps its rows when new ones come, in the order of what is there now', () => {
    const late = variant('times are late', () => ({}))
    const known = { faults: [broken], variants: [late, odd] }
    expect(unwrittenIn(matrix, known)).toEqual({ faults: [], variants: [late] })
    const accused = matrix.variants.map((row) => ({ ...row, complaints: ['accused: list.a'] }))
    expect(unwrittenIn({ ...matrix, variants: accused }, known).variants).toEqual([late, odd])

    const now = { faults: [], variants: [variantRow(late, [late], { examined: examined([]) })], unproven: [] }
    const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name)
    const both = merged(matrix, now, known, headers)
    expect([names(both.faults), names(both.variants), both.unproven]).toEqual([
      ['groups are lost'],
      ['times are late', 'names are long'],
      ['list.z'],
    ])
    expect(merged(matrix, now, { faults: [], variants: [odd] }, headers)).toMatchObject({
      faults: [],
      variants: [{ name: 'names are long' }],
    })
  })

  test('is stale where a fault, a variant or a must has changed', () => {
    expect(staleIn(matrix, [broken], [odd], headers)).toEqual([])
    expect(staleIn(matrix, [{ ...broken, turnsRed: ['list.a'] }], [], headers.slice(0, 2))).toEqual([
      'not written: fault groups are lost → list.a',
      'no longer there: fault groups are lost → list.a, list.b*',
      'no longer there: variant names are long → list.w',
      'no longer there: must without a fault list.z',
    ])
  })
})

describe('the matrix that is checked in', () => {
  const read = (file: string) => readFileSync(join(packageRoot, file), 'utf8')
  const written = readMatrix()

  test('is of the present faults, variants and musts; otherwise npm run selftest writes a new one', async () => {
    expect(staleIn(written, allFaults, allVariants, await collectHeaders())).toEqual([])
  })

  test('shows every fault killed, nobody accused, and no must without a fault', () => {
    const wrong = [...written.faults, ...written.variants].filter(({ complaints }) => complaints.length > 0)

    expect(wrong).toEqual([])
    expect(written.unproven).toEqual([])
    expect(read('selftest/proof/kill-matrix.md')).toBe(matrixToMarkdown(written))
  })

  test('has the figures of the README', () => {
    expect(read('README.md')).toContain(figures(written))
  })
})
