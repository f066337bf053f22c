import { describe, expect, test } from 'vitest'
import { problems, type SchemaName, schemaNames } from '../../helpers/assertions/schema.ts'
import { type Json, problemsOf, read } from '../support/schema-samples.ts'

const sample = (name: SchemaName, changes: Json = {}) => ({
  ...(read(name).examples as Json[])[0],
  ...changes,
})

const without = (body: Json, member: string) =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== member))

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
  ])('%s is one', (value) => expect(problemsOf(value, 'timestamp')).toEqual([]))

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
    expect(problemsOf(set(value), name)).toEqual([]),
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
    expect(problemsOf({}, name)).toEqual([])
    expect(problemsOf({ [key]: [], nextPageToken: null, skipped: null }, name)).toEqual([])
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
  const name = (details: unknown[]) => problemsOf(sample('error-invalid-name', { details }), 'error-invalid-name')

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
