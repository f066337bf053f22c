import { expect } from 'vitest'
import type { Stop } from '../../helpers/http/case-errors.ts'
import type { Level } from '../../helpers/requirement/header.ts'
import { settle } from '../../reports/judge/verdict.ts'
import type { Case, Ending } from '../../schemas/types.ts'

/** Shared by the tests of cases. */
export const passed: Ending = { how: 'passed' }

/** Shared by the tests of cases. */
export const violated: Ending = { how: 'violated', note: 'expected 0 to be 10', expected: '10', got: '0' }

/** Shared by the tests of cases. */
export const undecided: Ending = { how: 'untold', note: 'no clock' }

/** Shared by the tests of cases. */
export const stopped = (operation: string, phase: Stop['phase'], of: Partial<Stop> = { status: 500 }): Ending => ({
  how: 'stopped',
  note: `${operation} was answered`,
  stop: { operation, phase, why: 'was answered', ...of },
})

/** Shared by the tests of cases. */
export const acting = (operation: string, of?: Partial<Stop>) => stopped(operation, 'act', of)

/** A case with this id that ended so. */
export const caseOf = (id: string, ending: Ending, level: Level = 'must', observed?: string): Case => ({
  header: {
    id,
    level,
    statement: 'S4.1',
    quote: 'words of the contract',
    says: 'it holds',
    ...(id.includes('@') ? { profile: 'identities' } : {}),
  },
  ending,
  exchanges: [],
  requests: 0,
  ...(observed === undefined ? {} : { observed }),
  ms: 1,
})

/** `outcome` or `outcome<blocker` by id. */
export const outcomesOf = (cases: Case[]) =>
  Object.fromEntries(
    settle(cases).map(({ header, outcome, blockedBy }) => [header.id, blockedBy ? `${outcome}<${blockedBy}` : outcome]),
  )

/** Expects these outcomes, whichever case comes first. */
export const bothWays = (cases: Case[], expected: Record<string, string>) => {
  expect(outcomesOf(cases)).toEqual(expected)
  expect(outcomesOf([...cases].reverse()), 'in the other order').toEqual(expected)
}
