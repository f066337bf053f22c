import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../cli/input/package.ts'

/** The rooms of `reports/`: one imports those before it, and none after it. */
const rooms = ['text', 'judge', 'model', 'formats', 'certificate']

const folder = join(packageRoot, 'reports')
const sources = rooms.flatMap((room) =>
  readdirSync(join(folder, room), { recursive: true, encoding: 'utf8' }).flatMap((name) =>
    /\.tsx?$/.test(name) ? [join(room, name)] : [],
  ),
)
const placeOf = (path: string) => rooms.indexOf(path.split('/')[0]!)

test.each(rooms)('%s imports no later room', (room) => {
  const own = sources.filter((path) => path.startsWith(`${room}/`))
  const backwards = own.flatMap((path) => {
    const text = readFileSync(join(folder, path), 'utf8')
    const imported = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, from = '']) =>
      normalize(join(dirname(path), from)),
    )
    return imported.filter((other) => placeOf(other) > placeOf(path)).map((other) => `${path} imports ${other}`)
  })

  expect(own).not.toEqual([])
  expect(backwards).toEqual([])
})

test('every source of reports/ is in a room', () => {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))

  expect(all.sort()).toEqual([...sources].sort())
})
