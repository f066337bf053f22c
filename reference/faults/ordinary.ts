import type { Fault } from '../fault.ts'
import { againFaults } from './ordinary/again.ts'
import { ordinaryAssumedFaults } from './ordinary/assumed.ts'
import { ordinaryAuthFaults } from './ordinary/auth.ts'
import { ordinaryEffectFaults } from './ordinary/effects.ts'
import { ordinaryElsewhereFaults } from './ordinary/elsewhere.ts'
import { ordinaryGuardFaults } from './ordinary/guards.ts'
import { keptFaults } from './ordinary/kept.ts'
import { ordinaryListFaults } from './ordinary/lists.ts'
import { oddityFaults } from './ordinary/oddities.ts'
import { ordinaryRaceFaults } from './ordinary/races.ts'
import { ordinaryReaderFaults } from './ordinary/readers.ts'
import { ordinaryShownFaults } from './ordinary/shown.ts'
import { ordinarySizeFaults } from './ordinary/sizes.ts'
import { ordinaryTokenFaults } from './ordinary/tokens.ts'
import { ordinaryUpdateFaults } from './ordinary/updates.ts'
import { ordinaryVersionFaults } from './ordinary/versions.ts'

/** What ordinary servers do wrong, by what it concerns. */
export const ordinaryFaults: readonly Fault[] = [
  ...ordinaryAuthFaults,
  ...ordinaryAssumedFaults,
  ...ordinaryShownFaults,
  ...ordinaryListFaults,
  ...ordinarySizeFaults,
  ...ordinaryVersionFaults,
  ...ordinaryGuardFaults,
  ...ordinaryReaderFaults,
  ...ordinaryElsewhereFaults,
  ...ordinaryUpdateFaults,
  ...ordinaryEffectFaults,
  ...ordinaryTokenFaults,
  ...ordinaryRaceFaults,
  ...oddityFaults,
  ...keptFaults,
  ...againFaults,
]
