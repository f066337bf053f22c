import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile } from 'json-schema-to-typescript'
import { closed } from './undescribed-members.ts'

type Json = Record<string, unknown>

// keywords that say nothing in a TypeScript type, or that would make a second copy of a shared one
const unspoken = new Set(['$schema', '$id', '$comment', 'examples', 'if', 'then', 'contains', 'minContains'])
unspoken.add('maxContains').add('minItems').add('maxItems')

/**
 * The TypeScript of all named schemas in a folder as one file, with `Schemas` as the map from name to type; the further
 * ones stand in the file, but not in the map.
 */
export async function generateTypes(
  folder: string,
  names: readonly string[],
  further: readonly string[],
): Promise<string> {
  const definitions: Json = {}
  for (const name of [...names, ...further]) {
    const schema = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Json
    // what the suite itself writes has exactly the members that its schema names
    const { $defs = {}, ...body } = (further.includes(name) ? closed(schema) : schema) as { $defs?: Json }
    for (const [key, shared] of Object.entries($defs)) definitions[key] = spoken(shared)
    definitions[name] = spoken(body)
  }
  const root = {
    title: 'Schemas',
    description: 'every schema of what a server answers by the name of its file',
    type: 'object',
    additionalProperties: false,
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
    $defs: definitions,
  }
  const text = await compile(root as object, 'Schemas', {
    bannerComment: '// Made from schemas/*.json by `npm run types:generate`; do not edit.',
    unreachableDefinitions: true,
    style: { semi: false, singleQuote: true, printWidth: 110 },
  })
  return text.replace(/\n \*\n \* This interface was referenced by [\s\S]*?(?=\n \*\/)/g, '')
}

function spoken(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(spoken).filter((item) => !isEmpty(item))
  if (typeof node !== 'object' || node === null) return node
  const kept: Json = {}
  for (const [key, value] of Object.entries(node)) {
    if (unspoken.has(key)) continue
    if (key === '$ref') kept[key] = `#/$defs/${String(value).replace('#/$defs/', '').replace('.json', '')}`
    else kept[key] = spoken(value)
  }
  if (Array.isArray(kept.allOf) && kept.allOf.length === 0) delete kept.allOf
  if (Array.isArray(kept.allOf) && kept.allOf.every(saysNothing)) delete kept.allOf
  const { $ref, ...beside } = kept
  return $ref !== undefined && !isEmpty(beside) ? { ...beside, allOf: [{ $ref }] } : kept
}

function saysNothing(node: unknown): boolean {
  return typeof node === 'object' && node !== null && Object.keys(node).every((key) => key === 'description')
}

function isEmpty(node: unknown): boolean {
  return typeof node === 'object' && node !== null && Object.keys(node).length === 0
}
