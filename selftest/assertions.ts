import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAst } from 'vitest/node'
import { packageRoot } from '../cli/input/package.ts'

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
  'goneFromGet',
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
  'showOnly',
  'showsNoLonger',
  'stillShow',
]

/** What stands before an assertion that can be left out, or turned into its opposite. */
function before(text: string, number: number): string {
  const among = (name: string) => `process.env.${name}?.split(',').includes('${number}')`
  const opposite = /\bawait\b/.test(text) ? `await negated(async () => ${text})` : `negated(() => ${text})`
  return `(${among('RMAPI_WITHOUT')} ? undefined : ${among('RMAPI_NEGATED')} ? ${opposite} : `
}

/** Fails where an assertion holds, and passes where it does not. */
const negation = `
function negated(assert) {
  const held = () => { throw new Error('negated: it held') }
  let given
  try { given = assert() } catch { return undefined }
  return typeof given?.then === 'function' ? given.then(held, () => undefined) : held()
}
`

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
 * The assertions of a compiled spec, and the spec in which each can be left out or negated: those whose numbers stand in
 * RMAPI_WITHOUT or RMAPI_NEGATED, counted from `first`.
 */
function withSwitches(spec: string, source: string, first: number): { assertions: Assertion[]; switched: string } {
  const found: { node: Node; ids: string[] }[] = []
  // an id that is no literal of its requirement is one somewhere else in the file
  const all = [...idsIn(source), ...literalsIn(source)]
  visit(parseAst(source) as unknown as Node, undefined, all)
  const assertions = found.map(({ node, ids }) => ({ spec, text: source.slice(node.start, node.end), ids }))
  const edits = found.flatMap(({ node }, index) => [
    { at: node.start, text: before(source.slice(node.start, node.end), first + index) },
    { at: node.end, text: ')' },
  ])
  let switched = source + negation
  for (const { at, text } of edits.sort((a, b) => b.at - a.at))
    switched = switched.slice(0, at) + text + switched.slice(at)
  return { assertions, switched }

  function visit(node: Node, parent: Node | undefined, ids: string[]): void {
    const within = isRequirement(node) ? idsIn(source.slice(node.start, node.end)) : ids
    if (isAssertion(node) && isAlone(node, parent)) found.push({ node, ids: within.length > 0 ? within : all })
    for (const child of Object.values(node).flat()) {
      if (isNode(child)) visit(child, node, within)
    }
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** The ids that a text states, by glob: what is put together or stands for several kinds has a star. */
function idsIn(source: string): string[] {
  return [...source.matchAll(/\bid: (?:'([^']+)'|`([^`]+)`)/g)].flatMap(([, plain, template = '']) => {
    const glob = plain ?? template.replace(/\$\{[^}]*\}/g, '*')
    return [glob, `${glob}@*`]
  })
}

/** What looks like an id in a text. */
const literalsIn = (text: string) =>
  [...text.matchAll(/'([a-zA-Z0-9]+(?:\.[a-z0-9-]+)+)'/g)].map(([, literal = '']) => literal)

function isRequirement({ type, callee }: Node): boolean {
  return type === 'CallExpression' && ['requirement', 'requirementOnEach'].includes(nameOf(callee as Node))
}

function isAssertion({ type, callee }: Node): boolean {
  if (type !== 'CallExpression') return false
  const called = nameOf(callee as Node)
  if (asserting.includes(called)) return true
  let root = callee as Node
  let calls = 0
  while (root.type === 'MemberExpression' || root.type === 'CallExpression') {
    if (root.type === 'CallExpression') calls += 1
    root = (root.type === 'MemberExpression' ? root.object : root.callee) as Node
  }
  // expect.any(String) asserts nothing by itself
  return nameOf(root) === 'expect' && calls > 0 && (callee as Node).type === 'MemberExpression'
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
