import type { Fault } from '../../fault.ts'
import { besideFaults } from './beside.ts'
import { changedKindFaults } from './changed.ts'
import { v1KindFaults } from './in-v1.ts'
import { listedKindFaults } from './listed.ts'
import { lookedUpFaults } from './looked-up.ts'

/** Faults of kinds that a run only reads, or whose bodies the contract does not show. */
export const kindFaults: readonly Fault[] = [
  ...besideFaults,
  ...v1KindFaults,
  ...listedKindFaults,
  ...lookedUpFaults,
  ...changedKindFaults,
]
