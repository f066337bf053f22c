import { faultsOfBasics } from './faults-basic.ts'
import { faultsOfChanges } from './faults-changes.ts'
import { faultsOfClaims } from './faults-claims.ts'
import { faultsOfCorners } from './faults-corners.ts'
import { faultsOfTheDeep } from './faults-deep.ts'
import { faultsOfDoors } from './faults-doors.ts'
import { faultsOfErrors } from './faults-errors.ts'
import { faultsOfTheExchange } from './faults-exchange.ts'
import { faultsOfKinds } from './faults-kinds.ts'
import { faultsOfLists } from './faults-lists.ts'
import { faultsOfNames } from './faults-names.ts'
import { faultsOfPages } from './faults-pages.ts'
import { faultsOfResources } from './faults-resources.ts'
import { faultsOfStories } from './faults-stories.ts'
import { faultsOfTime } from './faults-time.ts'
import { faultsOfV1 } from './faults-v1.ts'
import { type Fault, named } from './replace.ts'

/** Every fault that the suite must find. */
export const faults: readonly Fault[] = [
  ...faultsOfBasics,
  ...faultsOfResources,
  ...faultsOfNames,
  ...faultsOfChanges,
  ...faultsOfPages,
  ...faultsOfLists,
  ...faultsOfKinds,
  ...faultsOfErrors,
  ...faultsOfDoors,
  ...faultsOfTheExchange,
  ...faultsOfTime,
  ...faultsOfTheDeep,
  ...faultsOfCorners,
  ...faultsOfClaims,
  ...faultsOfV1,
  ...faultsOfStories,
]

/** The fault that bears a name; throws where none does, naming the nearest. */
export const faultNamed = (name: string): Fault => named('fault', faults, name)
