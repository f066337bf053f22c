import { type Fault, fault } from '../../fault.ts'
import { during, inV1 } from '../../replace.ts'
import { escaped } from '../groups/description.ts'
import { foundByModel, storedAs } from '../run/histories.ts'
import { groupsShown } from './groups.ts'

/** Faults in texts that only v1 reads, stores or shows differently (S9.1, S9.2, R6, R44). */
export const v1TextFaults: readonly Fault[] = [
  fault(
    'v1 reads bodies as Latin-1',
    foundByModel,
    inV1((contract) => ({
      body: (bytes, at) => contract.body(Buffer.from(Buffer.from(bytes).toString('latin1')), at),
    })),
  ),
  fault(
    'a PUT in v1 strips tags from a description',
    foundByModel,
    inV1(
      during(
        'update',
        storedAs('description', (text) => text.replace(/<[^>]*>/g, '')),
      ),
    ),
  ),
  fault(
    'a Get in v1 escapes & and < in descriptions',
    foundByModel,
    during(
      'get',
      groupsShown((fields, { description }) => ({ ...fields, description: escaped(description) })),
    ),
  ),
]
