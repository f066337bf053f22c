import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { packageRoot } from '../../cli/input/package.ts'
import { type Assertion, assertionsIn, readSpecs, type Spec } from './assertions.ts'
import { childrenOf, isFunction, type Node } from './syntax.ts'

/** A package copy with a switch at each assertion of its specs; an assertion's number is its place in the list. */
export function copyWithSwitches(): { copy: string; assertions: Assertion[]; remove: () => void } {
  const copy = mkdtempSync(join(tmpdir(), 'rmapi-mutation-'))
  for (const part of ['package.json', 'dist', 'schemas', 'specs'])
    cpSync(join(packageRoot, part), join(copy, part), { recursive: true })
  symlinkSync(join(packageRoot, 'node_modules'), join(copy, 'node_modules'))
  const { specs, offered } = readSpecs()
  const assertions: Assertion[] = []
  for (const spec of specs) {
    const own = assertionsIn(spec, offered).assertions
    writeFileSync(join(copy, 'dist', spec.path), withSwitches(spec, own, assertions.length))
    assertions.push(...own)
  }
  return { copy, assertions, remove: () => rmSync(copy, { recursive: true, force: true }) }
}

/** A spec in which each of its assertions has a switch, numbered from `first` on. */
export function withSwitches({ path, source }: Spec, assertions: readonly Assertion[], first: number): string {
  const edits = assertions.flatMap((assertion, index) => editsFor(assertion, first + index))
  let text = source
  for (const edit of edits.sort((a, b) => b.at - a.at)) text = text.slice(0, edit.at) + edit.text + text.slice(edit.at)
  const from = relative(dirname(path), 'selftest/mutation/switch.js').replaceAll('\\', '/')
  return `${text}\nimport { inCase as ${name('inCase')}, overAllAnswers as ${name('overAllAnswers')} } from '${from}'\n`
}

/** The name of a switch in a spec, where it must not clash with any other. */
const name = (what: string) => `mutation_${what}`

function editsFor({ node, form }: Assertion, number: number): { at: number; text: string }[] {
  const around = ({ start, end }: Node, before: string, after: string) => [
    { at: start, text: before },
    { at: end, text: after },
  ]
  if (form === 'over all answers')
    return around((node.arguments as Node[]).at(-1)!, `${name('overAllAnswers')}(${number}, `, ')')
  return awaits(node)
    ? around(node, `(await ${name('inCase')}(${number}, async () => `, '))')
    : around(node, `${name('inCase')}(${number}, () => `, ')')
}

/** True for a call that waits for one of its own arguments. */
function awaits(node: Node): boolean {
  return childrenOf(node).some((child) => child.type === 'AwaitExpression' || (!isFunction(child) && awaits(child)))
}
