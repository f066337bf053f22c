import { afterEach, describe, expect, test, vi } from 'vitest'
import { collectHeaders } from '../../cli/input/collect.ts'
import { matchesGlob } from '../../helpers/requirement/selection.ts'
import { assertionsIn, readSpecs } from '../../selftest/mutation/assertions.ts'
import { mutantOf, planTrials, roundsOf } from '../../selftest/mutation/mutants.ts'
import { figuresOf, pageOf, textOf } from '../../selftest/mutation/page.ts'
import { environmentOf, inCase, overAllAnswers } from '../../selftest/mutation/switch.ts'
import { withSwitches } from '../../selftest/mutation/switches.ts'

const { specs, offered } = readSpecs()

describe('what can fail a case', () => {
  const { exports, methods, fixtures } = offered.asserting

  test('is found in the helpers, however many calls it is away from violated', () => {
    expect(exports('helpers/assertions/refused.js', 'refused')).toBe(true)
    expect(exports('helpers/auth/unauthorized-calls.js', 'callUnauthorized')).toBe(true)
    expect(methods).toContain('reads')
    expect(fixtures).toContain('sharedPopulations')
  })

  test('is not whatever is exported beside it', () => {
    expect(exports('helpers/assertions/refused.js', 'outcomeOf')).toBe(false)
    expect(exports('helpers/case/requirement.js', 'requirement')).toBe(false)
    expect(methods).not.toContain('create')
  })
})

const spec = {
  path: 'specs/groups/sample.spec.js',
  source: `
import { expect } from 'vitest'
import { refused } from '../../helpers/assertions/refused.js'
import { walk } from '../../helpers/assertions/page-walk.js'
import { everyAnswer } from '../../helpers/case/every-answer.js'
import { requirement } from '../../helpers/case/requirement.js'
const judge = (answer) => refused(answer, 'a call')
requirement({ id: 'sample.one', level: 'must' }, async ({ api }) => { expect(await api.get()).toEqual(expect.any(String)) })
for (const kind of ['a', 'b'])
  requirement({ id: \`sample.\${kind}.two\`, level: 'must' }, async ({ api }) => { judge(await api.get()) })
for (const [id, size] of [['sample.three', 1], ['sample.four', 2]])
  requirement({ id, level: 'must' }, async ({ list }) => { const { items } = await walk(list, { size }, 3); return items })
everyAnswer({ id: 'sample.five' }, { of: ({ nulls }) => nulls })
requirement({ id: 'sample.six', level: 'observe' }, async ({ observe }) => observe('this'))
`,
}
const found = assertionsIn(spec, offered)

describe('the assertions of a spec', () => {
  test('are found with the requirements that they belong to', () => {
    expect(
      found.assertions.map((each) => [textOf(each).slice(0, 13), each.ids.filter((id) => !id.endsWith('@*'))]),
    ).toEqual([
      ['refused(answe', ['sample.*.two']],
      ['expect(await ', ['sample.one']],
      ['walk(list, { ', ['sample.three', 'sample.four']],
      ['everyAnswer({', ['sample.five']],
    ])
  })

  test('are missed where a requirement has none', () => {
    const without = found.stated.filter(({ asserted }) => !asserted)
    expect(without.flatMap(({ ids }) => ids)).toEqual(['sample.six', 'sample.six@*'])
  })

  test('get a switch each', () => {
    const text = withSwitches(spec, found.assertions, 7)

    expect(text).toContain("mutation_inCase(7, () => refused(answer, 'a call'))")
    expect(text).toContain(
      '(await mutation_inCase(8, async () => expect(await api.get()).toEqual(expect.any(String))))',
    )
    expect(text).toContain('await mutation_inCase(9, () => walk(list, { size }, 3))')
    expect(text).toContain(
      "everyAnswer({ id: 'sample.five' }, mutation_overAllAnswers(10, { of: ({ nulls }) => nulls }))",
    )
    expect(text).toContain("from '../../selftest/mutation/switch.js'")
  })
})

test('every requirement that judges has an assertion that can be left out', async () => {
  const judging = (await collectHeaders()).filter(({ level }) => level !== 'observe').map(({ id }) => id)
  const stated = specs.flatMap((each) => assertionsIn(each, offered).stated)
  const isOf = (id: string, { ids }: { ids: string[] }) => ids.some((glob) => matchesGlob(id, glob))

  expect(judging.length).toBeGreaterThan(500)
  expect(judging.filter((id) => !stated.some((each) => each.asserted && isOf(id, each)))).toEqual([])
  expect(judging.filter((id) => stated.some((each) => !each.asserted && isOf(id, each)))).toEqual([])
})

describe('a switch', () => {
  afterEach(() => vi.unstubAllEnvs())
  const set = (how: Parameters<typeof environmentOf>[0]) => {
    for (const [name, value] of Object.entries(environmentOf(how))) vi.stubEnv(name, value)
  }
  const fails = () => {
    throw Object.assign(new Error('it did not hold'), { name: 'AssertionError' })
  }

  test('leaves the others as they are', () => {
    set({ without: [1], negated: [2] })
    expect(inCase(3, () => 'value')).toBe('value')
    expect(() => inCase(3, fails)).toThrow('it did not hold')
  })

  test('leaves out the failure of an assertion, not its value, nor other errors', async () => {
    set({ without: [1, 2] })
    expect(inCase(1, () => 'value')).toBe('value')
    expect(inCase(1, fails)).toBe(undefined)
    expect(await inCase(2, async () => fails())).toBe(undefined)
    expect(() => inCase(1, () => JSON.parse('{'))).toThrow(SyntaxError)
  })

  test('negates an assertion', async () => {
    set({ negated: [1] })
    expect(() => inCase(1, () => 'value')).toThrow('it held')
    await expect(inCase(1, async () => 'value')).rejects.toThrow('it held')
    expect(inCase(1, fails)).toBe(undefined)
  })

  test('finds no answer of the run wrong, or all of them', () => {
    const asked = (astray: unknown[]) => ({ of: () => ({ met: 5, astray }) })
    set({ without: [1], negated: [2] })
    expect(overAllAnswers(1, asked(['wrong'])).of({})).toEqual({ met: 5, astray: [] })
    expect(() => overAllAnswers(2, asked([])).of({})).toThrow('it held')
    expect(overAllAnswers(2, asked(['wrong'])).of({})).toEqual({ met: 5, astray: [] })
    expect(overAllAnswers(3, asked(['wrong'])).of({})).toEqual({ met: 5, astray: ['wrong'] })
  })
})

describe('a mutant', () => {
  const fault = (name: string, red: string[]) => ({
    name,
    red,
    statements: [],
    expected: [],
    spreadsTo: [],
    complaints: [],
  })
  const faults = [
    fault('one is wrong', ['sample.one']),
    fault('all is wrong', ['sample.one', 'sample.three', 'sample.five']),
  ]
  const ids = ['sample.one', 'sample.a.two', 'sample.three', 'sample.four', 'sample.five']
  const mutants = found.assertions.map((assertion, number) => mutantOf(assertion, number, ids, faults))

  test('knows its requirements, and those that some fault turns red', () => {
    expect(mutants.map((each) => each.ids)).toEqual([
      ['sample.a.two'],
      ['sample.one'],
      ['sample.three', 'sample.four'],
      ['sample.five'],
    ])
    expect(mutants.map(({ redIds }) => redIds)).toEqual([[], ['sample.one'], ['sample.three'], ['sample.five']])
  })

  test('shares a trial with those of other requirements, and is tried with another fault next', () => {
    const first = planTrials(mutants, new Map(), faults, { alone: false })
    expect(first.map((trial) => [trial.fault, trial.mutants.length])).toEqual([['all is wrong', 3]])

    const tried = new Map(mutants.map((mutant) => [mutant, new Set(['all is wrong'])]))
    expect(planTrials(mutants, tried, faults, { alone: false }).map((trial) => [trial.fault, trial.ids])).toEqual([
      ['one is wrong', ['sample.one']],
    ])
    expect(planTrials(mutants, new Map(), faults, { alone: true })).toHaveLength(3)
  })

  test('is in one round, without another of its requirement', () => {
    const [first, ...others] = mutants
    expect(roundsOf([...mutants, { ...first! }]).map((round) => round.length)).toEqual([mutants.length, 1])
    expect(roundsOf(others)).toEqual([others])
  })

  test('is listed on the page where no fault needs it', () => {
    const outcome = { mutants, deciding: mutants.slice(0, 1), idle: mutants.slice(3) }
    expect(figuresOf(outcome)).toBe(
      '2 of 4 assertions are needed to find a fault, 1 others accuse the reference when they are negated, 1 do neither',
    )
    expect(pageOf(outcome)).toContain("| specs/groups/sample.spec.ts | `sample.*.two` | `refused(answer, 'a call')` |")
  })
})
