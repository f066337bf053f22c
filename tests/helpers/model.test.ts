import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changing, reading, stories } from '../../helpers/stories/commands.ts'
import {
  after,
  bare,
  type Command,
  childrenIn,
  descendantsIn,
  descriptionOf,
  fitting,
  inWords,
  nameOf,
  relettered,
  runGroup,
  type Tree,
} from '../../helpers/stories/tree.ts'

const create = (group: string, below = runGroup, described = false): Command => ({
  does: 'create',
  group,
  below,
  described,
})
const rename = (group: string, masked = false): Command => ({ does: 'rename', group, masked })
const does = (what: 'delete' | 'clear' | 'rewrite' | 'refused delete' | 'find former', group: string): Command => ({
  does: what,
  group,
})
const grown = (...commands: Command[]): Tree => commands.reduce((tree, command) => after(tree, command) ?? tree, bare)
const labels = (groups: readonly { label: string }[]) => groups.map(({ label }) => label)

describe('the tree', () => {
  const tree = grown(create('A'), create('B', 'A', true), create('C', 'B'), create('D'))

  test('holds what was created, where it was created', () => {
    expect(labels(childrenIn(tree, runGroup))).toEqual(['A', 'D'])
    expect(labels(descendantsIn(tree, 'A'))).toEqual(['B', 'C'])
    expect(labels(descendantsIn(tree, runGroup))).toEqual(['A', 'B', 'C', 'D'])
  })

  test('follows names and descriptions', () => {
    const b = grown(create('A'), create('B', 'A', true), rename('B'), does('rewrite', 'B')).groups.get('B')!

    expect([nameOf(b), nameOf(b, 1), descriptionOf(b)]).toEqual(['b3', 'b1', 'description 2 of B'])
    expect(descriptionOf({ ...b, described: false })).toBe('')
  })

  test('forgets what was deleted, and remembers that it was', () => {
    const { groups, gone } = grown(create('A'), rename('A'), does('delete', 'A'))

    expect([...groups.keys()]).toEqual([])
    expect(nameOf(gone.get('A')!)).toBe('a2')
  })

  test.each<[string, Command]>([
    ['delete a group that is not empty', does('delete', 'A')],
    ['expect the delete of a leaf to be refused', does('refused delete', 'D')],
    ['create below what is not there', create('E', 'Z')],
    ['create a fourth level', create('E', 'C')],
    ['create a group twice', create('A')],
    ['rename the scratch group', rename(runGroup)],
    ['look for former names of what was never renamed', does('find former', 'A')],
    ['skip as many as there are', { does: 'skip', group: runGroup, order: undefined, size: 1, skip: 4 }],
  ])('does not let a story %s', (_what, command) => {
    expect(after(tree, command)).toBeUndefined()
  })

  test('is never changed by what does not fit, and what follows is left out too', () => {
    const commands = [create('A'), create('B', 'Z'), rename('B'), does('delete', 'A'), rename('A')]

    expect(fitting(commands)).toEqual([create('A'), does('delete', 'A')])
  })

  test('gets the letters of the order of creation', () => {
    const commands = [create('C'), create('F', 'C'), does('refused delete', 'C'), rename('F')]

    expect(relettered(commands)).toEqual([create('A'), create('B', 'A'), does('refused delete', 'A'), rename('B')])
  })
})

test('a command reads as a sentence', () => {
  const tree = grown(create('A'), create('B', 'A'), rename('B'))

  expect(inWords(create('C', 'A', true), tree)).toBe('create group C, named c1 and described, below A')
  expect(inWords(rename('B'), tree)).toBe('rename B from b2 to b3')
  expect(inWords(does('refused delete', 'A'), tree)).toBe('try to delete A, which is not empty')
  expect(inWords({ does: 'walk', group: runGroup, order: 'name desc', size: 2 }, tree)).toBe(
    'walk what is below the scratch group, ordered by name desc, 2 to a page',
  )
})

describe.each([
  ['changing', changing],
  ['reading', reading],
])('stories that are %s', (_name, leaning) => {
  const drawn = (seed: number) => fc.sample(stories(leaning, 22), { seed, numRuns: 20 })

  test('fit from the first command to the last', () => {
    for (const story of drawn(3)) expect(fitting(story)).toEqual(story)
  })

  test('are of the length that was asked for, and the same ones with the same seed', () => {
    expect(drawn(4).map(({ length }) => length)).toEqual(Array(20).fill(22))
    expect(drawn(4)).toEqual(drawn(4))
    expect(drawn(4)).not.toEqual(drawn(5))
  })

  test('do together everything that they may do', () => {
    const done = new Set(drawn(6).flatMap((story) => story.map((command) => command.does)))

    expect([...done].sort()).toEqual(Object.keys(leaning).sort())
  })

  test('still fit when anything is taken out and what hangs on it', () => {
    for (const story of drawn(7)) {
      story.forEach((_, at) => {
        const rest = fitting(story.filter((_, index) => index !== at))
        expect(fitting(rest)).toEqual(rest)
      })
    }
  })
})
