/** A group of a story, by the letter that the story calls it: never its name, and never its uid. */
export interface Grown {
  readonly label: string
  /** The letter of the group above it; `ground` is the scratch group. */
  readonly below: string
  /** How many names it has had; the last one is `nameOf`. */
  readonly names: number
  /** How many descriptions it has had; 0 where it has none now. */
  readonly texts: number
  readonly described: boolean
}

/** What a story has made: by letter, in the order of creation. */
export interface Tree {
  readonly groups: ReadonlyMap<string, Grown>
  /** What was deleted, as it was last. */
  readonly gone: ReadonlyMap<string, Grown>
}

/** The letter of the scratch group, in which every story happens. */
export const runGroup = 'ground'

/** What a story can do to the tree; the letters say with which group. */
export type Command =
  | { does: 'create'; group: string; below: string; described: boolean }
  | { does: 'rename' | 'describe'; group: string; masked: boolean }
  | { does: 'rewrite' | 'clear' | 'delete'; group: string }
  | { does: 'refused delete' | 'refused rename' | 'refused create'; group: string }
  | { does: 'get' | 'find' | 'find former' | 'list children' | 'list descendants'; group: string }
  | { does: 'walk'; group: string; order: string | undefined; size: number }
  | { does: 'skip'; group: string; order: string | undefined; size: number; skip: number }

/** A tree in which nothing stands yet. */
export const bare: Tree = { groups: new Map(), gone: new Map() }

/** The deepest that a story builds below the scratch group: how deep a tree may be is not shown (R56). */
const deepest = 3

/** The word that stands for the name of a group, its present one unless an earlier one is asked for, counted from 1. */
export const nameOf = ({ label, names }: Grown, which = names) => `${label.toLowerCase()}${which}`

/** The description of a group; empty where it has none. */
export const descriptionOf = ({ label, texts, described }: Grown) =>
  described ? `description ${texts} of ${label}` : ''

/** The groups right below one. */
export const childrenIn = ({ groups }: Tree, label: string) =>
  [...groups.values()].filter(({ below }) => below === label)

/** The groups anywhere below one. */
export function descendantsIn(tree: Tree, label: string): Grown[] {
  return childrenIn(tree, label).flatMap((child) => [child, ...descendantsIn(tree, child.label)])
}

/** The tree after a command; undefined where the command does not fit there. */
export function after(tree: Tree, command: Command): Tree | undefined {
  if (command.does === 'create') return created(tree, command)
  // an empty page may be refused (R20)
  if (command.does === 'skip' && command.skip >= descendantsIn(tree, command.group).length) return undefined
  const group = tree.groups.get(command.group)
  if (command.does === 'find former') {
    return ((group ?? tree.gone.get(command.group))?.names ?? 0) > (group ? 1 : 0) ? tree : undefined
  }
  if (group === undefined) return command.group === runGroup && ofTheGround.has(command.does) ? tree : undefined
  const withChanges = (changes: Partial<Grown>): Tree => ({
    ...tree,
    groups: new Map(tree.groups).set(group.label, { ...group, ...changes }),
  })
  const named = { names: group.names + 1 }
  const described = { texts: group.texts + 1, described: true }
  switch (command.does) {
    case 'rename':
      return withChanges(named)
    case 'describe':
      return withChanges(described)
    case 'rewrite':
      return withChanges({ ...named, ...described })
    case 'clear':
      // an Update of nothing may be refused (R26)
      return group.described ? withChanges({ described: false }) : undefined
    case 'delete':
      return childrenIn(tree, group.label).length === 0 ? deleted(tree, group) : undefined
    case 'refused delete':
      return childrenIn(tree, group.label).length > 0 ? tree : undefined
    default:
      return tree
  }
}

/** What can be done to the scratch group itself, which no story changes. */
const ofTheGround = new Set<Command['does']>(['refused create', 'list children', 'list descendants', 'walk', 'skip'])

function created(tree: Tree, { group, below, described }: Command & { does: 'create' }): Tree | undefined {
  const there = below === runGroup || tree.groups.has(below)
  if (!there || depthOf(tree, below) >= deepest || tree.groups.has(group) || tree.gone.has(group)) return undefined
  const grown: Grown = { label: group, below, names: 1, texts: described ? 1 : 0, described }
  return { ...tree, groups: new Map(tree.groups).set(group, grown) }
}

function deleted({ groups, gone }: Tree, group: Grown): Tree {
  const left = new Map(groups)
  left.delete(group.label)
  return { groups: left, gone: new Map(gone).set(group.label, group) }
}

function depthOf({ groups }: Tree, label: string): number {
  let depth = 0
  for (let at = groups.get(label); at; at = groups.get(at.below)) depth++
  return depth
}

/** The commands that fit one after the other; what no longer does, because something before it is missing, is left out. */
export function fitting(commands: readonly Command[]): Command[] {
  let tree = bare
  return commands.filter((command) => {
    const next = after(tree, command)
    tree = next ?? tree
    return next !== undefined
  })
}

/** The same commands with the groups lettered in the order in which they are created. */
export function relettered(commands: readonly Command[]): Command[] {
  const letters = new Map<string, string>([[runGroup, runGroup]])
  for (const command of commands) {
    if (command.does === 'create') letters.set(command.group, letterOf(letters.size - 1))
  }
  const letter = (label: string) => letters.get(label) ?? label
  return commands.map((command) =>
    command.does === 'create'
      ? { ...command, group: letter(command.group), below: letter(command.below) }
      : { ...command, group: letter(command.group) },
  )
}

/** The letter of the group that a story creates as its first, second, … (counted from 0). */
export const letterOf = (index: number) => String.fromCharCode(65 + index)

/** A group in a sentence. */
export const called = (label: string) => (label === runGroup ? 'the scratch group' : label)

/** A command in plain words, as it reads in the tree before it. */
export function inWords(command: Command, tree: Tree): string {
  const grown = tree.groups.get(command.group) ?? tree.gone.get(command.group)
  const name = grown ? nameOf(grown) : ''
  const next = grown ? nameOf(grown, grown.names + 1) : ''
  const who = called(command.group)
  switch (command.does) {
    case 'create':
      return `create group ${who}, named ${command.group.toLowerCase()}1${command.described ? ' and described' : ''}, below ${called(command.below)}`
    case 'rename':
      return `rename ${who} from ${name} to ${next}${command.masked ? ', under updateMask=name with a description that the mask leaves out' : ''}`
    case 'describe':
      return `describe ${who} anew${command.masked ? ', under updateMask=description with a name that the mask leaves out' : ''}`
    case 'rewrite':
      return `rename ${who} from ${name} to ${next} and describe it anew, both in one Update`
    case 'clear':
      return `clear the description of ${who}, under updateMask=description`
    case 'delete':
      return `delete ${who}`
    case 'refused delete':
      return `try to delete ${who}, which is not empty`
    case 'refused rename':
      return `try to rename ${who} to a name with @ and a capital`
    case 'refused create':
      return `try to create a group with a bad name below ${who}`
    case 'get':
      return `get ${who}`
    case 'find':
      return `list name=${name} below the scratch group`
    case 'find former':
      return `list every name below the scratch group that ${who} no longer bears`
    case 'list children':
      return `list the children of ${who}`
    case 'list descendants':
      return `list what is below ${who}`
    case 'walk':
      return walkInWords(command)
    case 'skip':
      return skipInWords(command)
  }
}

/** A walk in plain words. */
export function walkInWords({ group, order, size }: Omit<Command & { does: 'walk' }, 'does'>): string {
  return `walk what is below ${called(group)}${ordered(order)}, ${size} to a page`
}

/** A list with skip in plain words. */
export function skipInWords({ group, order, size, skip }: Command & { does: 'skip' }): string {
  return `list what is below ${called(group)}${ordered(order)}, with skip=${skip} and page_size=${size}`
}

const ordered = (order: string | undefined) => (order === undefined ? '' : `, ordered by ${order}`)
