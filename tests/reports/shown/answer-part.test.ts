import { describe, expect, test } from 'vitest'
import { namesIn, partWith } from '../../../reports/text/answer-part.ts'

const item = (number: number) => `{"uid":"abcdef00/${String(number).padStart(8, '0')}","name":"n${number}"}`
const body = `{"groups":[${Array.from({ length: 50 }, (_, number) => item(number)).join(',')}]}`

describe('of a long answer', () => {
  test('the object is shown that has what came', () => {
    expect(partWith(body, namesIn('abcdef00/00000030'), 60)).toBe(
      `… ${item(30)},${item(31).slice(0, 59 - item(30).length)}… (${body.length} characters)`,
    )
  })

  test('the end is shown where that has it', () => {
    expect(partWith(body, namesIn('{"name":"shown last"}'), 60)).toMatch(/^\{"groups":\[.*… \(/)
    expect(partWith(`${body}{"name":"shown last"}`, namesIn('["shown last"]'), 60)).toMatch(
      /^… \{"name":"shown last"\} \(/,
    )
  })

  test('the beginning is shown where nothing is named, or that is near', () => {
    expect(partWith(body, [], 60)).toBe(`${body.slice(0, 60)}… (${body.length} characters)`)
    expect(partWith(body, namesIn('abcdef00/00000000'), 60)).toBe(`${body.slice(0, 60)}… (${body.length} characters)`)
  })
})

test('a short answer is shown whole', () => {
  expect(partWith('{"a":1}', ['nothing'], 7)).toBe('{"a":1}')
})

test.each([
  ['0a1b2c3d/4e5f6071', ['0a1b2c3d/4e5f6071', '0a1b2c3d/4e5f6071']],
  [
    '2025-01-01T06:30:00.007Z before 2025-01-01T07:31:11.010Z',
    ['2025-01-01T06:30:00.007Z', '2025-01-01T07:31:11.010Z'],
  ],
  ['["one name", "two"]', ['one name']],
  [undefined, []],
])('an answer is searched for what is in %s', (got, names) => {
  expect(namesIn(got)).toEqual(names)
})
