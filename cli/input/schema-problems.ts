import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { packageRoot } from './package.ts'

/** Where a file of ours departs from its schema, a line each, beginning with its name; at most ten. */
export function schemaProblems(content: unknown, schema: 'baseline' | 'comparison' | 'report', name: string): string[] {
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  formats.default(ajv)
  const valid = ajv.compile(JSON.parse(readFileSync(join(packageRoot, `schemas/${schema}.json`), 'utf8')))
  if (valid(content)) return []
  return (valid.errors ?? []).slice(0, 10).map(({ instancePath, message }) => `${name}${instancePath} ${message}`)
}
