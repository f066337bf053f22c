import { type Functions, importedFile } from './asserting.ts'
import { importsIn, memberCalled, type Node, nameOf } from './syntax.ts'

/** Where an assertion is left out: in a case, by going on when it fails, or over all answers, by finding none wrong. */
export type Form = 'in a case' | 'over all answers'

/** True for a call of one of some functions. */
export type IsCallOf = (node: Node, functions: Functions) => boolean

/** Says what the calls in a spec call: an import, a fixture, or a member of an object. */
export function callsIn(path: string, tree: Node): IsCallOf {
  const imports = new Map(importsIn(tree).map((each) => [each.local, each]))
  return (node, functions) => {
    if (node.type !== 'CallExpression') return false
    if (functions.methods.has(memberCalled(node))) return true
    const name = nameOf(node.callee as Node)
    const { from, imported } = imports.get(name) ?? {}
    if (from === undefined) return functions.fixtures.has(name)
    return functions.exports(importedFile(path, from), imported!)
  }
}

/** What the helpers offer to specs: the functions that can fail a case, and those that state a requirement. */
export interface Offered {
  asserting: Functions
  stating: Functions
}

/** Which kind of assertion a call is; undefined if it is not one. */
export function formOf(node: Node, isCall: IsCallOf, { asserting, stating }: Offered): Form | undefined {
  if (isExpectation(node)) return 'in a case'
  // `expect(…)` alone asserts nothing
  if (!isCall(node, asserting) || nameOf(node.callee as Node) === 'expect') return undefined
  return isCall(node, stating) ? 'over all answers' : 'in a case'
}

/** True for `expect(…).toBe(…)` and the rest of its kind, as a chain; `expect.any(String)` alone asserts nothing. */
function isExpectation({ type, callee }: Node): boolean {
  if (type !== 'CallExpression' || (callee as Node).type !== 'MemberExpression') return false
  let root = callee as Node
  let calls = 0
  while (root.type === 'MemberExpression' || root.type === 'CallExpression') {
    if (root.type === 'CallExpression') calls += 1
    root = (root.type === 'MemberExpression' ? root.object : root.callee) as Node
  }
  return nameOf(root) === 'expect' && calls > 0
}
