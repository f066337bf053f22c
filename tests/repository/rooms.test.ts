import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type File, sources } from '../support/source-files.ts'

/**
 * The rooms inside a layer, the upper ones first: a file imports from its own room and from lower ones, never from an
 * upper one. What is in no room, as `cli/main.ts`, composes and is above them all.
 */
const rooms: Record<string, readonly string[]> = {
  helpers: [
    'case',
    'explore',
    'generate',
    'expiry',
    'v1',
    'sts',
    'auth',
    'cleanup',
    'arrange',
    'trace',
    'model',
    'invariants',
    'assertions',
    'grpc',
    'api',
    'http',
    'settings',
    'requirement',
  ],
  reports: ['certificate', 'formats', 'model', 'judge', 'text'],
  cli: ['commands', 'explore', 'run', 'trace', 'input'],
}

/** The files that another one imports, types included. */
function importsOf({ path, text }: File): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, from]) =>
    normalize(join(dirname(path), from!)),
  )
}

/** The imports of a file that climb from its room into an upper one. */
function climbs(file: File): string[] {
  const [layer = '', room = ''] = file.path.split('/')
  const order = rooms[layer] ?? []
  const floor = (path: string) => order.indexOf(path.split('/')[1] ?? '')
  return importsOf(file)
    .filter((to) => to.startsWith(`${layer}/`) && order.includes(room) && floor(to) < order.indexOf(room))
    .map((to) => `${file.path}: ${to}`)
}

/** The groups of files that import each other in a circle, types included. */
function circlesIn(all: readonly File[]): string[][] {
  const next = new Map(all.map((file) => [file.path, importsOf(file)]))
  const reached = (from: string) => {
    const seen = new Set<string>()
    const open = [...(next.get(from) ?? [])]
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (seen.has(path)) continue
      seen.add(path)
      open.push(...(next.get(path) ?? []))
    }
    return seen
  }
  const from = new Map(all.map(({ path }) => [path, reached(path)]))
  const inCircle = all.map(({ path }) => path).filter((path) => from.get(path)!.has(path))
  const partners = (path: string) =>
    inCircle.filter((other) => from.get(path)!.has(other) && from.get(other)!.has(path))
  return [...new Set(inCircle.map((path) => partners(path).join(' ')))].map((circle) => circle.split(' '))
}

const generated = (path: string) => path === 'schemas/types.ts' || path.startsWith('schemas/proto/gen/')
const tooLong = ({ path, text }: File) =>
  !generated(path) && text.split('\n').length > 251 ? [`${path}: ${text.split('\n').length - 1} lines`] : []

/** How many source files a folder may hold. */
const mostInFolder = 17

test('no import circle, types included', () => {
  expect(circlesIn(sources)).toEqual([])
  const [one, other] = [
    { path: 'a/one.ts', text: "import type { X } from '../b/other.ts'" },
    { path: 'b/other.ts', text: "import { y } from '../a/one.ts'" },
  ]
  expect(circlesIn([one!, other!])).toEqual([['a/one.ts', 'b/other.ts']])
})

describe('rooms', () => {
  test.each(Object.keys(rooms))('every folder of %s is a room, and no arrow climbs', (layer) => {
    const own = sources.filter(({ path }) => path.startsWith(`${layer}/`) && path.split('/').length > 2)

    expect([...new Set(own.map(({ path }) => path.split('/')[1]))].sort()).toEqual([...rooms[layer]!].sort())
    expect(own.flatMap(climbs)).toEqual([])
  })

  test('an import from an upper room is seen', () => {
    const text = "import { requirement } from '../case/requirement.ts'"
    expect(climbs({ path: 'helpers/http/a.ts', text })).toHaveLength(1)
    expect(climbs({ path: 'helpers/case/a.ts', text })).toEqual([])
  })

  test(`no folder holds more than ${mostInFolder} source files`, () => {
    const folders = new Set(sources.map(({ path }) => dirname(path)))
    const held = (folder: string) => sources.filter(({ path }) => dirname(path) === folder).length
    expect([...folders].filter((folder) => held(folder) > mostInFolder)).toEqual([])
  })
})

test('no file is longer than 250 lines, except generated ones', () => {
  expect(sources.flatMap(tooLong)).toEqual([])
  expect(tooLong({ path: 'helpers/a.ts', text: '\n'.repeat(251) })).toEqual(['helpers/a.ts: 251 lines'])
  expect(tooLong({ path: 'helpers/a.ts', text: '\n'.repeat(250) })).toEqual([])
})
