import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAst } from 'vitest/node'
import { packageRoot } from '../cli/package.ts'

/** One assertion of a spec. */
export interface Assertion {
  /** Where it stands: the compiled spec's name. */
  spec: string
  /** Its text. */
  text: string
  /** The requirements in which it stands, by glob. */
  ids: string[]
}

interface Node {
  type: string
  start: number
  end: number
  [member: string]: unknown
}

/** What ends a case with a violation, besides `expect`. */
const asserting = [
  'accepted',
  'agrees',
  'clientsMistake',
  'conforms',
  'foundAll',
  'hasItems',
  'hasShape',
  'hasShapeAt',
  'holdsOnce',
  'inOrder',
  'livesAnHour',
  'refused',
  'same',
  'sameInstant',
  'sameTimes',
  'showsNoLonger',
]

const isOut = (number: number) => `process.env.RMAPI_WITHOUT?.split(',').includes('${number}')`

/** The package once more, with a switch at each assertion of its specs. */
export function copyWithSwitches(): { copy: string; assertions: Assertion[]; remove: () => void } {
  const copy = mkdtempSync(join(tmpdir(), 'rmapi-mutation-'))
  for (const part of ['package.json', 'dist', 'schemas', 'specs'])
    cpSync(join(packageRoot, part), join(copy, part), { recursive: true })
  symlinkSync(join(packageRoot, 'node_modules'), join(copy, 'node_modules'))
  const assertions: Assertion[] = []
  const folder = join(copy, 'dist/specs')
  for (const spec of readdirSync(folder).filter((name) => name.endsWith('.spec.js'))) {
    const source = readFileSync(join(folder, spec), 'utf8')
    const { assertions: own, switched } = withSwitches(spec, source, assertions.length)
    assertions.push(...own)
    writeFileSync(join(folder, spec), switched)
  }
  return { copy, assertions, remove: () => rmSync(copy, { recursive: true, force: true }) }
}

/**
 * The assertions of a compiled spec, and the spec in which each can be left out: those whose numbers stand in
 * RMAPI_WITHOUT, counted from `first`.
 */
function withSwitches(
  spec: string,
  source: string,
  first: number,
): { assertions: Assertion[]; switched: string } {
  const found: { node: Node; ids: string[] }[] = []
  const all = idsIn(source)
  visit(parseAst(source) as unknown as Node, undefined, all)
  const assertions = found.map(({ node, ids }) => ({ spec, text: source.slice(node.start, node.end), ids }))
  const edits = found.flatMap(({ node }, index) => [
    { at: node.start, text: `(${isOut(first + index)} ? undefined : ` },
    { at: node.end, text: ')' },
  ])
  let switched = source
  for (const { at, text } of edits.sort((a, b) => b.at - a.at))
    switched = switched.slice(0, at) + text + switched.slice(at)
  return { assertions, switched }

  function visit(node: Node, parent: Node | undefined, ids: string[]): void {
    const within = isRequirement(node) ? idsIn(source.slice(node.start, node.end)) : ids
    if (isAssertion(node) && isAlone(node, parent))
      found.push({ node, ids: within.length > 0 ? within : all })
    for (const child of Object.values(node).flat()) {
      if (isNode(child)) visit(child, node, within)
    }
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** The ids that a text states, by glob: what is put together or stands for several kinds has a star. */
function idsIn(source: string): string[] {
  return [...source.matchAll(/\bid: (['`])([^'`]+)\1/g)].flatMap(([, , id = '']) => {
    const glob = id.replace(/\$\{[^}]*\}/g, '*')
    return [glob, `${glob}@*`]
  })
}

function isRequirement({ type, callee }: Node): boolean {
  return type === 'CallExpression' && ['requirement', 'requirementOnEach'].includes(nameOf(callee as Node))
}

function isAssertion({ type, callee }: Node): boolean {
  if (type !== 'CallExpression') return false
  const called = nameOf(callee as Node)
  if (asserting.includes(called)) return true
  let root = callee as Node
  while (root.type === 'MemberExpression' || root.type === 'CallExpression')
    root = (root.type === 'MemberExpression' ? root.object : root.callee) as Node
  return nameOf(root) === 'expect' && (callee as Node).type === 'MemberExpression'
}

const nameOf = ({ type, name }: Node) => (type === 'Identifier' ? String(name) : '')

/** True where nothing hangs on the value: a statement, what an arrow gives, what is awaited. */
function isAlone(node: Node, parent: Node | undefined): boolean {
  return (
    parent !== undefined &&
    (['ExpressionStatement', 'AwaitExpression'].includes(parent.type) ||
      (parent.type === 'ArrowFunctionExpression' && parent.body === node))
  )
}
