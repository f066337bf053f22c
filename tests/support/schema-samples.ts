import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { problems, type SchemaName, schemaFolder } from '../../helpers/assertions/schema.ts'

/** Shared by the tests of schema-samples. */
export type Json = Record<string, unknown>

/** Shared by the tests of schema-samples. */
export const read = (name: string) => JSON.parse(readFileSync(join(schemaFolder, `${name}.json`), 'utf8')) as Json

/** Shared by the tests of schema-samples. */
export const told = (body: unknown, name: SchemaName) =>
  problems(body, name).map(({ at, found, expected }) => `${at || '(body)'}: ${found} — ${expected}`)
