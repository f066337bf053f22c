import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Setting, settings } from '../../helpers/settings/settings.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const readme = read('README.md')

/** The text of one requirement, as it stands in its spec. */
function caseIn(file: string, id: string): string {
  const cases = read(file).split(/\n(?=requirement)/)
  const found = cases.find((text) => text.includes(`id: '${id}'`))
  if (found === undefined) throw new Error(`${file} states no ${id}`)
  return found.trim()
}

test('the case that the README shows is the one in the specs, letter for letter', () => {
  const shown = [...readme.matchAll(/<!-- case: (\S+) (\S+) -->\n```ts\n([\s\S]*?)\n?```/g)]

  expect(shown).toHaveLength(1)
  for (const [, file, id, text] of shown) expect(text).toBe(caseIn(file!, id!))
})

test('the files that the README links to are there', () => {
  const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, file]) => file!)

  expect(links.length).toBeGreaterThan(5)
  for (const file of links) expect(read(file).length, file).toBeGreaterThan(0)
})

test('the scripts that the README names exist', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = [...readme.matchAll(/npm run (\w+)|npm (test)/g)].map(([, run, test]) => run ?? test!)

  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named))
})

test('.env.example shows every setting once, as the suite explains it', () => {
  const shown = [...read('.env.example').matchAll(/^# (.*)\n# ([A-Z_]+)=(.*)$/gm)].map(([, says, name, example]) => ({
    name,
    says,
    example,
  }))

  expect(shown).toEqual(Object.entries<Setting>(settings).map(([name, { says, example }]) => ({ name, says, example })))
})
