import { expect, test } from 'vitest'
import { timeOfV1 } from '../../helpers/api/instant.ts'

test('a time of v1 may be text, or seconds or milliseconds since 1970', () => {
  expect(timeOfV1('2026-01-02T03:04:05.678Z')).toBe('2026-01-02T03:04:05.678Z')
  expect(timeOfV1(1_767_323_045)).toBe('2026-01-02T03:04:05Z')
  expect(timeOfV1(1_767_323_045.5)).toBe('2026-01-02T03:04:05.500Z')
  expect(timeOfV1(1_767_323_045_678)).toBe('2026-01-02T03:04:05.678Z')
})

test('what names no instant stays as it is', () => {
  expect(timeOfV1(undefined)).toBeUndefined()
  expect(timeOfV1(1e300)).toBe(1e300)
})
