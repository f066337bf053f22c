import type { Fault } from '../../fault.ts'
import { againByDoorFaults } from './again.ts'
import { besideDoorFaults } from './beside.ts'
import { changedByDoorFaults } from './changed.ts'
import { listedByDoorFaults } from './listed.ts'
import { textByDoorFaults } from './texts.ts'

/** Faults that show only where a protocol, a version and a kind come together. */
export const doorFaults: readonly Fault[] = [
  ...againByDoorFaults,
  ...besideDoorFaults,
  ...changedByDoorFaults,
  ...listedByDoorFaults,
  ...textByDoorFaults,
]
