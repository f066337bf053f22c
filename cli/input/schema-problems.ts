import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { packageRoot } from './package.ts'

type SchemaName = 'baseline' | 'comparison' | 'report'

const validators = new Map<SchemaName, ValidateFunction>()

/** Where a file of ours departs from its schema, a line each, beginning with its name; at most ten. */
export function schemaProblems(content: unknown, schema: SchemaName, name: string): string[] {
  const valid = validators.get(schema) ?? validatorOf(schema)
  if (valid(content)) return []
  return (valid.errors ?? []).slice(0, 10).map(({ instancePath, message }) => `${name}${instancePath} ${message}`)
}

function validatorOf(schema: SchemaName): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  formats.default(ajv)
  const valid = ajv.compile(JSON.parse(readFileSync(join(packageRoot, `schemas/${schema}.json`), 'utf8')))
  validators.set(schema, valid)
  return valid
}
