import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { packageRoot } from '../../cli/input/package.ts'

/** A schema that forbids what it does not name; conditions only select, and stay as they are. */
export function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node)
  const inner = entries.map(([key, value]) => [key, ['if', 'then', 'examples'].includes(key) ? value : closed(value)])
  const bare = 'properties' in node && !('additionalProperties' in node)
  return { ...Object.fromEntries(inner), ...(bare ? { additionalProperties: false } : {}) }
}

/** Where what the suite wrote has members that its published schema does not name. */
export function undescribedMembers(content: unknown, schema: 'comparison' | 'report'): string[] {
  const published = JSON.parse(readFileSync(join(packageRoot, `schemas/${schema}.json`), 'utf8'))
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false })
  ajv.validate(closed(published) as object, content)
  const found = (ajv.errors ?? []).map(({ instancePath, params, message }) =>
    `${instancePath} ${params.additionalProperty ?? message}`.replace(/\d+/g, 'n'),
  )
  return [...new Set(found)]
}
