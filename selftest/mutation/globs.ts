import { childrenOf, literalIn, type Node, nameOf, namesIn } from './syntax.ts'

/** The tree of the file of ours that a name is imported from; undefined for any other name. */
export type Imported = (name: string) => Node | undefined

/** The ids that a statement gives to requirements, by glob: what is put together from parts has a star for each. */
export function globsOf(statement: Node, above: readonly Node[], imported: Imported): string[] {
  const lists = above.filter(({ type }) => type === 'ForOfStatement').map(({ right }) => right as Node)
  const globs = [
    () => (statement.arguments as Node[]).flatMap(idIn),
    () => literalsIn(lists),
    () => lists.flatMap((list) => idsImported(list, imported)),
    () => literalsIn(above),
  ].reduce<string[]>((found, look) => (found.length > 0 ? found : look()), [])
  // the same claim on another kind ends in its name
  return globs.flatMap((glob) => [glob, `${glob}@*`])
}

/** The id in a header, where it is written there. */
function idIn(header: Node): string[] {
  if (header.type !== 'ObjectExpression') return []
  const id = (header.properties as Node[]).find(({ type, key }) => type === 'Property' && nameOf(key as Node) === 'id')
  const value = id?.value as Node | undefined
  if (value?.type === 'TemplateLiteral') return [(value.quasis as Node[]).map(textOf).join('*')]
  const literal = literalIn(value)
  return literal === undefined ? [] : [literal]
}

/** The ids of headers in the files from which a list is imported. */
function idsImported(list: Node, imported: Imported): string[] {
  const trees = [...namesIn(list)].map(imported)
  return trees.flatMap((tree) => (tree === undefined ? [] : idsBelow(tree))).filter((id) => id.includes('.'))
}

const idsBelow = (node: Node): string[] => [...idIn(node), ...childrenOf(node).flatMap(idsBelow)]

const textOf = ({ value }: Node) => String((value as unknown as { cooked: string }).cooked)

/** What looks like an id in the innermost of some nodes that hold any. */
function literalsIn(nodes: readonly Node[]): string[] {
  for (const node of [...nodes].reverse()) {
    const literals = literalsBelow(node).filter((text) => /^[a-zA-Z0-9]+(\.[a-z0-9-]+)+(@[a-zA-Z]+)?$/.test(text))
    if (literals.length > 0) return literals
  }
  return []
}

function literalsBelow(node: Node): string[] {
  const literal = literalIn(node)
  return literal === undefined ? childrenOf(node).flatMap(literalsBelow) : [literal]
}
