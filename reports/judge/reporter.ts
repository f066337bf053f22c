import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'
import type { Case, Ending } from '../../schemas/types.ts'

/** Told how far the run is. */
export interface Progress {
  collected?(total: number): void
  /** Called once for each case that ended; `bad` where it did not pass. */
  ended?(id: string, bad: boolean): void
}

/** What the runner says about a run, without a word of the runner's. */
export interface Gathered extends Reporter {
  /** Every case by its final state, in the order of the specs; complete when the run has ended. */
  cases(): Case[]
  /** Specs that did not load, and errors outside any case. */
  problems(): string[]
  /** Every case that has ended so far. */
  ended(): Case[]
  /** How many calls the run sent. */
  sent(): number
}

/** What a case says of itself that never came to its end. */
export const cutOff = [
  'the run ended before this case did',
  'the case was never run',
  'the run was interrupted',
  // vitest's own words
  'The test run was aborted by the user.',
]

/** The one module that knows vitest's reporter: rows by id, the final state from the run's end. */
export function gather(progress: Progress = {}): Gathered {
  const cases = new Map<string, Case>()
  const problems: string[] = []
  const ended = new Map<string, Case | undefined>()
  let sent = 0
  return {
    cases: () => [...cases.values()],
    problems: () => problems,
    ended: () => [...ended.values()].filter((each) => each !== undefined),
    sent: () => sent,
    onTestModuleCollected(module) {
      progress.collected?.([...module.children.allTests()].length)
    },
    onTestCaseResult(testCase) {
      const id = testCase.meta().rmapi?.header.id ?? testCase.name
      if (ended.has(id)) return
      ended.set(id, caseOf(testCase))
      progress.ended?.(id, testCase.result().state !== 'passed')
    },
    onTestRunEnd(modules, unhandled) {
      for (const module of modules) {
        for (const testCase of module.children.allTests()) read(testCase)
        problems.push(...module.errors().map((error) => `${nameOf(module)} did not load: ${error.message}`))
      }
      problems.push(...unhandled.map((error) => `an error outside any case: ${error.message}`))
    },
  }

  function read(testCase: TestCase): void {
    const one = caseOf(testCase)
    if (one === undefined) {
      problems.push(`'${testCase.name}' is no requirement: state it with requirement()`)
      return
    }
    sent = Math.max(sent, testCase.meta().rmapi?.sent ?? 0)
    if (cases.has(one.header.id)) problems.push(`two requirements are called ${one.header.id}`)
    cases.set(one.header.id, one)
  }
}

function caseOf(testCase: TestCase): Case | undefined {
  const record = testCase.meta().rmapi
  if (record === undefined) return undefined
  const { sent: _, ...own } = record
  const ms = Math.round(testCase.diagnostic()?.duration ?? 0)
  return { exchanges: [], requests: 0, ms, ...own, ending: endingOf(testCase) }
}

function nameOf(module: TestModule): string {
  return module.moduleId.split('/').slice(-2).join('/')
}

function endingOf(testCase: TestCase): Ending {
  const result = testCase.result()
  if (result.state === 'passed') return { how: 'passed' }
  if (result.state === 'pending') return { how: 'untold', note: cutOff[0]! }
  if (result.state === 'skipped') return { how: 'untold', note: result.note ?? cutOff[1]! }
  return endingWith(result.errors[0] ?? { message: 'the case failed without an error' })
}

interface Claimed {
  claim?: { expected: string; got: string; where?: string }
  stop?: Extract<Ending, { how: 'stopped' }>['stop']
  expected?: unknown
  actual?: unknown
}

function endingWith(error: SerializedError): Ending {
  const { claim, stop, expected, actual } = error as Claimed
  const line = specLine(error)
  const at = line === undefined ? {} : { where: line }
  // what vitest adds about its own way of comparing says nothing about the target
  const note = error.message.replace(/ \/\/ Object\.is equality$/, '')
  if (error.name === 'Stopped' && stop) return { how: 'stopped', stop, note, ...at }
  if (error.name === 'Inconclusive') return { how: 'untold', note }
  if (error.name !== 'AssertionError') return { how: 'broken', note: `${error.name ?? 'Error'}: ${note}`, ...at }
  if (claim) return { how: 'violated', note, ...at, ...claim }
  return { how: 'violated', note, ...text('expected', expected), ...text('got', actual), ...at }
}

function text<Name extends string>(name: Name, value: unknown): { [N in Name]?: string } {
  if (value === undefined) return {}
  // vitest renders a value over many lines
  const rendered = typeof value === 'string' ? value.replace(/\s*\n\s*/g, ' ') : JSON.stringify(value)
  return { [name]: rendered } as { [N in Name]?: string }
}

/** The line of the spec, from the package's root on. */
function specLine({ stacks = [], stack = '' }: SerializedError): string | undefined {
  const frame = stacks.find(({ file }) => /\bspecs\/[^/]+\.spec\.[jt]s$/.test(file))
  if (frame) return sourceLine(frame)
  return /\bspecs\/[\w.-]+\.spec\.[jt]s:\d+/.exec(stack)?.[0]
}

/** The same line of the source, where the map beside a compiled spec was not read: a blank in its path keeps vitest from it. */
function sourceLine({ file, line, column }: { file: string; line: number; column: number }): string {
  const shown = (path: string, at: number) => `${/specs\/[^/]+$/.exec(path)![0]}:${at}`
  const map = `${decodeURI(file)}.map`
  if (!file.endsWith('.js') || !existsSync(map)) return shown(file, line)
  const entry = new SourceMap(JSON.parse(readFileSync(map, 'utf8'))).findEntry(line - 1, column - 1)
  return 'originalLine' in entry ? shown(file.replace(/js$/, 'ts'), entry.originalLine + 1) : shown(file, line)
}
