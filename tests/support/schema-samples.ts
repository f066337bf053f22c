import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { problems, type SchemaName, schemaFolder } from '../../helpers/assertions/schema.ts'

/** A JSON object. */
export type Json = Record<string, unknown>

/** A schema of the contract by its name. */
export const read = (name: string) => JSON.parse(readFileSync(join(schemaFolder, `${name}.json`), 'utf8')) as Json

/** The problems of a body as lines. */
export const problemsOf = (body: unknown, name: SchemaName) =>
  problems(body, name).map(({ at, found, expected }) => `${at || '(body)'}: ${found} — ${expected}`)
