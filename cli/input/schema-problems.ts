import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { packageRoot } from './package.ts'

/** Where a file of ours departs from its schema, a line each, beginning with its name; at most ten. */
export function schemaProblems(content: unknown, schema: 'baseline' | 'comparison' | 'report', name: string): string[] {
  return checkerOf(schema)(content, true).map((problem) => name + problem)
}

/** Checks values against a schema, or one of its definitions; gives the first problem of each, or with `all` ten. */
export function checkerOf(
  schema: 'baseline' | 'comparison' | 'report' | 'trace',
  definition?: string,
): (content: unknown, all?: boolean) => string[] {
  const text = JSON.parse(readFileSync(join(packageRoot, `schemas/${schema}.json`), 'utf8')) as { $id: string }
  const compile = (allErrors: boolean) => {
    const ajv = new Ajv2020({ allErrors, strict: false, schemas: [text] })
    formats.default(ajv)
    return ajv.compile({ $ref: definition === undefined ? text.$id : `${text.$id}#/$defs/${definition}` })
  }
  let [first, every]: (ReturnType<typeof compile> | undefined)[] = []
  return (content, all = false) => {
    if (all) every ??= compile(true)
    else first ??= compile(false)
    const valid = (all ? every : first)!
    if (valid(content)) return []
    return (valid.errors ?? []).slice(0, 10).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
}
