import { parseAst } from 'vitest/node'

/** A node of a syntax tree in the form of ESTree. */
export interface Node {
  type: string
  start: number
  end: number
  [member: string]: unknown
}

/** The syntax tree of a compiled file. */
export const parsed = (source: string) => parseAst(source) as unknown as Node

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** The nodes directly below a node. */
export const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

/** True for a function of any form. */
export const isFunction = ({ type }: Node) =>
  ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(type)

/** The name of an identifier, a private one with its hash; '' of any other node. */
export function nameOf({ type, name }: Node): string {
  if (type === 'PrivateIdentifier') return `#${String(name)}`
  return type === 'Identifier' ? String(name) : ''
}

/** The text of a string literal; undefined for any other node. */
export const literalIn = (node: Node | undefined) =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined

/** The member that a call reaches through a dot, as `expect(…).toBe()` reaches `toBe`; '' for any other call. */
export function memberCalled({ type, callee }: Node): string {
  if (type !== 'CallExpression') return ''
  const { type: called, computed, property } = callee as Node
  return called === 'MemberExpression' && computed === false ? nameOf(property as Node) : ''
}

/** The names that an import brings into a file, by where they come from. */
export function importsIn(tree: Node): { local: string; imported: string; from: string }[] {
  return childrenOf(tree)
    .filter(({ type }) => type === 'ImportDeclaration')
    .flatMap((declaration) =>
      (declaration.specifiers as Node[]).map(({ local, imported }) => ({
        local: nameOf(local as Node),
        imported: isNode(imported) ? nameOf(imported) : 'default',
        from: literalIn(declaration.source as Node)!,
      })),
    )
}

/** The function that a node declares by name, as `function f() {}` or `const f = () => {}`. */
export function functionDeclaredBy(node: Node): string | undefined {
  const isVariable = node.type === 'VariableDeclarator' && isNode(node.init) && isFunction(node.init)
  if (!isVariable && node.type !== 'FunctionDeclaration') return undefined
  return isNode(node.id) ? nameOf(node.id) : undefined
}

/** The function that a node declares as a member of an object or a class. */
export function methodDeclaredBy({ type, key, value, computed }: Node): string | undefined {
  if (!['Property', 'MethodDefinition', 'PropertyDefinition'].includes(type) || computed === true) return undefined
  return isNode(value) && isFunction(value) ? nameOf(key as Node) || literalIn(key as Node) : undefined
}

/** What a node declares by name: a function, or a variable. */
export function nameDeclaredBy({ type, id }: Node): string | undefined {
  const declares = type === 'VariableDeclarator' || type === 'FunctionDeclaration'
  return declares && isNode(id) ? nameOf(id) || undefined : undefined
}

/** Every name in a part of a file. */
export function namesIn(node: Node): Set<string> {
  const names = new Set<string>()
  const visit = (each: Node) => {
    if (nameOf(each) !== '') names.add(nameOf(each))
    childrenOf(each).forEach(visit)
  }
  visit(node)
  return names
}
