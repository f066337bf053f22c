import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { packageRoot } from '../../cli/input/package.ts'
import { assertingIn, filesBelow, importedFile, statingIn } from './asserting.ts'
import { callsIn, type Form, formOf, type Offered } from './calls.ts'
import { globsOf } from './globs.ts'
import { childrenOf, importsIn, type Node, nameDeclaredBy, namesIn, parsed } from './syntax.ts'

/** The folder of all compiled files. */
const dist = join(packageRoot, 'dist')

/** A compiled spec. */
export interface Spec {
  /** Its path below the folder of all compiled files. */
  path: string
  source: string
}

/** One assertion of a spec. */
export interface Assertion {
  spec: Spec
  node: Node
  form: Form
  /** The requirements that it belongs to, by glob. */
  ids: string[]
}

/** A requirement as a spec states it. */
export interface Stated {
  /** By glob, because one statement may be made for several kinds. */
  ids: string[]
  /** True if it has an assertion that can be left out. */
  asserted: boolean
}

/** The compiled specs, and what the helpers beside them offer. */
export function readSpecs(): { specs: Spec[]; offered: Offered } {
  const files = filesBelow(join(dist, 'specs')).filter((file) => file.endsWith('.spec.js'))
  const specs = files.sort().map((file) => ({
    path: relative(dist, file).replaceAll('\\', '/'),
    source: readFileSync(file, 'utf8'),
  }))
  return { specs, offered: { asserting: assertingIn(dist), stating: statingIn(dist) } }
}

/** A call that states a requirement. */
interface Statement {
  node: Node
  ids: string[]
  /** The names that it uses. */
  uses: ReadonlySet<string>
}

/** An assertion, and the nodes around it, the outermost first. */
interface Place {
  node: Node
  form: Form
  above: readonly Node[]
}

/** The assertions of a spec, and the requirements that it states. */
export function assertionsIn(spec: Spec, offered: Offered): { assertions: Assertion[]; stated: Stated[] } {
  const tree = parsed(spec.source)
  const isCall = callsIn(spec.path, tree)
  const imports = new Map(importsIn(tree).map(({ local, from }) => [local, importedFile(spec.path, from)]))
  const imported = (name: string) => treeOf(imports.get(name))
  const statements: Statement[] = []
  const places: Place[] = []
  const declared = new Map<string, ReadonlySet<string>>()
  visit(tree, [])
  const all = statements.flatMap(({ ids }) => ids)
  const owners = new Map(places.map((place) => [place, ownersOf(place, statements, declared)]))
  const assertions = places.map((place): Assertion => {
    const { node, form } = place
    const ids = owners.get(place)!.flatMap((owner) => owner.ids)
    // an assertion that belongs to none may belong to any
    return { spec, node, form, ids: ids.length > 0 ? [...new Set(ids)] : all }
  })
  const asserted = new Set([...owners.values()].flat())
  return { assertions, stated: statements.map((each) => ({ ids: each.ids, asserted: asserted.has(each) })) }

  function visit(node: Node, above: readonly Node[]): void {
    const name = nameDeclaredBy(node)
    if (name !== undefined) declared.set(name, namesIn(node))
    if (isCall(node, offered.stating))
      statements.push({ node, ids: globsOf(node, above, imported), uses: namesIn(node) })
    const form = formOf(node, isCall, offered)
    if (form !== undefined) places.push({ node, form, above })
    for (const child of childrenOf(node)) visit(child, [...above, node])
  }
}

/** The requirements that an assertion belongs to: the one around it, or those that use what holds it. */
function ownersOf(
  { node, above }: Place,
  statements: readonly Statement[],
  declared: ReadonlyMap<string, ReadonlySet<string>>,
): Statement[] {
  const around = statements.filter((statement) => statement.node === node || above.includes(statement.node))
  const holder = above.map(nameDeclaredBy).find((name) => name !== undefined)
  if (around.length > 0 || holder === undefined) return around
  return statements.filter(({ uses }) => allUsedBy(uses, declared).has(holder))
}

/** The tree of a compiled file of ours. */
function treeOf(path: string | undefined): Node | undefined {
  const file = join(dist, path ?? '')
  return path?.endsWith('.js') && existsSync(file) ? parsed(readFileSync(file, 'utf8')) : undefined
}

/** Some names, and those that their declarations use. */
function allUsedBy(names: ReadonlySet<string>, declared: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const all = new Set(names)
  for (const name of all) for (const used of declared.get(name) ?? []) all.add(used)
  return all
}
