import fc from 'fast-check'
import { orders } from '../assertions/page-walk.ts'
import { after, bare, type Command, descendantsIn, letterOf, runGroup, type Tree } from './tree.ts'

/** How often each command is drawn against the others, where it fits. */
export type Leaning = Partial<Record<Command['does'], number>>

/** Stories that change the tree in every way that the contract promises. */
export const changing: Leaning = {
  create: 5,
  rename: 6,
  describe: 2,
  rewrite: 2,
  clear: 1,
  delete: 4,
  'refused delete': 6,
  'refused rename': 3,
  'refused create': 2,
  'find former': 1,
}

/** Stories that change a little and read in every way. */
export const reading: Leaning = {
  create: 6,
  rename: 3,
  delete: 3,
  'refused delete': 2,
  'refused create': 1,
  get: 1,
  find: 2,
  'find former': 2,
  'list children': 1,
  'list descendants': 1,
  walk: 4,
  skip: 4,
}

/** The most groups that stand at once. */
const mostGroups = 4

/** Three numbers from 0 up to 1: which command, of which group, and how. */
type Dice = readonly [number, number, number]

const die = fc.nat(9_999).map((face) => face / 10_000)

/** How a story leans more than others: each command is left out, or given as often as it leans, or thrice that. */
const moods = fc.infiniteStream(fc.constantFrom(0, 1, 1, 1, 3))

/**
 * Stories of so many commands, each of which fits where it stands. No two lean alike: what a fault needs is rarely in
 * stories that do a little of everything.
 */
export function stories(leaning: Leaning, length: number): fc.Arbitrary<Command[]> {
  const dice = fc.array(fc.tuple(die, die, die), { minLength: length, maxLength: length })
  return fc.noBias(fc.tuple(dice, moods)).map(([rolled, mood]) => {
    const own = Object.entries(leaning).map(([does, weight]) => [
      does,
      does === 'create' ? weight : weight * mood.next().value,
    ])
    return written(rolled, Object.fromEntries(own))
  })
}

function written(rolled: readonly Dice[], leaning: Leaning): Command[] {
  const story: Command[] = []
  let tree = bare
  // whoever was dealt with last comes first: most faults need one group twice
  let hot: string[] = []
  for (const dice of rolled) {
    const command = drawn(dice, leaning, tree, hot)
    tree = after(tree, command)!
    story.push(command)
    hot = [command.group, ...hot.filter((label) => label !== command.group)]
  }
  return story
}

function drawn([which, whom, how]: Dice, leaning: Leaning, tree: Tree, hot: readonly string[]): Command {
  const fits = Object.entries(leaning).flatMap(([does, weight]) => {
    const choices = choicesFor(does as Command['does'], how, tree, hot)
    return choices.length > 0 ? Array.from({ length: weight }, () => choices) : []
  })
  const choices = fits[Math.floor(which * fits.length)]!
  // what is made is spread, what is done keeps to few
  const bias = choices[0]!.does === 'create' ? whom : whom * whom
  return choices[Math.floor(bias * choices.length)]!
}

/** The ways in which a command can be given in a tree, those that concern what was dealt with last in front. */
function choicesFor(does: Command['does'], how: number, tree: Tree, hot: readonly string[]): Command[] {
  const labels = [...hot, runGroup].filter((label, index, all) => all.indexOf(label) === index)
  const next = letterOf(tree.groups.size + tree.gone.size)
  // few groups to which much happens
  if (does === 'create' && tree.groups.size >= mostGroups) return []
  return labels
    .map((label) => spelt(does, label, how, next, tree))
    .filter((command) => after(tree, command) !== undefined)
}

function spelt(does: Command['does'], group: string, how: number, next: string, tree: Tree): Command {
  const order = orders[Math.floor(how * 10) % orders.length]
  const below = does === 'skip' || does === 'walk' ? descendantsIn(tree, group).length : 0
  const size = 1 + (Math.floor(how * 100) % 3)
  switch (does) {
    case 'create':
      return { does, group: next, below: group, described: how < 0.5 }
    case 'rename':
    case 'describe':
      return { does, group, masked: how < 0.5 }
    case 'walk':
      return { does, group, order, size: Math.max(size, Math.ceil(below / 3)) }
    case 'skip':
      return { does, group, order, size, skip: 1 + (Math.floor(how * 1000) % Math.max(1, below - 1)) }
    default:
      return { does, group }
  }
}
