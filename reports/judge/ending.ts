import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import type { SerializedError, TestCase } from 'vitest/node'
import { present } from '../../schemas/present.ts'
import type { Ending } from '../../schemas/types.ts'

/** The notes of a case that was cut off before its end. */
export const cutOff = [
  'the run ended before this case did',
  'the case was never run',
  'the run was interrupted',
  // vitest's own words
  'The test run was aborted by the user.',
]

/** How a case ended, from the runner's result. */
export function endingOf(testCase: TestCase): Ending {
  const result = testCase.result()
  if (result.state === 'passed') return { how: 'passed' }
  if (result.state === 'pending') return { how: 'untold', note: cutOff[0]! }
  if (result.state === 'skipped') return { how: 'untold', note: result.note ?? cutOff[1]! }
  return endingWith(result.errors[0] ?? { message: 'the case failed without an error' })
}

interface Claimed {
  claim?: Pick<Extract<Ending, { how: 'violated' }>, 'expected' | 'got' | 'where' | 'quote'>
  stop?: Extract<Ending, { how: 'stopped' }>['stop']
  operations?: string[]
  expected?: unknown
  actual?: unknown
}

function endingWith(error: SerializedError): Ending {
  const { claim, stop, operations, expected, actual } = error as Claimed
  const at = present({ where: specLine(error) })
  const note = noteOf(error.message)
  if (error.name === 'Stopped' && stop) return { how: 'stopped', stop, note, ...at }
  if (error.name === 'Inconclusive') return { how: 'untold', note }
  if (error.name === 'NotOffered' && operations) return { how: 'missing', operations, note }
  if (error.name !== 'AssertionError') return { how: 'broken', note: `${error.name ?? 'Error'}: ${note}`, ...at }
  if (claim) return { how: 'violated', note, ...at, ...claim }
  const got = rendered(actual)
  const wanted = rendered(expected)
  if (wanted === undefined || got === undefined) {
    const { own = note, unwanted } =
      /^(?<own>.*): expected [\s\S]* to not include (?<unwanted>[\s\S]*)$/.exec(note)?.groups ?? {}
    return {
      how: 'violated',
      note: own,
      ...present({ expected: wanted ?? (unwanted && `nothing with ${unwanted}`), got }),
      ...at,
    }
  }
  // the runner's sentence repeats both values
  const [sentence = ''] = /(?:^|: )expected [\s\S]*$/.exec(note) ?? []
  const [, relation = ''] = relations.find(([words]) => sentence.includes(words)) ?? []
  const asked = relation + wanted
  const own = note.slice(0, note.length - sentence.length)
  return {
    how: 'violated',
    note: own || `expected ${shortened(asked)}, got ${shortened(got)}`,
    expected: asked,
    got,
    ...at,
  }
}

/** The runner's words for a comparison, and what to write before the expected value. */
export const relations: readonly (readonly [words: string, relation: string])[] = [
  [' not to ', 'anything but '],
  [' to be less than or equal to ', 'at most '],
  [' to be greater than or equal to ', 'at least '],
  [' to be less than ', 'less than '],
  [' to be greater than ', 'more than '],
  [' to have a length of ', 'a length of '],
  [' to include ', 'something with '],
  [' to contain ', 'something with '],
  [' to match ', 'a match of '],
]

/** The message of an error without the runner's remark on how it compares. */
function noteOf(message: string): string {
  return message.replace(/ \/\/ Object\.is equality$/, '')
}

/** A value as the runner rendered it, on one line. */
function rendered(value: unknown): string | undefined {
  const oneLine = (lines: string) =>
    lines
      .replace(/([[{])\n\s*/g, '$1')
      .replace(/,\n\s*([\]}])/g, '$1')
      .replace(/\s*\n\s*/g, ' ')
      .replace(/\bStringMatching (?=\/)/g, 'a text like ')
      .replace(/\b(?:Object|Array)Containing (?=[{[])/g, 'at least ')
  const text = typeof value === 'string' ? oneLine(value) : JSON.stringify(value)
  return text === 'undefined' ? 'nothing' : text
}

const shortened = (text = '', most = 120) => (text.length > most ? `${text.slice(0, most)}…` : text)

const spec = /\bspecs\/(?:[\w-]+\/)*[\w.-]+\.spec\.[jt]s$/

/** The line of the spec, from the package's root on. */
function specLine({ stacks = [], stack = '' }: SerializedError): string | undefined {
  const frame = stacks.find(({ file }) => spec.test(file))
  return frame ? sourceLine(frame) : /\bspecs\/[\w./-]+\.spec\.[jt]s:\d+/.exec(stack)?.[0]
}

/** The line of the source, from the map beside a compiled spec: vitest does not find it if the path has a blank. */
function sourceLine({ file, line, column }: { file: string; line: number; column: number }): string {
  const shown = (path: string, at: number) => `${spec.exec(path)![0]}:${at}`
  const map = `${decodeURI(file)}.map`
  if (!file.endsWith('.js') || !existsSync(map)) return shown(file, line)
  const entry = new SourceMap(JSON.parse(readFileSync(map, 'utf8'))).findEntry(line - 1, column - 1)
  return 'originalLine' in entry ? shown(file.replace(/js$/, 'ts'), entry.originalLine + 1) : shown(file, line)
}
