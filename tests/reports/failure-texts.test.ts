import { describe, expect, test } from 'vitest'
import type { TestCase } from 'vitest/node'
import { partOfError } from '../../helpers/assertions/refused.ts'
import type { Answer } from '../../helpers/http/call.ts'
import { toConsole } from '../../reports/formats/console.ts'
import { toHtml } from '../../reports/formats/html/page.tsx'
import { toMarkdown } from '../../reports/formats/markdown.ts'
import { endingOf } from '../../reports/judge/ending.ts'
import type { Row } from '../../reports/judge/outcome.ts'
import { missingIn } from '../../reports/model/claims.ts'
import { saidOf } from '../../reports/model/finding.ts'
import { rerunOf } from '../../reports/model/select.ts'
import { difference } from '../../reports/text/difference.ts'
import type { Report } from '../../schemas/types.ts'
import { call, exchange, failed, reportWith, row } from '../support/sample-report.ts'

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

  test('is in plain words, where a value only has to look like something', () => {
    const expected = '[\n  StringMatching /^a$/,\n  ObjectContaining {\n    "b": 1,\n  },\n]'

    expect(failing('what came: expected [] to deeply equal []', { expected, actual: '[]' })).toMatchObject({
      expected: '[a text like /^a$/, at least {"b": 1}]',
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
    expect(difference('{"a": 1, "b": [1]}', '{"a": 2, "b": [1]}')).toEqual({ expected: '/a: 1', got: '/a: 2' })
  })

  test('leaves out the members that nobody asked for, and those of the form that was asked for', () => {
    const wanted = 'a match of {"uid": "a", "subject": "b", "at": Any<String>, "by": Any<Number>}'

    expect(difference(wanted, '{"uid": "a", "subject": "", "at": "c", "other": 1}')).toEqual({
      expected: '/subject: "b", /by: any number',
      got: '/subject: "", /by: nothing',
    })
    expect(difference('at least {"message": a text like /^a\\/b/}', '{"code": 9, "message": "b"}')).toEqual({
      expected: '/message: a text like /^a\\/b/',
      got: '/message: "b"',
    })
  })

  test('leaves a few plain values as they are, which no number names', () => {
    expect(difference('[false, false]', '[true, false]')).toBeUndefined()
  })
})

test('a text that is empty is shown as one', () => {
  const [shown] = reportWith([{ ...row('what came'), expected: '', got: 'kept' }]).requirements

  expect(saidOf(shown!)).toMatchObject({ expected: '""', got: 'kept' })
})

test('a uid that is a path is its end, unless two would look the same', () => {
  const said = (expected: string, got: string) =>
    saidOf(reportWith([{ ...row('at http://a/00000000aa/bb01'), expected, got }]).requirements[0]!)

  expect(said('["00000000aa/bb01"]', 'none')).toMatchObject({
    expected: '["…/bb01"]',
    about: 'at http://a/00000000aa/bb01',
  })
  expect(said('00000000aa/bb01', '00000000bb/bb01')).toMatchObject({ expected: '00000000aa/bb01' })
})

test('a time that is not set is a date like the other one', () => {
  const [shown] = reportWith([{ ...row('lastSeenTime'), expected: 'at least 1795843624000', got: '0' }]).requirements

  expect(saidOf(shown!)).toMatchObject({
    expected: 'at least 2026-11-28T05:27:04.000Z',
    got: '1970-01-01T00:00:00.000Z',
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

const home = '00000000aa/bb01'

/** The paths of the calls that the console shows, the deciding one first. */
const shown = (one: Row) =>
  [...toConsole(reportWith([one]), false).matchAll(/'http:\/\/127\.0\.0\.1:1\/(\S+)'/g)].map(([, path]) => path)

test('a reading that names a thing is shown with the write that succeeded on it, and the last one', () => {
  const calls = [
    call(1, 'DELETE', `groups/${home}`),
    call(2, 'PATCH', `groups/${home}`, 404),
    call(3, 'POST', 'groups/00000000aa'),
    call(4, 'GET', 'groups?name=x'),
  ]

  expect(shown(failed('group.delete.gone-from-lists', calls, { expected: `not ${home}`, got: home }))).toEqual([
    'groups?name=x',
    `groups/${home}`,
    `groups/${home}`,
  ])
})

test('a reading is shown with the write that sent what came, or else with those on what it reads', () => {
  const write = (number: number, path: string, name: string) => {
    const one = call(number, 'PATCH', path, 400)
    return { ...one, request: { ...one.request, body: JSON.stringify({ name }) } }
  }
  const calls = [write(1, `groups/${home}?a`, 'wrong'), write(2, `groups/${home}?b`, 'bad'), write(3, 'groups/c', 'x')]
  const read = call(4, 'GET', `groups/${home}`)

  expect(shown(failed('group.name', [...calls, read], { expected: 'good', got: 'wrong' }))).toEqual([
    `groups/${home}`,
    `groups/${home}?a`,
  ])
  const later = Array.from({ length: 20 }, (_, index) => write(10 + index, `groups/${home}`, `name ${index}`))
  expect(shown(failed('group.name', [...calls, ...later, read], { expected: 'good', got: 'wrong' }))).toContain(
    `groups/${home}?a`,
  )
  expect(shown(failed('group.name', [...calls, read], { expected: 'good', got: 'other' }))).toEqual([
    `groups/${home}`,
    `groups/${home}?b`,
  ])
})

test('a part of an error is shown with what the error has instead', () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo' }, 'a text']
  const about = (json: unknown) => partOfError('the violations', { json, exchange: exchange('', 7) } as Answer)

  expect(about({ code: 9, details })).toBe('the violations: the error has ErrorInfo and another, in exchange 7')
  expect(about('no error')).toBe('the violations: the error has no details, in exchange 7')
})

test('a page that contradicts an earlier one is shown with it, and with no write', () => {
  const calls = [call(1, 'GET', 'groups?page_size=3'), call(2, 'POST', 'groups/a'), call(3, 'GET', 'groups?skip=1')]
  const said = { expected: 'a at position 1, as exchange 1 showed with page_size=3', got: 'position 0' }

  expect(shown(failed('model.group.order', calls, said))).toEqual(['groups?skip=1', 'groups?page_size=3'])
  expect(shown(failed('model.group.order', calls, { expected: 'a', got: 'b' }))).toEqual(['groups?skip=1'])
})

test('the last call over gRPC decides what is asked over gRPC, and the last on a kind what is asked of it', () => {
  const calls = [call(1, 'GET', 'over-grpc', 200, 'grpc.role.list'), call(2, 'GET', 'over-http', 200, 'role.list')]

  expect(shown(failed('grpc.list.total', calls, { where: 'a.ts:1' }))).toEqual(['over-grpc', 'over-http'])
  expect(shown(failed('time.follows@roles', [...calls, call(3, 'GET', 'a')], { where: 'a.ts:1' }))[0]).toBe('over-http')
})

test('a failure names the command that explains it, and why a row of the model needs the whole run', () => {
  const one = failed('model.group.order', [call(1, 'GET', 'a')])
  const printed = toConsole(reportWith([{ ...one, header: { ...one.header, alone: 'whole run' } }]), false)

  expect(printed).toMatch(/explain +npx --no-install rmapi-conformance explain model\.group\.order/)
  expect(printed).toContain('the whole run, as it judges every call')
})

test('the command that examines a failure again keeps what changes every call', () => {
  const one = failed('model.group.order', [call(1, 'GET', 'a')])
  const report = reportWith([one])
  const asked = { only: [], skip: ['v1.*'], profiles: [], transport: 'grpc' as const }
  const usual = { ...report, seed: 7, target: { ...report.target, apiVersion: 'v2beta1' } }
  const other = { ...usual, selection: asked, target: { ...report.target, apiVersion: 'v2' } }
  const whole = { ...other.requirements[0]!, judges: 'whole run' as const }

  expect(rerunOf(report.requirements, usual)).toMatch(/ run --base-url x --only model\.group\.order --seed 7$/)
  expect(rerunOf(other.requirements, other)).toMatch(/\.order --transport grpc --api-version v2 --seed 7$/)
  expect(rerunOf([whole], other)).toMatch(/ --skip 'v1\.\*' --transport grpc --api-version v2 --seed 7$/)
  expect(rerunOf(report.requirements, { ...usual, readOnly: true })).toMatch(/ --read-only --seed 7$/)
})

test('what blocks others and has no row of its own is shown with what came', () => {
  const blocked = (by: string) => ({ ...row('answered 501', 'inconclusive'), blockedBy: by })
  const alone = reportWith([blocked('group.create.answers')])
  const beside = reportWith([{ ...blocked('list.skip.fail') }, row('x')])
  const formats = [toConsole, toMarkdown, toHtml] as ((report: Report, coloured?: never) => string)[]

  for (const write of formats) {
    expect(write(alone)).toMatch(/by `?group\.create\.answers: answered 501/)
    expect(write(beside)).not.toMatch(/by `?list\.skip\.fail: answered 501/)
  }
})

test('what is not offered is one line by how that was seen', () => {
  const missing = (operations: string) => ({
    ...reportWith([row('', 'pass')]).requirements[0]!,
    note: `this target does not offer ${operations}: it was answered 405`,
  })

  expect(missingIn([missing('role.get or role.list'), missing('role.list')])).toMatchObject([
    { seen: 'it was answered 405', operations: ['role.get', 'role.list'] },
  ])
})
