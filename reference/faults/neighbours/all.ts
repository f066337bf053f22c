import type { Fault } from '../../fault.ts'
import { assumedNeighbourFaults } from './assumed.ts'
import { guardNeighbourFaults } from './credentials.ts'
import { exchangeNeighbourFaults } from './exchanges.ts'
import { indexFaults } from './indexes.ts'
import { namesakeFaults } from './namesakes.ts'
import { pageNeighbourFaults } from './pages.ts'
import { refusalNeighbourFaults } from './refusals.ts'
import { lookalikeFaults } from './texts.ts'

/** Faults between things that are alike, or that live beside each other. */
export const neighbourFaults: readonly Fault[] = [
  ...namesakeFaults,
  ...exchangeNeighbourFaults,
  ...guardNeighbourFaults,
  ...assumedNeighbourFaults,
  ...refusalNeighbourFaults,
  ...lookalikeFaults,
  ...indexFaults,
  ...pageNeighbourFaults,
]
