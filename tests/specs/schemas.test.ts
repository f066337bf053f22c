import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { schemaFolder, schemaNames } from '../../helpers/assertions/schema.ts'
import type { Baseline, Baseline as PublishedBaseline, Report as PublishedReport, Report } from '../../schemas/types.ts'
import { generateTypes } from '../support/generate-types.ts'
import { type Json, problemsOf, read } from '../support/schema-samples.ts'

/** A type by the members that it names, at any depth. */
type Known<T> = T extends readonly (infer Item)[]
  ? Known<Item>[]
  : T extends object
    ? { [Name in keyof T as string extends Name ? never : Name]: Known<T[Name]> }
    : T

/** The schemas of what the suite itself writes. */
const ofFiles = ['report', 'baseline', 'comparison', 'finding', 'trace']

describe('the files', () => {
  test('are the ones that have a name', () => {
    const files = readdirSync(schemaFolder).filter((file) => file.endsWith('.json') && file !== 'openapi.json')

    expect(files.sort()).toEqual([...schemaNames, ...ofFiles].map((name) => `${name}.json`).sort())
  })

  test('each is in the list of what stays', () => {
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
    for (const example of schema.examples as unknown[]) expect(problemsOf(example, name)).toEqual([])
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
