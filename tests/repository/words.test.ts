import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { collectHeaders } from '../../cli/input/collect.ts'
import { packageRoot } from '../../cli/input/package.ts'

/**
 * The folders and files whose comments and texts are in plain English. Add the others as they are cleaned:
 * 'specs', 'helpers', 'reference', 'bench', 'docs', 'README.md', 'cli/run', 'cli/input'.
 */
const clean = ['reports', 'cli/commands', 'schemas', 'selftest']

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
  [
    /[,:] for (it|they|the|that|none|neither|this|these|each|only|all|what|whom|a|an|no)\b(?! (shields|browser|developer|run|help|resume))/i,
    'because',
  ],
  [/, too(?=[.,;:!?)]|$)/, 'also, as well'],
]

/** The names of members in published files, which stay as they are. */
const published =
  /\btold[:=]|'told'|\{ told|\.told\b|\btold\.|, told\b|\blost \(|'untold'|untold:|\btold \(|"(un)?told"/

const files = execFileSync('git', ['ls-files', ...clean], { cwd: packageRoot, encoding: 'utf8' })
  .split('\n')
  .filter(
    (path) => /\.(ts|tsx|json|md)$/.test(path) && !/selftest\/proof|rest-table|types\.ts$|proto\/gen\//.test(path),
  )
  .filter((path) => existsSync(join(packageRoot, path)))

/** The comments and texts of a source with the number of their line; of any other file every line. */
function proseIn(path: string): { line: number; text: string }[] {
  const lines = readFileSync(join(packageRoot, path), 'utf8').split('\n')
  const isSource = /\.tsx?$/.test(path)
  return lines.flatMap((whole, index) => {
    const text = isSource ? proseOf(whole) : whole
    return text === '' ? [] : [{ line: index + 1, text }]
  })
}

/** A line of a source without its code: comments, quoted texts, and lines of longer texts. */
function proseOf(line: string): string {
  const comment = /(?:^\s*(?:\/\*\*?|\*|\/\/)|\s\/\/ )(.*)$/.exec(line)?.[1]
  if (comment !== undefined) return comment
  const quoted = line.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`?|>[^<>{}]+</g)
  // what has no code around it is a line of a longer text
  return quoted ? quoted.join(' ') : /^[A-Z][\w ,'.:-]{30,}$/.test(line) ? line : ''
}

const found = (text: string) =>
  published.test(text)
    ? []
    : odd.flatMap(([pattern, instead]) => (pattern.test(text) ? [`${text.trim()} (${instead})`] : []))

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
