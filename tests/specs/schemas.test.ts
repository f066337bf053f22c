import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { conforms, problems, type SchemaName, schemaFolder, schemaNames } from '../../helpers/assertions/schema.ts'
import type { Baseline, Baseline as PublishedBaseline, Report as PublishedReport, Report } from '../../schemas/types.ts'
import { generateTypes } from '../support/generate-types.ts'

type Json = Record<string, unknown>

/** A type by the members that it names, at any depth. */
type Known<T> = T extends readonly (infer Item)[]
  ? Known<Item>[]
  : T extends object
    ? { [Name in keyof T as string extends Name ? never : Name]: Known<T[Name]> }
    : T

/** The schemas of what the suite itself writes. */
const ofFiles = ['report', 'baseline', 'comparison']

const read = (name: string) => JSON.parse(readFileSync(join(schemaFolder, `${name}.json`), 'utf8')) as Json
const sample = (name: SchemaName, changes: Json = {}) => ({
  ...(read(name).examples as Json[])[0],
  ...changes,
})
const without = (body: Json, member: string) =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== member))
const told = (body: unknown, name: SchemaName) =>
  problems(body, name).map(({ at, found, expected }) => `${at || '(body)'}: ${found} — ${expected}`)

describe('the files', () => {
  test('are the ones that have a name', () => {
    const files = readdirSync(schemaFolder).filter((file) => file.endsWith('.json'))

    expect(files.sort()).toEqual([...schemaNames, ...ofFiles].map((name) => `${name}.json`).sort())
  })

  test('each stands in the list of what stays', () => {
    const [, promised = ''] = readFileSync(join(schemaFolder, '../docs/stability.md'), 'utf8').split(
      '| what they describe | schemas |',
    )
    const [table = ''] = promised.split('\n\n')

    expect([...table.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!).sort()).toEqual(
      [...schemaNames, ...ofFiles].sort(),
    )
  })

  test.each(schemaNames)('%s names itself, its draft and its examples', (name) => {
    const schema = read(name)

    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `https://rmapi-conformance.invalid/schemas/${name}.json`,
      title: expect.any(String),
      description: expect.any(String),
    })
    expect(schema.examples).not.toEqual([])
    for (const example of schema.examples as unknown[]) expect(told(example, name)).toEqual([])
  })

  test.each(schemaNames)('%s describes each member, and closes none', (name) => {
    const text = JSON.stringify(read(name))

    expect(text).not.toMatch(/"(?:additional|unevaluated)(?:Properties|Items)"/)
    expect(undescribed(read(name))).toEqual([])
  })

  test.each(ofFiles)('%s, which the suite writes, describes each member, and closes none', (name) => {
    expect(JSON.stringify(read(name))).not.toMatch(/"(?:additional|unevaluated)(?:Properties|Items)":false/)
    expect(undescribed(read(name))).toEqual([])
  })

  test('a report of the suite is what the published type says', () => {
    expectTypeOf<Known<Report>>().toExtend<Known<PublishedReport>>()
    expectTypeOf<Known<Baseline>>().toExtend<Known<PublishedBaseline>>()
  })

  test('the types are fresh', async () => {
    const file = join(schemaFolder, 'types.ts')
    const fresh = await generateTypes(schemaFolder, schemaNames, ofFiles)
    if (process.env.UPDATE_TYPES === '1') writeFileSync(file, fresh)

    expect(readFileSync(file, 'utf8'), 'run UPDATE_TYPES=1 npx vitest run tests/schemas.test.ts').toBe(fresh)
  })
})

// members below an 'if' only select; all others are read by people
function undescribed(node: unknown, path = ''): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => {
    if (['if', 'contains', 'examples'].includes(key)) return []
    if (key !== 'properties') return undescribed(value, `${path}/${key}`)
    const members = Object.entries(value as Record<string, Json>)
    const bare = members.filter(([, member]) => !('description' in member) && !('properties' in member))
    return [
      ...bare.filter(([, member]) => !('items' in member)).map(([name]) => `${path}/${name}`),
      ...members.flatMap(([name, member]) => undescribed(member, `${path}/${name}`)),
    ]
  })
}

describe('timestamp', () => {
  test.each([
    '2024-01-01T00:00:00Z',
    '2024-01-01T00:00:00.1Z',
    '2024-01-01T00:00:00.12Z',
    '2024-01-01T00:00:00.123Z',
    '2024-01-01T00:00:00.000Z',
    '2024-01-01T00:00:00.123000Z',
    '2024-01-01T00:00:00.123000000Z',
    '2024-01-01t00:00:00.123z',
    '2024-01-01T00:00:00+00:00',
    '2024-01-01T00:00:00-00:00',
    '2024-02-29T23:59:59.999Z',
    '2016-12-31T23:59:60Z',
  ])('%s is one', (value) => expect(told(value, 'timestamp')).toEqual([]))

  test.each([
    '2024-01-01T00:00:00.1234Z',
    '2024-01-01T00:00:00.123001Z',
    '2024-01-01T00:00:00.123000001Z',
    '2024-01-01 00:00:00Z',
    '2024-01-01\n00:00:00Z',
    '2024-01-01T00:00:00Z\n',
    '\n2024-01-01T00:00:00Z',
    '2024-01-01T00:00:00',
    '2024-01-01T00:00Z',
    '2024-01-01T00:00:00.Z',
    '2024-01-01T00:00:00,5Z',
    '2024-01-01T00:00:00+01:00',
    '2024-01-01T00:00:00+0000',
    '2024-01-01T00:00:00+00',
    '2024-01-01T24:00:00Z',
    '2024-01-01T12:00:60Z',
    '2023-02-29T00:00:00Z',
    '2024-04-31T00:00:00Z',
    '2024-13-01T00:00:00Z',
    '2024-1-1T00:00:00Z',
    '24-01-01T00:00:00Z',
    '٢٠٢٤-01-01T00:00:00Z',
    '2024-01-01',
    '1704067200',
    'yesterday',
    '',
    1704067200,
    1704067200000,
    null,
    true,
    {},
    [],
    { seconds: '1704067200', nanos: 0 },
    ['2024-01-01T00:00:00Z'],
  ])('%j is none', (value) => expect(problems(value, 'timestamp')).toHaveLength(1))
})

const unset = { null: null, absent: undefined }
const wrong = (...values: unknown[]) => values

/** Member by member: the values that are good beside the first example, and the bad ones. */
const members: [SchemaName, string, { good?: unknown[]; bad?: unknown[]; optional?: boolean }][] = [
  ['group', 'uid', { good: ['a', 'A0/b1/C2'], bad: wrong('', '/', 'a/', '/a', 'a//b', 'g', 'a\n', 'a b', 7, []) }],
  ['group', 'name', { good: ['a', '-', 'a b', '. _'], bad: wrong('', 'A', 'a/b', 'é', 'a\n', 'a\t', 'a@b', 1, {}) }],
  ['group', 'description', { good: ['', '<é>'], bad: wrong(1, {}, [], false), optional: true }],
  ['group', 'resourceLimits', { good: [{}, { x: [1] }], bad: wrong([], '', 0, 'none') }],
  ['group', 'verified', { good: [true, false], bad: wrong('false', 0, {}), optional: true }],
  ['group', 'createTime', { bad: wrong(1, '2024-01-01', '', {}) }],
  ['group', 'updateTime', { bad: wrong(1, '2024-01-01T00:00:00+02:00') }],
  ['group', 'anythingElse', { good: [1, 'x', [], {}], optional: true }],
  ['identity', 'uid', { good: ['opaque ~ id'], bad: wrong('', 4, []) }],
  ['identity', 'name', { good: ['Any Name'], bad: wrong('', 4) }],
  ['identity', 'description', { good: [''], bad: wrong(4), optional: true }],
  [
    'identity',
    'claimMatch',
    { bad: wrong({}, [], 'x', { issuer: 'a' }, { subject: 'b' }, { issuer: '', subject: 'b' }) },
  ],
  [
    'identity',
    'claimMatch',
    { good: [{ issuer: 'a', subject: 'b', audience: 'c' }], bad: wrong({ issuer: 1, subject: null }) },
  ],
  ['identity', 'lastSeenTime', { bad: wrong('', 0) }],
  ['identity', 'createTime', { bad: wrong('', 0) }],
  ['identity', 'updateTime', { bad: wrong('', 0) }],
  ['role', 'uid', { good: ['a', 'F0'], bad: wrong('', 'a/b', 'xyz', 'a\n', 5) }],
  ['role', 'name', { bad: wrong('', 5) }],
  ['role', 'description', { good: [''], bad: wrong(5, {}), optional: true }],
  ['role', 'createTime', { good: ['2024-01-01T00:00:00Z'], bad: wrong('', 5, 'today'), optional: true }],
  ['role', 'updateTime', { good: ['2024-01-01T00:00:00Z'], bad: wrong('', 5, 'today'), optional: true }],
  ['role-binding', 'uid', { good: ['b-1'], bad: wrong('', 5) }],
  ['role-binding', 'identity', { bad: wrong('a1', {}, [], { uid: 'a1', name: 'x', subject: 's' }) }],
  ['role-binding', 'identity', { good: [{ uid: 'a1', name: 'x', subject: 's', issuer: 'i', email: '' }] }],
  ['role-binding', 'group', { good: [{ uid: 'a1', name: 'x' }], bad: wrong('a1', {}, { uid: 'zz', name: 'x' }) }],
  ['role-binding', 'role', { good: [{ uid: 'a1', name: 'x' }], bad: wrong('a1', {}, { uid: 'a/1', name: 'x' }) }],
  ['role-binding', 'createTime', { bad: wrong('', 5) }],
  ['role-binding', 'updateTime', { bad: wrong('', 5), optional: true }],
  ['repo', 'uid', { good: ['r-1'], bad: wrong('', 5) }],
  ['repo', 'name', { good: ['Nginx/x'], bad: wrong('', 5) }],
  ['repo', 'createTime', { bad: wrong('', 5) }],
  ['repo', 'updateTime', { bad: wrong('', 5), optional: true }],
  ...(['tag', 'advisory', 'identity-provider', 'account-association', 'group-invite'] as const).flatMap(
    (name): typeof members => [
      [name, 'uid', { good: ['x'], bad: wrong('', 5, []) }],
      [name, 'name', { good: [5, '', {}], optional: true }],
      [name, 'createTime', { good: [5, 'today'], optional: true }],
    ],
  ),
  ['group-list', 'groups', { good: [[]], bad: wrong({}, 'x', [1], [null], [[]], [{}]) }],
  ['group-list', 'nextPageToken', { good: ['', 'x'], bad: wrong(5, {}, false), optional: true }],
  ['group-list', 'totalCount', { good: ['0', '17'], bad: wrong(17, '017', '', '-1', '+1', '1.0', '1e3', '1\n', ' 1') }],
  ['group-list', 'skipped', { good: [0, 10], bad: wrong('10', 1.5, {}), optional: true }],
  ['error', 'code', { good: [1, 16], bad: wrong('3', 3.5, 0, 17, -1, 400) }],
  ['error', 'message', { good: [''], bad: wrong(5, {}) }],
  ['error', 'details', { good: [[]], bad: wrong({}, 'x', [5], [{}], [{ '@type': 'ErrorInfo' }], [{ '@type': 5 }]) }],
  ['error-invalid-name', 'code', { bad: wrong(9, '3') }],
  ['error-invalid-name', 'message', { bad: wrong('invalid argument: name: x', ' Invalid argument: name: x', 5) }],
  ['error-invalid-name', 'message', { good: ['Invalid argument: name: ', 'Invalid argument: name: two\nlines'] }],
  ['error-not-empty', 'code', { bad: wrong(3) }],
  ['error-not-empty', 'message', { good: ['Precondition failed: '], bad: wrong('Precondition failed', '') }],
  ['token', 'token', { good: ['a.b.c', 'opaque'], bad: wrong('', 5, {}, ['x']) }],
  ['v1-group', 'id', { good: ['a1'], bad: wrong('', 5) }],
  ['v1-group', 'name', { good: ['x'], bad: wrong(5), optional: true }],
  ['v1-group', 'createdAt', { bad: wrong('', 5) }],
  ['v1-group', 'updatedAt', { bad: wrong('', 5) }],
  ['v1-group', 'resourceLimits', { good: [{}], bad: wrong([], { clusters: '1' }, { idps: 1.5 }), optional: true }],
  ['v1-repo', 'id', { bad: wrong('', 5) }],
  ['v1-repo', 'createdAt', { bad: wrong('', 5) }],
  ['v1-repo', 'updatedAt', { good: ['x'], bad: wrong(5), optional: true }],
  ['v1-group-list', 'items', { good: [[]], bad: wrong({}, 'x', [5], [{}]) }],
  ['v1-repo-list', 'items', { good: [[]], bad: wrong({}, 'x', [5], [{}]) }],
]

describe.each(members)('%s.%s', (name, member, { good = [], bad = [], optional }) => {
  const set = (value: unknown) =>
    value === undefined ? without(sample(name), member) : sample(name, { [member]: value })

  test.each(good.map((value) => ({ value })))('may be $value', ({ value }) =>
    expect(told(set(value), name)).toEqual([]),
  )

  test.each(bad.map((value) => ({ value })))('may not be $value', ({ value }) => {
    const found = problems(set(value), name)

    expect(found).not.toEqual([])
    for (const { at } of found) expect(`${at}/`).toContain(`/${member}/`)
  })

  test.each(Object.entries(unset))(`${optional ? 'may' : 'may not'} be %s`, (_, value) => {
    if (member === 'groups' || member === 'items') expect(problems(set(null), name)).toHaveLength(1)
    else expect(problems(set(value), name).length > 0).toBe(!optional)
  })
})

const notObjects = [undefined, null, true, 0, '', 'x', [], [{}]]
const objects = schemaNames.filter((name) => name !== 'timestamp')

describe.each(objects)('%s', (name) => {
  test.each(notObjects.map((body) => ({ body })))('is not $body', ({ body }) => {
    expect(problems(body, name).map(({ at }) => at)).toContain('')
  })
})

describe.each(schemaNames.filter((name) => name.endsWith('-list')))('%s', (name) => {
  const key = Object.keys(sample(name))[0]!

  test('may leave out its array, its token, its count and what it skipped', () => {
    expect(told({}, name)).toEqual([])
    expect(told({ [key]: [], nextPageToken: null, skipped: null }, name)).toEqual([])
  })

  test('judges each item', () => {
    expect(problems({ [key]: [...(sample(name)[key] as unknown[]), 5], totalCount: '2' }, name)).toMatchObject([
      { at: `/${key}/1`, found: '5' },
    ])
  })
})

describe('the details of an error', () => {
  const info = { '@type': 'x/google.rpc.ErrorInfo', reason: 'INVALID_ARGUMENT', domain: 'iam' }
  const bad = { '@type': 'x/google.rpc.BadRequest', fieldViolations: [{ field: 'name', description: '' }] }
  const other = { '@type': 'https://x.example/y/acme.v1.Hint' }
  const name = (details: unknown[]) => told(sample('error-invalid-name', { details }), 'error-invalid-name')

  test('stand in any order and beside others', () => {
    expect(name([info, bad])).toEqual([])
    expect(name([other, bad, other, info])).toEqual([])
  })

  test.each([
    ['no BadRequest', [info]],
    ['no ErrorInfo', [bad]],
    ['two BadRequests', [info, bad, bad]],
    ['another reason', [{ ...info, reason: 'invalid_argument' }, bad]],
    ['no domain', [{ ...info, domain: '' }, bad]],
    ['a bare type name', [{ ...info, '@type': 'google.rpc.ErrorInfo' }, bad]],
    ['a longer type name', [{ ...info, '@type': 'x/google.rpc.ErrorInfos' }, bad]],
    ['another field', [info, { ...bad, fieldViolations: [{ field: 'description', description: '' }] }]],
    ['two violations', [info, { ...bad, fieldViolations: [bad.fieldViolations[0], bad.fieldViolations[0]] }]],
    ['no violation', [info, { ...bad, fieldViolations: [] }]],
    ['null violations', [info, { ...bad, fieldViolations: null }]],
    ['an undescribed violation', [info, { ...bad, fieldViolations: [{ field: 'name' }] }]],
  ])('may not be those of a bad name with %s', (_, details) => expect(name(details)).not.toEqual([]))

  test.each([
    [{ '@type': 'x/google.rpc.ErrorInfo' }, ['/details/0/reason', '/details/0/domain']],
    [{ '@type': 'x/google.rpc.BadRequest', fieldViolations: [5] }, ['/details/0/fieldViolations/0']],
    [{ '@type': 'x/google.rpc.PreconditionFailure' }, ['/details/0/violations']],
    [{ '@type': 'x/google.rpc.PreconditionFailure', violations: [{ type: 1 }] }, ['description', 'type']],
  ])('are of their type in every error: %j', (detail, places) => {
    const found = problems(sample('error', { details: [detail] }), 'error').map(({ at }) => at)

    expect(found).toHaveLength(places.length)
    for (const [index, place] of places.entries()) expect(found[index]).toContain(place)
  })
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

  test('are told of the deepest, the largest and the oddest bodies', () => {
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

    expect(told(secret, 'token').join()).not.toContain(secret)
    expect(told({ token: [secret] }, 'token')).toEqual([
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
    expect(told('<html>', 'group')).toMatchInlineSnapshot(`
      [
        "(body): "<html>" — a group, a JSON object: one node in the hierarchy of the organization (S2.5 to S2.9)",
      ]
    `)
    expect(told({}, 'group')).toMatchInlineSnapshot(`
      [
        "/uid: nothing — the group's uid, assigned by the server: hexadecimal segments joined by '/' (S2.2, S2.5)",
        "/name: nothing — the group's name: one or more of a-z, 0-9, space, '.', '_' and '-' (S2.6)",
        "/resourceLimits: nothing — the resource limits, an object, empty when no limits are set (S2.8)",
        "/createTime: nothing — when the group was made, an RFC 3339 UTC timestamp with at most three fraction digits (S2.4)",
        "/updateTime: nothing — when the group was last changed, an RFC 3339 UTC timestamp with at most three fraction digits (S2.4)",
      ]
    `)
    expect(told(sample('group', { name: 'Team A', createTime: 1735689600 }), 'group')).toMatchInlineSnapshot(`
      [
        "/name: "Team A" — the group's name: one or more of a-z, 0-9, space, '.', '_' and '-' (S2.6)",
        "/createTime: 1735689600 — an RFC 3339 UTC timestamp with at most three fraction digits (S2.4)",
      ]
    `)
    expect(told(sample('group', { updateTime: '2025-01-01T00:00:00.123456Z' }), 'group')).toMatchInlineSnapshot(`
      [
        "/updateTime: "2025-01-01T00:00:00.123456Z" — an RFC 3339 UTC timestamp with at most three fraction digits (S2.4)",
      ]
    `)
    expect(told(sample('group', { description: ['x'], verified: 'no' }), 'group')).toMatchInlineSnapshot(`
      [
        "/description: ["x"] — a description, a string where it is set (S2.7)",
        "/verified: "no" — whether the group is verified, a boolean (S2.9)",
      ]
    `)
    expect(told(sample('identity', { claimMatch: { issuer: 'a' } }), 'identity')).toMatchInlineSnapshot(`
      [
        "/claimMatch/subject: nothing — the subject that a token must name, a non-empty string (S2.11)",
      ]
    `)
    expect(told(sample('role', { uid: 'a/b', createTime: 'now' }), 'role')).toMatchInlineSnapshot(`
      [
        "/uid: "a/b" — the role's uid: one flat hexadecimal string (S2.3)",
        "/createTime: "now" — when the role was made, an RFC 3339 UTC timestamp with at most three fraction digits, where it is set (S2.4, R1)",
      ]
    `)
    expect(told(sample('role-binding', { role: 'a1' }), 'role-binding')).toMatchInlineSnapshot(`
      [
        "/role: "a1" — the role that is granted, an object with uid and name (S2.14)",
      ]
    `)
    expect(told({ groups: null }, 'group-list')).toMatchInlineSnapshot(`
      [
        "/groups: null — the groups of this page, an array (S4.16, R23)",
      ]
    `)
    expect(told({ groups: [sample('group')], skipped: '10' }, 'group-list')).toMatchInlineSnapshot(`
      [
        "/totalCount: nothing — the number of matches across all pages, a string of decimal digits without a leading zero (S4.18)",
        "/skipped: "10" — how many results were skipped, an integer (S4.19)",
      ]
    `)
    expect(told({ groups: [{ id: 'a1', name: 'x' }], totalCount: 1 }, 'group-list')).toMatchInlineSnapshot(`
      [
        "/totalCount: 1 — the number of matches across all pages, a string of decimal digits without a leading zero (S4.18)",
        "/groups/0/uid: nothing — the group's uid, assigned by the server: hexadecimal segments joined by '/' (S2.2, S2.5)",
        "/groups/0/resourceLimits: nothing — the resource limits, an object, empty when no limits are set (S2.8)",
        "/groups/0/createTime: nothing — when the group was made, an RFC 3339 UTC timestamp with at most three fraction digits (S2.4)",
        "/groups/0/updateTime: nothing — when the group was last changed, an RFC 3339 UTC timestamp with at most three fraction digits (S2.4)",
      ]
    `)
    expect(told({ error: 'invalid name' }, 'error-invalid-name')).toMatchInlineSnapshot(`
      [
        "/code: nothing — the RPC status code 3 (S7.5)",
        "/message: nothing — a message that begins with 'Invalid argument: name: ' (S7.5)",
        "/details: nothing — the details, among them an ErrorInfo and a BadRequest (S7.5)",
      ]
    `)
    expect(told(sample('error', { code: 3, details: [] }), 'error-invalid-name')).toMatchInlineSnapshot(`
      [
        "/message: "Not found" — a message that begins with 'Invalid argument: name: ' (S7.5)",
        "/details: [] — details that hold a detail of type ErrorInfo (S7.5)",
        "/details: [] — details that hold one BadRequest (S7.5, R36)",
      ]
    `)
    expect(told(sample('error-not-empty', { code: '9' }), 'error-not-empty')).toMatchInlineSnapshot(`
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
