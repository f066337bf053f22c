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

/** The names of members in published files, which stay as they are. */
const published =
  /\btold[:=]|'told'|\{ told|\.told\b|\btold\.|, told\b|\blost \(|'untold'|untold:|\btold \(|"(un)?told"/

/** What is not prose: the contract, whose sentences are quoted verbatim, and what is generated from the suite. */
const verbatim = /^specs\/contract\.md$|selftest\/proof|rest-table|types\.ts$|schemas\/proto\/(gen|google|grpc)\//

/** The names of faults are ids in the kill matrix, and uids are made from seeded names: only comments are held there. */
const heldByName = /^reference\/(faults|variants|domain\/seed)\//

const files = execFileSync('git', ['ls-files', ...clean], { cwd: packageRoot, encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.(tsx?|json|md|yml|m?js)$/.test(path) && !verbatim.test(path))
  .filter((path) => existsSync(join(packageRoot, path)))

/** The comments and texts of a source with the number of their line; of any other file every line. */
function proseIn(path: string): { line: number; text: string }[] {
  const lines = readFileSync(join(packageRoot, path), 'utf8').split('\n')
  return lines.flatMap((whole, index) => {
    const text = proseOf(whole, path)
    return text === '' ? [] : [{ line: index + 1, text }]
  })
}

/** A line without its code: of a source comments, quoted texts, and lines of longer texts. */
function proseOf(line: string, path: string): string {
  if (path.endsWith('.md')) return withoutCode(line)
  if (!/\.(tsx?|m?js)$/.test(path)) return published.test(line) ? '' : line
  const comment = /(?:^\s*(?:\/\*\*?|\*|\/\/)|\s\/\/ )(.*)$/.exec(line)?.[1]
  if (comment !== undefined) return withoutCode(comment)
  if (heldByName.test(path)) return ''
  const quoted = line.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`?|>[^<>{}]+</g)?.join(' ')
  if (quoted !== undefined) return published.test(quoted) ? '' : quoted
  // what has no code around it is a line of a longer text
  return /^[A-Z][\w ,'.:-]{30,}$/.test(line) ? line : ''
}

const withoutCode = (text: string) => text.replace(/`[^`]*`/g, '')

const found = (text: string) =>
  odd.flatMap(([pattern, instead]) => (pattern.test(text) ? [`${text.trim()} (${instead})`] : []))

describe('plain words', () => {
  test.each(clean)('in the comments and texts of %s', (part) => {
    const own = files.filter((path) => path === part || path.startsWith(`${part}/`))
    const lines = own.flatMap((path) =>
      proseIn(path).flatMap(({ line, text }) => found(text).map((what) => `${path}:${line}: ${what}`)),
    )

    expect(own).not.toEqual([])
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
})
