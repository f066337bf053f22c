import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conforms, problems, type SchemaName, schemaNames } from '../../helpers/assertions/schema.ts'
import { type Json, problemsOf, read } from '../support/schema-samples.ts'

const sample = (name: SchemaName, changes: Json = {}) => ({
  ...(read(name).examples as Json[])[0],
  ...changes,
})

describe('problems', () => {
  test.each(schemaNames)('of %s never throw, and point into the body', (name) => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (body) => holds(body, name)),
      { numRuns: 60 },
    )
    const nearly = fc.dictionary(fc.constantFrom(...memberNames(name)), fc.jsonValue({ maxDepth: 3 }))
    fc.assert(
      fc.property(nearly, (changes) => holds(sample(name, changes as Json), name)),
      { numRuns: 60 },
    )
  })

  test('are found in the deepest, the largest and the oddest bodies', () => {
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level++) deep = level % 2 ? [deep] : { deep }
    const huge = { groups: Array.from({ length: 50_000 }, () => ({})), totalCount: '1' }
    const odd = [1n, Symbol('x'), () => 1, Number.NaN, '\ud800', '\u0000', new Date(0), Object.create(null)]

    for (const name of schemaNames) for (const body of [deep, huge, odd, ...odd]) holds(body, name)
    expect(problems(huge, 'group-list')).toHaveLength(20)
    expect(problems(JSON.parse('{"__proto__": 1, "constructor": null, "a/b~c": 2}'), 'group')).toHaveLength(5)
  })

  test('find the one bad thing at the far end of a long body', () => {
    const many = Array.from({ length: 5000 }, () => sample('group'))
    const hints = Array.from({ length: 5000 }, () => ({ '@type': 'x/acme.Hint' }))
    const { details } = sample('error-invalid-name') as { details?: unknown[] }

    expect(problems({ groups: [...many, 5], totalCount: '5001' }, 'group-list')).toMatchObject([
      { at: '/groups/5000', found: '5' },
    ])
    expect(
      problems(sample('error-invalid-name', { details: [...details!, ...hints, details![1]] }), 'error-invalid-name'),
    ).toMatchObject([{ at: '/details' }])
  })

  test('show no token', () => {
    const secret = 'eyJhbGciOi'

    expect(problemsOf(secret, 'token').join()).not.toContain(secret)
    expect(problemsOf({ token: [secret] }, 'token')).toEqual([
      '/token: an array of 1 — the API token, a non-empty string (S5.4)',
    ])
  })
})

function memberNames(name: SchemaName): [string, ...string[]] {
  const example = sample(name)
  return typeof (read(name).examples as unknown[])[0] === 'string' ? ['x'] : ['x', ...Object.keys(example)]
}

function holds(body: unknown, name: SchemaName): void {
  for (const { at, found, expected } of problems(body, name)) {
    expect([...found].length).toBeLessThanOrEqual(80)
    expect(expected).toMatch(/^(?!must |should ).+\((?:S\d|R\d)[^()]*\)|no other field of it is shown$/)
    const parent = found === 'nothing' ? at.slice(0, Math.max(0, at.lastIndexOf('/'))) : at
    if (body !== undefined) expect(valueAt(body, parent)).not.toBe(undefined)
  }
}

function valueAt(body: unknown, at: string): unknown {
  const keys = at
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  return keys.reduce((value, key) => (value as Json)[key], body)
}

describe('the words', () => {
  test('of a dozen failures read well', () => {
    expect(problemsOf('<html>', 'group')).toMatchInlineSnapshot(`
      [
        "(body): "<html>" — a group, a JSON object: one node in the hierarchy of the organization (S2.5 to S2.9)",
      ]
    `)
    expect(problemsOf({}, 'group')).toMatchInlineSnapshot(`
      [
        "/uid: nothing — the group's uid, assigned by the server: hexadecimal segments joined by '/' (S2.2, S2.5)",
        "/name: nothing — the group's name: one or more of a-z, 0-9, space, '.', '_' and '-' (S2.6)",
        "/resourceLimits: nothing — the resource limits, an object, empty when no limits are set (S2.8)",
        "/createTime: nothing — when the group was made, an RFC 3339 UTC timestamp with at most three fraction digits (S2.4)",
        "/updateTime: nothing — when the group was last changed, an RFC 3339 UTC timestamp with at most three fraction digits (S2.4)",
      ]
    `)
    expect(problemsOf(sample('group', { name: 'Team A', createTime: 1735689600 }), 'group')).toMatchInlineSnapshot(`
      [
        "/name: "Team A" — the group's name: one or more of a-z, 0-9, space, '.', '_' and '-' (S2.6)",
        "/createTime: 1735689600 — an RFC 3339 UTC timestamp with at most three fraction digits (S2.4)",
      ]
    `)
    expect(problemsOf(sample('group', { updateTime: '2025-01-01T00:00:00.123456Z' }), 'group')).toMatchInlineSnapshot(`
      [
        "/updateTime: "2025-01-01T00:00:00.123456Z" — an RFC 3339 UTC timestamp with at most three fraction digits (S2.4)",
      ]
    `)
    expect(problemsOf(sample('group', { description: ['x'], verified: 'no' }), 'group')).toMatchInlineSnapshot(`
      [
        "/description: ["x"] — a description, a string where it is set (S2.7)",
        "/verified: "no" — whether the group is verified, a boolean (S2.9)",
      ]
    `)
    expect(problemsOf(sample('identity', { claimMatch: { issuer: 'a' } }), 'identity')).toMatchInlineSnapshot(`
      [
        "/claimMatch/subject: nothing — the subject that a token must name, a non-empty string (S2.11)",
      ]
    `)
    expect(problemsOf(sample('role', { uid: 'a/b', createTime: 'now' }), 'role')).toMatchInlineSnapshot(`
      [
        "/uid: "a/b" — the role's uid: one flat hexadecimal string (S2.3)",
        "/createTime: "now" — when the role was made, an RFC 3339 UTC timestamp with at most three fraction digits, where it is set (S2.4, R1)",
      ]
    `)
    expect(problemsOf(sample('role-binding', { role: 'a1' }), 'role-binding')).toMatchInlineSnapshot(`
      [
        "/role: "a1" — the role that is granted, an object with uid and name (S2.14)",
      ]
    `)
    expect(problemsOf({ groups: null }, 'group-list')).toMatchInlineSnapshot(`
      [
        "/groups: null — the groups of this page, an array (S4.16, R23)",
      ]
    `)
    expect(problemsOf({ groups: [sample('group')], skipped: '10' }, 'group-list')).toMatchInlineSnapshot(`
      [
        "/totalCount: nothing — the number of matches across all pages, a string of decimal digits without a leading zero (S4.18)",
        "/skipped: "10" — how many results were skipped, an integer (S4.19)",
      ]
    `)
    expect(problemsOf({ groups: [{ id: 'a1', name: 'x' }], totalCount: 1 }, 'group-list')).toMatchInlineSnapshot(`
      [
        "/totalCount: 1 — the number of matches across all pages, a string of decimal digits without a leading zero (S4.18)",
        "/groups/0/uid: nothing — the group's uid, assigned by the server: hexadecimal segments joined by '/' (S2.2, S2.5)",
        "/groups/0/resourceLimits: nothing — the resource limits, an object, empty when no limits are set (S2.8)",
        "/groups/0/createTime: nothing — when the group was made, an RFC 3339 UTC timestamp with at most three fraction digits (S2.4)",
        "/groups/0/updateTime: nothing — when the group was last changed, an RFC 3339 UTC timestamp with at most three fraction digits (S2.4)",
      ]
    `)
    expect(problemsOf({ error: 'invalid name' }, 'error-invalid-name')).toMatchInlineSnapshot(`
      [
        "/code: nothing — the RPC status code 3 (S7.5)",
        "/message: nothing — a message that begins with 'Invalid argument: name: ' (S7.5)",
        "/details: nothing — the details, among them an ErrorInfo and a BadRequest (S7.5)",
      ]
    `)
    expect(problemsOf(sample('error', { code: 3, details: [] }), 'error-invalid-name')).toMatchInlineSnapshot(`
      [
        "/message: "Not found" — a message that begins with 'Invalid argument: name: ' (S7.5)",
        "/details: [] — details that hold a detail of type ErrorInfo (S7.5)",
        "/details: [] — details that hold one BadRequest (S7.5, R36)",
      ]
    `)
    expect(problemsOf(sample('error-not-empty', { code: '9' }), 'error-not-empty')).toMatchInlineSnapshot(`
      [
        "/code: "9" — the RPC status code 9 (S7.6)",
      ]
    `)
  })

  test('of a violation name each problem and lead with the first', () => {
    expect(() => conforms(sample('group'), 'group')).not.toThrow()
    expect(() => conforms(sample('group', { uid: 7, name: null }), 'group')).toThrowErrorMatchingInlineSnapshot(`
      [AssertionError: The body is not a group
        /uid: found 7, expected the group's uid, assigned by the server: hexadecimal segments joined by '/' (S2.2, S2.5)
        /name: found null, expected the group's name: one or more of a-z, 0-9, space, '.', '_' and '-' (S2.6)]
    `)
    expect(() => conforms(undefined, 'token')).toThrowErrorMatchingInlineSnapshot(`
      [AssertionError: The body is not the answer of the token exchange
        the whole body: found nothing, expected the answer of the token exchange, a JSON object with the string token (S5.4)]
    `)
  })
})
