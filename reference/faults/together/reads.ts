import type { At } from '../../domain/at.ts'
import type { Item, Kind, Operation } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { foundByModel } from '../run/histories.ts'
import { keptByReading } from './under-way.ts'

const isCall =
  (kind: Kind, operation: Operation, version: 'v1' | 'v2', over?: 'grpc') =>
  (at: At): boolean =>
    at.kind === kind && at.operation === operation && (at.version === 'v1') === (version === 'v1') && at.over === over

const itself = ({ uid }: Item) => uid
const home = ({ parent }: Item) => parent

/** Half of a change: the new name, and everything else as before. */
const newNameAlone = (before: Item, { name }: Item): Item => ({ ...before, name })

/** Readings that come at the same moment as an Update. */
export const readsTogetherFaults: readonly Fault[] = [
  fault(
    'a group that v1 reads beside an update is shown by v1 as it was',
    foundByModel,
    keptByReading(isCall('groups', 'get', 'v1'), itself),
  ),
  fault(
    'a list of v1 beside an update in it goes on to show what it read',
    foundByModel,
    keptByReading(isCall('groups', 'list', 'v1'), home),
  ),
  fault(
    'an identity provider that is read beside its update is shown as it was',
    foundByModel,
    keptByReading(isCall('identityProviders', 'get', 'v2'), itself),
  ),
  fault(
    'account associations that are listed beside an update have the new name and the old description',
    foundByModel,
    keptByReading(isCall('accountAssociations', 'list', 'v2'), home, newNameAlone),
  ),
  fault(
    'an account association that is read beside its update is a mixture of both',
    foundByModel,
    keptByReading(isCall('accountAssociations', 'get', 'v2'), itself, newNameAlone),
  ),
  fault(
    'a role binding that is read beside its update has the role that it had',
    foundByModel,
    keptByReading(isCall('roleBindings', 'get', 'v2'), itself, ({ roleUid }, now) => ({
      ...now,
      ...(roleUid === undefined ? {} : { roleUid }),
    })),
  ),
  fault(
    'a list of identities beside an update in it goes on to show what it read',
    foundByModel,
    keptByReading(isCall('identities', 'list', 'v2'), home),
  ),
  fault(
    'identity providers that are listed beside an update are as they were',
    foundByModel,
    keptByReading(isCall('identityProviders', 'list', 'v2'), home),
  ),
]
