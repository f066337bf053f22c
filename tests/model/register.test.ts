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
  expect(shown(['b', 1_500], ['a', 2_500], ['b', 2_600])).toEqual(['fits', 'fits', 'never'])
})

test('what nobody can have seen any more explains nothing', () => {
  expect(shown(['a', 9_000], ['b', 9_100])).toEqual(['fits', 'never'])
})

test('a lagging reading proves no write that may not have taken effect', () => {
  const register = new Register(write('', 0))
  register.write(write('b', 1_000))
  register.write(write('', 2_000, false))
  expect(register.observe('', 2_100, 2_100, 'a list')).toBe('fits')
  expect(register.observe('b', 2_200, 2_200, 'a list')).toBe('fits')
})
