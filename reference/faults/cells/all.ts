import type { Fault } from '../../fault.ts'
import { againCellFaults } from './again.ts'
import { agedCellFaults } from './aged.ts'
import { assumedCellFaults } from './assumed.ts'
import { besideCellFaults } from './beside.ts'
import { bindingCellFaults } from './bindings.ts'
import { deleteCellFaults } from './deletes.ts'
import { listCellFaults } from './lists.ts'
import { refusalCellFaults } from './refusals.ts'
import { walkCellFaults } from './walks.ts'

/** Faults that need both a past of what a call is about and a form of the call. */
export const cellFaults: readonly Fault[] = [
  ...assumedCellFaults,
  ...bindingCellFaults,
  ...deleteCellFaults,
  ...againCellFaults,
  ...agedCellFaults,
  ...listCellFaults,
  ...refusalCellFaults,
  ...besideCellFaults,
  ...walkCellFaults,
]
