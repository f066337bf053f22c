import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import {
  childrenOf,
  functionDeclaredBy,
  importsIn,
  literalIn,
  memberCalled,
  methodDeclaredBy,
  type Node,
  nameOf,
  parsed,
} from './syntax.ts'

/** Functions of the compiled helpers that share a property, such as that they can fail a case. */
export interface Functions {
  /** True for a function that a file exports. */
  exports(file: string, name: string): boolean
  /** The members of objects, where each member of that name is such a function. */
  methods: ReadonlySet<string>
  /** The fixtures that are such functions. */
  fixtures: ReadonlySet<string>
}

/** Functions by a descriptive key, with the keys of those that each one uses. */
type Uses = Map<string, Set<string>>

const ofFile = (file: string, name: string) => `${file} ${name}`
const ofMethod = (name: string) => `.${name}`
const ofFixture = (name: string) => `fixture ${name}`
const isMethodName = (key: string) => key.startsWith('.') && !key.includes(' ')
/** One of several methods of the same name. */
const ofDefinition = (name: string, file: string, at: number) => `.${name} ${file} ${at}`

/**
 * The functions that can fail a case: those that end in `expect` or `violated`, through any number of others, and those
 * that hand out something shared, which fail if making it failed.
 */
export function assertingIn(dist: string): Functions {
  const found = usersOf(
    [ofFile('vitest', 'expect'), ofFile('helpers/assertions/violation.js', 'violated')],
    usesIn(dist),
  )
  const isHandOut = (file: string, name: string) => file === 'helpers/arrange/shared.js' && name === 'handOut'
  return { ...found, exports: (file, name) => isHandOut(file, name) || found.exports(file, name) }
}

/** The functions that state a requirement. */
export const statingIn = (dist: string) => usersOf([ofFile('helpers/case/requirement.js', 'requirement')], usesIn(dist))

function usersOf(roots: readonly string[], uses: Uses): Functions {
  const found = new Set(roots)
  const has = (key: string) => found.has(key)
  // which method of a name is called is not known: all of them have to be such functions
  const isOne = (key: string, used: readonly string[]) => (isMethodName(key) ? used.every(has) : used.some(has))
  for (let before = 0; before < found.size; ) {
    before = found.size
    for (const [key, used] of uses) if (isOne(key, [...used])) found.add(key)
  }
  const named = (prefix: string) =>
    [...found].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
  return {
    exports: (file, name) => found.has(ofFile(file, name)),
    methods: new Set(named(ofMethod('')).filter((name) => !name.includes(' '))),
    fixtures: new Set(named(ofFixture(''))),
  }
}

/** What each function of the helpers uses, and of what specs share. */
function usesIn(dist: string): Uses {
  const uses: Uses = new Map()
  const files = ['helpers', 'specs'].flatMap((folder) => filesBelow(join(dist, folder)))
  for (const path of files.filter((name) => /(?<!\.spec)\.js$/.test(name)))
    noteUses(uses, relative(dist, path).replaceAll('\\', '/'), parsed(readFileSync(path, 'utf8')))
  return uses
}

/** The files below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

/** Where an import leads, seen from the folder of all compiled files. */
export const importedFile = (file: string, from: string) =>
  from.startsWith('.') ? join(dirname(file), from).replaceAll('\\', '/') : from

function noteUses(uses: Uses, file: string, tree: Node): void {
  const imported = new Map(
    importsIn(tree).map(({ local, ...it }) => [local, ofFile(importedFile(file, it.from), it.imported)]),
  )
  visit(tree, ofFile(file, ''))

  function usedBy(key: string): Set<string> {
    const used = uses.get(key) ?? new Set()
    uses.set(key, used)
    return used
  }

  function visit(node: Node, owner: string): void {
    const own = keyOf(node) ?? owner
    const fixture = fixtureDeclaredBy(node)
    const used = usedBy(own)
    const name = nameOf(node)
    if (name !== '') used.add(imported.get(name) ?? ofFile(file, name))
    if (memberCalled(node) !== '') used.add(ofMethod(memberCalled(node)))
    for (const child of childrenOf(node)) {
      // a fixture is what `.extend('its name', …)` is given, not the chain before it
      if (!isLabel(node, child)) visit(child, fixture !== undefined && child !== node.callee ? ofFixture(fixture) : own)
    }
  }

  function keyOf(node: Node): string | undefined {
    const declared = functionDeclaredBy(node)
    if (declared !== undefined) return ofFile(file, declared)
    const method = methodDeclaredBy(node)
    if (method === undefined) return undefined
    const definition = ofDefinition(method, file, node.start)
    usedBy(ofMethod(method)).add(definition)
    return definition
  }
}

/** True for the name of a member, which does not use anything of that name. */
function isLabel(node: Node, child: Node): boolean {
  return (child === node.property || child === node.key) && node.computed !== true
}

/** The fixture that a call declares, as `.extend('its name', …)`. */
const fixtureDeclaredBy = (node: Node) =>
  memberCalled(node) === 'extend' ? literalIn((node.arguments as Node[])[0]) : undefined
