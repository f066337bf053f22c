import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { collectHeaders } from '../../cli/input/collect.ts'
import { contractOfSuite, packageRoot } from '../../cli/input/package.ts'
import { matchesGlob } from '../../helpers/requirement/selection.ts'
import { rights, rightsInWords } from '../../reports/judge/token-rights.ts'
import { generateRequirements } from '../support/generate-requirements.ts'

const folder = join(packageRoot, 'docs')
const page = join(folder, 'requirements.md')
const guides = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.md') && file !== 'requirements.md')
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

test('the page of the requirements is fresh', async () => {
  const fresh = generateRequirements(await collectHeaders(), contractOfSuite())
  if (process.env.UPDATE_DOCS === '1') writeFileSync(page, fresh)
  const there = existsSync(page) ? readFileSync(page, 'utf8') : ''

  expect(there === fresh, 'docs/requirements.md is not what the specs say: run npm run docs').toBe(true)
})

test('the table of rights in the guide is fresh', () => {
  const guide = join(folder, 'staging-in-ci.md')
  const [begin, end] = ['   <!-- rights: npm run docs -->\n', '   <!-- /rights -->']
  const rows = Object.entries(rights).map(([part, own]) => `   | \`${part}\` | ${rightsInWords(own)} |\n`)
  const table = `   | part | what the token must be allowed to do below \`RMAPI_GROUP_UID\`, and to read |\n   |---|---|\n${rows.join('')}`
  const text = read('staging-in-ci.md')
  const [before, after] = [text.indexOf(begin) + begin.length, text.indexOf(end)]
  if (process.env.UPDATE_DOCS === '1') writeFileSync(guide, text.slice(0, before) + table + text.slice(after))

  expect(read('staging-in-ci.md').slice(before).startsWith(table), 'run npm run docs').toBe(true)
})

test('each requirement is on the page once', async () => {
  const headers = await collectHeaders()
  const rows = readFileSync(page, 'utf8').matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)
  const ids = [...rows].flatMap(([, base = '', asked = '']) => {
    const kinds = asked.split('<br>').flatMap((binding) => binding.split(': ')[1]?.split(', ') ?? ['groups'])
    return kinds.map((kind) => (kind === 'groups' ? base : base + kind))
  })

  expect(ids.sort()).toEqual(headers.map(({ id }) => id).sort())
})

test.each(guides)('what %s links to and names is there', async (guide) => {
  const text = read(guide)
  const ids = (await collectHeaders()).map(({ id }) => id)
  const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, file]) => file!)
  const globs = [...text.matchAll(/--(?:only|skip) '?([\w.@*-]+)/g)].map(([, glob]) => glob!)
  const verbs = [...text.matchAll(/(?:npx --no-install rmapi-conformance|npx \.) (\w+)/g)].map(([, verb]) => verb!)
  const main = readFileSync(join(packageRoot, 'cli/main.ts'), 'utf8')

  expect(links.filter((file) => !existsSync(join(folder, dirname(guide), file)))).toEqual([])
  expect(globs.filter((glob) => !ids.some((id) => matchesGlob(id, glob)))).toEqual([])
  expect(verbs.filter((verb) => !main.includes(`add${verb[0]!.toUpperCase()}${verb.slice(1)}(`))).toEqual([])
})

/** The pages that people write: the guides, and those at the root. */
const written = [
  ...guides.map((guide) => join('docs', guide)),
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
]

/** What GitHub makes of the headings of a page. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )

test('the headings that the pages link to are there', () => {
  const missing = written.flatMap((path) => {
    const text = readFileSync(join(packageRoot, path), 'utf8')
    const links = [...text.matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)]
    return links.flatMap(([link, file = '', anchor = '']) => {
      const linked = file === '' ? text : readFileSync(join(packageRoot, dirname(path), file), 'utf8')
      return anchorsOf(linked).includes(anchor) ? [] : [`${path}: ${link}`]
    })
  })

  expect(missing).toEqual([])
})

const odd =
  /\b(tells?|told|untold|stands?|bears?|meets?|anew|the like|whoever|that never was|but for)\b|, too\b|, for /i

test('the pages are in plain English', () => {
  const found = written.flatMap((path) =>
    // what is quoted as code is not prose
    readFileSync(join(packageRoot, path), 'utf8')
      .replace(/^ *```[\s\S]*?^ *```/gm, '')
      .replace(/`[^`]*`/g, '')
      .split('\n')
      .flatMap((line) => (odd.test(line) ? [`${path}: ${line}`] : [])),
  )

  expect(found).toEqual([])
  expect(odd.test('What it tells, too')).toBe(true)
})
