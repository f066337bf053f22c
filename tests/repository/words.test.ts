import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { collectHeaders } from '../../cli/input/collect.ts'
import { packageRoot } from '../../cli/input/package.ts'

/** The folders and files whose comments and texts are in plain English. */
const clean = [
  ...['cli', 'helpers', 'specs', 'schemas', 'reports', 'reference', 'selftest', 'bench', 'tests/support', 'docs'],
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'action.yml'],
]

/** What is kept out, each with the reason and what to write instead. */
const odd: [pattern: RegExp, instead: string][] = [
  [/\b(un)?told\b|\btell(s|ing)?\b/i, 'decided, shown, says'],
  [/\b(stands?|stood|standing)\b/i, 'is, is listed, is written'],
  [/\b(bears?|bore)\b/i, 'has, applies to'],
  [/\b(meets?|meeting)\b/i, 'has, finds, is held to'],
  [/\banew\b/i, 'again'],
  [/\bthe like\b/i, 'such'],
  [/\bwhoever\b|\bwhomever\b/i, 'who, anyone who'],
  [/\bthat never was\b/i, 'unknown'],
  [/\bbut for\b/i, 'except for'],
  [/\bhangs? on\b/i, 'depends on'],
  [
    /[,:] for (it|its|they|their|the|that|those|there|none|neither|nothing|this|these|each|only|all|some|such|many|others?|another|what|whom|a|an|no|results)\b(?! (shields|browser|developer|run|help|resume))/i,
    'because',
  ],
  [/, too(?=[.,;:!?)]|$)/, 'also, as well'],
]

/** The words that no name may have either, as parts of it. */
const oddNames = /^((un)?told|tells?|telling|stands|bears|anew|whoever)$/i

/** Names in published files, which stay as they are: values of reports and comparisons, and a member of `resumed`. */
const published = new RegExp(
  [
    /(['"`])(un)?told\1/,
    /\buntold: ['`]inconclusive/,
    /\btold: (it is decided now|'Decided now')|\btold \(decided now\)/,
    /\bresumed\b.*?\btold\b( \}\) => told\b)?|\btold: ids\b|, told \}|\btold\.(includes|length)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** What is not prose: the contract, whose sentences are quoted verbatim, and what is generated from the suite. */
const verbatim = /^specs\/contract\.md$|selftest\/proof|rest-table|types\.ts$|schemas\/proto\/(gen|google|grpc)\//

/** Names of faults are ids in the kill matrix, and uids are made from seeded names: texts are held to fewer words there. */
const heldByName = /^reference\/(faults|variants|domain\/seed)\//

/** What holds the list of odd words itself. */
const lists = ['tests/repository/words.test.ts', 'tests/repository/docs.test.ts']

const all = execFileSync('git', ['ls-files'], { cwd: packageRoot, encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.(tsx?|json|md|yml|m?js)$/.test(path) && !verbatim.test(path))
  .filter((path) => existsSync(join(packageRoot, path)))
const files = all.filter((path) => clean.some((part) => path === part || path.startsWith(`${part}/`)))
const sources = all.filter((path) => /\.(tsx?|m?js)$/.test(path) && !lists.includes(path))

const linesOf = (path: string) => readFileSync(join(packageRoot, path), 'utf8').split('\n')

/** The comments and texts of a source with the number of their line; of any other file every line. */
function proseIn(path: string): { line: number; text: string }[] {
  return linesOf(path).flatMap((whole, index) => {
    const text = proseOf(whole.replace(published, ''), path)
    return text === '' ? [] : [{ line: index + 1, text }]
  })
}

/** A line without its code: of a source comments, quoted texts, and lines of longer texts. */
function proseOf(line: string, path: string): string {
  if (path.endsWith('.md')) return withoutCode(line)
  if (!/\.(tsx?|m?js)$/.test(path)) return line
  const comment = /(?:^\s*(?:\/\*\*?|\*|\/\/)|\s\/\/ )(.*)$/.exec(line)?.[1]
  if (comment !== undefined) return withoutCode(comment)
  if (heldByName.test(path)) return ''
  const quoted = line.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`?|>[^<>{}]+</g)?.join(' ')
  if (quoted !== undefined) return quoted
  // what has no code around it is a line of a longer text
  return /^[A-Z][\w ,'.:-]{30,}$/.test(line) ? line : ''
}

const withoutCode = (text: string) => text.replace(/`[^`]*`/g, '')

const found = (text: string) =>
  odd.flatMap(([pattern, instead]) => (pattern.test(text) ? [`${text.trim()} (${instead})`] : []))

/** The odd words in a line of a source, also as parts of a name such as `isTold`. */
const oddNamesIn = (line: string) =>
  (line.replace(published, '').match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? []).filter((word) => oddNames.test(word))

describe('plain words', () => {
  test.each(clean)('in the comments and texts of %s', (part) => {
    const own = files.filter((path) => path === part || path.startsWith(`${part}/`))
    const lines = own.flatMap((path) =>
      proseIn(path).flatMap(({ line, text }) => found(text).map((what) => `${path}:${line}: ${what}`)),
    )

    expect(own).not.toEqual([])
    expect(lines).toEqual([])
  })

  test('in names and texts of every source', () => {
    const lines = sources.flatMap((path) =>
      linesOf(path).flatMap((line, index) => oddNamesIn(line).map((word) => `${path}:${index + 1}: ${word}`)),
    )

    expect(sources.length).toBeGreaterThan(500)
    expect(lines).toEqual([])
  })

  test('in the claims', async () => {
    const headers = await collectHeaders()

    expect(headers.flatMap(({ id, says }) => found(says).map((what) => `${id}: ${what}`))).toEqual([])
  })

  test.each([
    'it could not be told',
    'All settings stand in .env.example',
    'none is sent twice, for it may be spent',
    'A name that one group bears',
    'What must be met anew',
    'whoever reads it',
    'one of tags that never was',
    'what stands in other files, too.',
    'all but for the last',
  ])('%j is seen', (text) => expect(found(text)).not.toEqual([]))

  test.each(['formats for the report', 'too few results', 'a list for each kind', 'because it may be spent'])(
    '%j is well',
    (text) => expect(found(text)).toEqual([]),
  )

  test.each([
    'const told = 1',
    'if (isTold) return',
    'this.#untold()',
    'tellUnwritten(report)',
    "fault('a detail, anew')",
  ])('a name in `%s` is seen', (line) => expect(oddNamesIn(line)).not.toEqual([]))

  test.each(["{ how: 'untold' }", 'resumed: [{ told: ids }]', 'it understands', 'Bearer', 'a teller, retold'])(
    'no name in `%s` is odd',
    (line) => expect(oddNamesIn(line)).toEqual([]),
  )
})
