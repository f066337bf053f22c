import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { type SchemaName, schemaFolder, schemaNames } from '../../helpers/assertions/schema.ts'
import type { Baseline, Baseline as PublishedBaseline, Report as PublishedReport, Report } from '../../schemas/types.ts'
import { generateTypes } from '../support/generate-types.ts'
import { type Json, read, told } from '../support/schema-samples.ts'

/** A type by the members that it names, at any depth. */
type Known<T> = T extends readonly (infer Item)[]
  ? Known<Item>[]
  : T extends object
    ? { [Name in keyof T as string extends Name ? never : Name]: Known<T[Name]> }
    : T

/** The schemas of what the suite itself writes. */
const ofFiles = ['report', 'baseline', 'comparison']

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
