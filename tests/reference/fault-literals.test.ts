import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Node {
  readonly type: string
  readonly [member: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

const inside = (node: Node) =>
  Object.values(node)
    .flat()
    .filter((value) => isNode(value))

/** What describes a requirement, a fault or a variant, and reaches no server. */
function describing(node: Node): readonly unknown[] {
  if (node.type === 'ImportDeclaration') return [node.source]
  const { name } = (node.callee ?? {}) as { name?: string }
  const given = (node.arguments ?? []) as Node[]
  if (name === 'requirement') return given.slice(0, 1)
  if (name === 'fault' || name === 'basicFault') return given.slice(0, 2)
  return name === 'variant' ? [given[0], given[2]] : []
}

function textsOf(node: Node): string[] {
  if (node.type === 'TemplateElement') return [(node.value as { raw: string }).raw]
  const { value, regex } = node as { value?: unknown; regex?: { pattern: string } }
  if (node.type !== 'Literal') return []
  return regex ? [regex.pattern] : typeof value === 'string' ? [value] : []
}

/** The strings of some source, parts of templates and patterns included, and those that are types. */
function literalsIn(text: string): { values: Set<string>; types: Set<string> } {
  const [values, types] = [new Set<string>(), new Set<string>()]
  const visit = (node: Node, isType: boolean) => {
    for (const literal of textsOf(node)) (isType ? types : values).add(literal.trim())
    const skipped = describing(node)
    for (const child of inside(node)) {
      if (!skipped.includes(child)) visit(child, isType || child.type === 'TSLiteralType')
    }
  }
  visit(parseAst(text, { lang: 'ts' }) as unknown as Node, false)
  return { values, types }
}

/** The files below a folder whose names end so. */
const read = (folder: string, ending: string) =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => ({ path: `${folder}/${name}`, text: readFileSync(`${root}${folder}/${name}`, 'utf8') }))

/** The words of code in the contract, whole and in parts, and the members and values of the schemas. */
function contractWords(): Set<string> {
  const [contract = ''] = read('specs', 'contract.md').map(({ text }) => text)
  // what is made from both has no words of its own
  const schemas = read('schemas', '.json').flatMap(({ path, text }) => (path === 'schemas/openapi.json' ? [] : [text]))
  const code = [...contract.matchAll(/`([^`\n]+)`/g), ...schemas.join().matchAll(/"([^"\s]+)"/g)].map(
    ([, word]) => word,
  )
  const text = code.join(' ').toLowerCase()
  return new Set([...(text.match(/[\w.@/-]+/g) ?? []), ...(text.match(/[a-z0-9]+/g) ?? [])])
}

/** The words of HTTP and gRPC that faults and specs share. */
const http = ['head', 'text/plain', 'grpc-message', 'grpc-timeout']
/** The form of an id: it names a requirement and reaches no server. */
const isId = (literal: string) => /^[a-z]+(\.[a-z-]+)+$/.test(literal)

const shortest = 4
const sent = new Set(read('specs', '.spec.ts').flatMap(({ text }) => [...literalsIn(text).values]))
const servers = read('reference', '.ts')
const ownTypes = new Set(servers.flatMap(({ text }) => [...literalsIn(text).types]))
const shared = new Set([...contractWords(), ...http])

/** The literals of a spec that some source of a server holds, whole or in a pattern. */
function knownFromSpecs(text: string): string[] {
  const own = [...literalsIn(text).values]
  return [...sent].filter(
    (literal) =>
      literal.length >= shortest &&
      !shared.has(literal.toLowerCase()) &&
      !isId(literal) &&
      !ownTypes.has(literal) &&
      own.some((value) => value === literal || (/[\\^$|]/.test(value) && value.includes(literal))),
  )
}

test.each(servers.filter(({ path }) => /^reference\/(faults|variants)\//.test(path)))(
  '$path recognizes nothing that only a spec sends',
  ({ text }) => {
    expect(knownFromSpecs(text)).toEqual([])
  },
)

test('a literal of a spec is found in a fault, but not in its name or among its requirements', () => {
  const literal = [...sent].find((text) => /^[a-z]{6,}$/.test(text) && !shared.has(text) && !ownTypes.has(text))!

  const holding = (pattern: string) => `fault('a', ['b'], () => ({ order: (asked) => ${pattern}(asked) }))`

  expect(knownFromSpecs(holding(`'${literal}'.includes`))).toContain(literal)
  expect(knownFromSpecs(holding(`/^${literal}$/.test`))).toContain(literal)
  expect(knownFromSpecs(`fault('${literal}', ['${literal}'], () => ({}))`)).toEqual([])
})
