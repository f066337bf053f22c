import fc from 'fast-check'
import { expect, test } from 'vitest'
import { violated } from '../../helpers/assertions/violation.ts'
import { checkForAll } from '../../helpers/case/for-all.ts'
import { Inconclusive, Stopped } from '../../helpers/http/case-errors.ts'
import type { Exchange } from '../../helpers/http/exchange.ts'

const fail = (got: unknown) => violated({ message: 'it does not hold', expected: 'less', got })
const exchangeOf = (input: unknown) => ({ operation: String(input) }) as Exchange

/** Checks a claim for 24 numbers; returns what was tried, the evidence and the error. */
async function check(holds: (input: number, tried: number) => void, arbitrary = fc.nat({ max: 100_000 })) {
  const tried: number[] = []
  const evidence: string[] = []
  const error: Error | undefined = await checkForAll(
    arbitrary,
    async (input, exchanges) => {
      tried.push(input)
      exchanges.push(exchangeOf(input))
      holds(input, tried.length)
    },
    { seed: 7, runs: 24, evidence: (handed) => evidence.push(...handed.map(({ operation }) => operation)) },
  ).then(
    () => undefined,
    (thrown) => thrown,
  )
  return { tried, evidence, error }
}

test('what holds is tried for every input, the same ones with the same seed, and counts all its exchanges', async () => {
  const [once, again] = [await check(() => {}), await check(() => {})]

  expect(once.error).toBeUndefined()
  expect(once.tried).toHaveLength(24)
  expect(once.evidence).toEqual(once.tried.map(String))
  expect(again.tried).toEqual(once.tried)
  expect(new Set(once.tried).size).toBeGreaterThan(12)
})

test('what fails is shrunk to the smallest input, whose exchanges alone are handed over', async () => {
  const { error, evidence, tried } = await check((input) => input < 50 || fail(input))

  expect(error!.message).toBe('for 50 (seed 7): it does not hold')
  expect(error).toMatchObject({ name: 'AssertionError', claim: { got: '50' } })
  expect(evidence).toEqual(['50'])
  expect(tried.length).toBeLessThanOrEqual(24 + 61)
})

test('shrinks structures, too', async () => {
  const pairs = fc.record({ size: fc.integer({ min: 1, max: 200 }), order: fc.constantFrom('a', 'b', 'c') })

  const checking = checkForAll(
    pairs,
    async (input) => {
      if (input.size >= 13) fail(input)
    },
    { seed: 3, runs: 24, evidence: () => {} },
  )

  await expect(checking).rejects.toThrow('for {"size":13,"order":"a"} (seed 3): it does not hold')
})

test('a failure that does not repeat is reported as it was first seen', async () => {
  let failed: number | undefined
  const { error, evidence } = await check((input, count) => {
    if (count !== 5) return
    failed = input
    fail(input)
  })

  expect(error!.message).toBe(`for ${failed} (seed 7): it does not hold`)
  expect(evidence).toEqual([String(failed)])
})

test('tries are limited where shrinking has no end', async () => {
  const { tried, error } = await check((input) => fail(input), fc.nat({ max: 2 ** 30 }))

  expect(error!.name).toBe('AssertionError')
  expect(tried.length).toBeLessThanOrEqual(24 + 61)
})

test.each([
  new Inconclusive('the target is too busy'),
  new Stopped({ operation: 'group.list', phase: 'act', why: 'was answered 500' }),
  new TypeError('a bug of ours'),
])('what is no claim is let through unshrunk: %s', async (thrown) => {
  const { message } = thrown
  const { tried, error } = await check((input) => {
    if (input > 0) throw thrown
  })

  expect(error).toBe(thrown)
  expect(error!.message).toContain(message)
  expect(tried).toHaveLength(24)
})

test('a claim counts, whatever else could not be decided', async () => {
  const { error } = await check((input, count) => {
    if (count === 1) throw new Inconclusive('too busy')
    if (input > 50) fail(input)
  })

  expect(error!.name).toBe('AssertionError')
})
