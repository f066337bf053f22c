import type { Stop } from '../../helpers/http/case-errors.ts'
import type { Ending } from '../../schemas/types.ts'

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
