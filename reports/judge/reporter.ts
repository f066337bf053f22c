import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { Case } from '../../schemas/types.ts'
import { cutOff, endingOf } from './ending.ts'

/** Follows how far the run is. */
export interface Progress {
  collected?(total: number): void
  /** Says what all cases wait for, or with nothing that it is over. */
  doing?(what: string): void
  /** Called when a case begins. */
  began?(id: string): void
  /** Called once for each case that ran to its end; `bad` if it failed. */
  ended?(id: string, bad: boolean): void
  /** Says how many have failed so far if that also depends on the other cases: it replaces the count. */
  failed?(count: number): void
}

/** What the runner reports about a run, in the suite's own terms. */
export interface Gathered extends Reporter {
  /** Every case in its final state, in the order of the specs; complete once the run has ended. */
  cases(): Case[]
  /** Specs that did not load, and errors outside any case. */
  problems(): string[]
  /** Every case that has ended so far. */
  ended(): Case[]
  /** How many calls the run sent. */
  sent(): number
}

/** The one module that knows vitest's reporter: rows by id, in their final state at the end of the run. */
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
    onTestCaseReady: (testCase) => progress.began?.(idOf(testCase)),
    onTestCaseResult(testCase) {
      const id = idOf(testCase)
      if (ended.has(id)) return
      const one = caseOf(testCase)
      ended.set(id, one)
      // what was cut off never ran
      if (one?.ending.how === 'untold' && cutOff.includes(one.ending.note)) return
      progress.ended?.(id, !['passed', 'untold', 'missing'].includes(one?.ending.how ?? 'broken'))
    },
    onTestRunEnd(modules, unhandled) {
      for (const module of modules) {
        for (const testCase of module.children.allTests()) read(testCase)
        problems.push(...module.errors().map((error) => `${nameOf(module)} did not load: ${withCauses(error)}`))
      }
      problems.push(...unhandled.map((error) => `an error outside any case: ${withCauses(error)}`))
    },
  }

  function read(testCase: TestCase): void {
    const one = caseOf(testCase)
    if (one === undefined) {
      problems.push(`'${testCase.name}' is not a requirement: state it with requirement()`)
      return
    }
    sent = Math.max(sent, testCase.meta().rmapi?.sent ?? 0)
    if (cases.has(one.header.id)) problems.push(`two requirements are called ${one.header.id}`)
    cases.set(one.header.id, one)
  }
}

/** The message of an error and of what caused it, because a runner's own message may name only the step that failed. */
function withCauses(error: { message: string; cause?: unknown }): string {
  const messages: string[] = []
  // a cause may lead back to its error
  for (let each: Partial<typeof error> | undefined = error; each?.message; each = each.cause as typeof each) {
    if (messages.includes(each.message)) break
    messages.push(each.message)
  }
  return messages.join(': ')
}

const idOf = (testCase: TestCase) => testCase.meta().rmapi?.header.id ?? testCase.name

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
