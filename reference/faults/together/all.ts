import type { Fault } from '../../fault.ts'
import { alikeFaults } from './alike.ts'
import { deletesTogetherFaults } from './deletes.ts'
import { depthFaults } from './depths.ts'
import { exchangesTogetherFaults } from './exchanges.ts'
import { readsTogetherFaults } from './reads.ts'

/** What goes wrong where things come together: calls at one moment, levels, names, tokens and protocols. */
export const togetherFaults: readonly Fault[] = [
  ...readsTogetherFaults,
  ...deletesTogetherFaults,
  ...exchangesTogetherFaults,
  ...depthFaults,
  ...alikeFaults,
]
