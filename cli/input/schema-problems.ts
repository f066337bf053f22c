import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { packageRoot, suite } from './package.ts'

type SchemaName = 'baseline' | 'comparison' | 'finding' | 'report' | 'trace'

const validators = new Map<string, ValidateFunction>()

/** Where one of our files departs from its schema, a line each, beginning with the file's name; at most ten. */
export function schemaProblems(content: unknown, schema: SchemaName, name: string): string[] {
  return checkerOf(schema)(content, true).map((problem) => name + problem)
}

/** Why one of our files cannot be read although nothing is wrong with it: another version of the suite wrote it. */
export function ofAnotherVersion(content: unknown, member: string): string | undefined {
  const stated: unknown = Object(content)[member]
  if (!Number.isInteger(stated) || stated === 1) return undefined
  return `has the ${member} ${stated}, and ${suite.name} ${suite.version} reads 1: use the version that wrote it`
}

/** Checks values against a schema, or one of its definitions; returns the first problem of each, or with `all` ten. */
export function checkerOf(schema: SchemaName, definition?: string): (content: unknown, all?: boolean) => string[] {
  return (content, all = false) => {
    const valid = validatorOf(schema, definition, all)
    if (valid(content)) return []
    return (valid.errors ?? []).slice(0, 10).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
}

function validatorOf(schema: SchemaName, definition: string | undefined, allErrors: boolean): ValidateFunction {
  const key = `${schema} ${definition} ${allErrors}`
  const known = validators.get(key)
  if (known) return known
  const text = JSON.parse(readFileSync(join(packageRoot, `schemas/${schema}.json`), 'utf8')) as { $id: string }
  const ajv = new Ajv2020({ allErrors, strict: false, schemas: [text] })
  formats.default(ajv)
  const valid = ajv.compile({ $ref: definition === undefined ? text.$id : `${text.$id}#/$defs/${definition}` })
  validators.set(key, valid)
  return valid
}
