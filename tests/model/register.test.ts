import { expect, test } from 'vitest'
import { type Fit, Register } from '../../helpers/model/register.ts'

const write = (value: string, at: number, sure = true) => ({ value, sent: at, answered: at, sure })

/** A value that was a, then b, then a again, and what one view shows of it: `[value, time]` each. */
function shown(...readings: readonly [value: string, at: number][]): Fit[] {
  const register = new Register(write('a', 0))
  register.write(write('b', 1_000))
  register.write(write('a', 2_000))
  return readings.map(([value, at]) => register.observe(value, at, at, 'a list'))
}

test('what a view showed first may have been the earlier write of the same value', () => {
  expect(shown(['a', 2_100], ['b', 2_200], ['a', 2_300])).toEqual(['fits', 'late', 'fits'])
})

test('what a view shows is never older than what it has shown', () => {
  expect(shown(['b', 1_500], ['a', 2_500], ['b', 2_600])).toEqual(['fits', 'fits', 'back'])
})

test('another copy may go on showing what one has replaced', () => {
  const register = new Register(write('a', 0))
  register.write(write('b', 1_000))
  expect(register.observe('b', 1_100, 1_100, 'a list', 'its second page')).toBe('fits')
  expect(register.observe('a', 1_200, 1_200, 'a list', 'its first page')).toBe('late')
  expect(register.observe('a', 1_300, 1_300, 'a list', 'its second page')).toBe('back')
})

test('what nobody can have seen any more explains nothing', () => {
  expect(shown(['a', 9_000], ['b', 9_100])).toEqual(['fits', 'back'])
})

test('a lagging reading proves no write that may not have taken effect', () => {
  const register = new Register(write('', 0))
  register.write(write('b', 1_000))
  register.write(write('', 2_000, false))
  expect(register.observe('', 2_100, 2_100, 'a list')).toBe('fits')
  expect(register.observe('b', 2_200, 2_200, 'a list')).toBe('fits')
})

test.each([
  ['the value that it may have written', 'b', ['b', 'fits'], ['a', 'late']],
  ['the value before', 'a', ['a', 'fits'], ['b', 'never']],
] as const)('an update that answers %s has decided it', (_what, answer, right, wrong) => {
  const register = new Register(write('a', 0))
  register.write(write('b', 1_000, false))
  register.settle(answer, 1_000, 1_000)
  for (const [value, fit] of [right, wrong]) expect(register.observe(value, 2_000, 2_000, 'Get')).toBe(fit)
})

test('an answer decides nothing where another write was under way', () => {
  const register = new Register(write('a', 0))
  register.write(write('b', 1_000, false))
  register.write({ value: 'c', sent: 990, answered: 1_010, sure: true })
  register.settle('a', 1_000, 1_000)
  expect(register.writes).toHaveLength(3)
})
