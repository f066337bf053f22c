import { describe, expect, test } from 'vitest'
import type { TestCase } from 'vitest/node'
import { toConsole } from '../../reports/formats/console.ts'
import { endingOf } from '../../reports/judge/ending.ts'
import { difference } from '../../reports/text/difference.ts'
import { exchange, reportWith, row } from '../support/sample-report.ts'

/** How a case ends whose assertion fails with a message and two values as the runner renders them. */
const failing = (message: string, values: { expected?: string; actual?: string }) =>
  endingOf({
    result: () => ({ state: 'failed', errors: [{ name: 'AssertionError', message, ...values }] }),
  } as unknown as TestCase)

describe('what the runner says of an assertion', () => {
  test('becomes what was expected, where a list holds what it must not', () => {
    const message = "the names in the group: expected [ 'a@b', 'c' ] to not include 'a@b'"

    expect(failing(message, { actual: '[\n  "a@b",\n  "c",\n]' })).toEqual({
      how: 'violated',
      note: 'the names in the group',
      expected: "nothing with 'a@b'",
      got: '["a@b", "c"]',
    })
  })

  test('keeps a message of our own that names no values', () => {
    expect(failing('the name came back', { actual: '"a"' })).toEqual({
      how: 'violated',
      note: 'the name came back',
      got: '"a"',
    })
  })
})

describe('the difference of two values', () => {
  test('names the members that differ', () => {
    expect(difference('{"a": 1, "b": [1]}', '{"a": 2, "b": [1]}')).toEqual({ expected: '/a 1', got: '/a 2' })
  })

  test('leaves a few plain values as they are, which no number names', () => {
    expect(difference('[false, false]', '[true, false]')).toBeUndefined()
  })
})

describe('the console shows of a reading', () => {
  const call = (number: number, method: string, path: string) => {
    const { request, ...rest } = exchange('{}')
    return { ...rest, number, phase: 'act' as const, request: { ...request, method, url: `http://127.0.0.1${path}` } }
  }
  const shown = (...exchanges: ReturnType<typeof call>[]) => {
    const failed = { ...row('what came'), exchanges }
    const lines = toConsole(reportWith([failed]), false).split('\n')
    return lines.flatMap((line) => /^ +(curl|before) .*127\.0\.0\.1(\/\w+)/.exec(line)?.slice(1).join(' ') ?? [])
  }

  test('the last write before it', () => {
    const calls = [call(1, 'POST', '/a'), call(2, 'PATCH', '/b'), call(3, 'GET', '/c')]

    expect(shown(...calls)).toEqual(['curl /c', 'before /b'])
  })

  test('nothing where it is a write itself, or nothing was written', () => {
    expect(shown(call(1, 'POST', '/a'), call(2, 'DELETE', '/b'))).toEqual(['curl /b'])
    expect(shown(call(1, 'GET', '/a'), call(2, 'GET', '/b'))).toEqual(['curl /b'])
  })
})
