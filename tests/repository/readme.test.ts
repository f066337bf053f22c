import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Setting, settings } from '../../helpers/settings/settings.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']

/** The text of one requirement, as it is in its spec. */
function caseIn(file: string, id: string): string {
  const cases = read(file).split(/\n(?=requirement)/)
  const found = cases.find((text) => text.includes(`id: '${id}'`))
  if (found === undefined) throw new Error(`${file} states no ${id}`)
  return found.trim()
}

test('the case that CONTRIBUTING.md shows is the one in the specs, letter for letter', () => {
  const shown = [...read('CONTRIBUTING.md').matchAll(/<!-- case: (\S+) (\S+) -->\n```ts\n([\s\S]*?)\n?```/g)]

  expect(shown).toHaveLength(1)
  for (const [, file, id, text] of shown) expect(text).toBe(caseIn(file!, id!))
})

test('the README fits on a few screens', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(131)
})

test.each(pages)('the files that %s links to are there', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, file]) => file!)

  for (const file of links) expect(read(file).length, file).toBeGreaterThan(0)
})

test.each(pages)('the scripts that %s names exist', (page) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = [...read(page).matchAll(/npm run ([\w:]+)|npm (test)/g)].map(([, run, test]) => run ?? test!)

  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named))
})

test('the tests that SECURITY.md names are there', () => {
  const tests = readdirSync(join(root, 'tests'), { recursive: true }).map((path) => String(path).split('/').at(-1)!)
  const named = [...read('SECURITY.md').matchAll(/`([\w-]+\.test\.ts)`/g)].map(([, file]) => file!)

  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((file) => !tests.includes(file))).toEqual([])
})

test('.env.example shows every setting once, as the suite explains it', () => {
  const shown = [...read('.env.example').matchAll(/^# (.*)\n# ([A-Z_]+)=(.*)$/gm)].map(([, says, name, example]) => ({
    name,
    says,
    example,
  }))

  expect(shown).toEqual(Object.entries<Setting>(settings).map(([name, { says, example }]) => ({ name, says, example })))
})
