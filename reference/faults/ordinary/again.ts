import { type Fault, fault } from '../../fault.ts'
import { on, type Replacement } from '../../replace.ts'
import { changed, foundByModel, neverAsMade } from '../run/histories.ts'

/** A description that was emptied counts as the one that is there, so that it does not come back. */
const emptiedForGood: Replacement = (contract) => {
  const gone = new Map<string, string>()
  return changed(contract, (old, next) => {
    if (old.description !== '' && next.description === '') gone.set(old.uid, old.description)
    return old.description === '' && next.description === gone.get(old.uid) ? { ...next, description: '' } : next
  })
}

/** Some masks are read as none. */
const noMask =
  (isNone: (parts: readonly string[]) => boolean): Replacement =>
  (contract) => ({
    mask(raw, at) {
      const fields = contract.mask(raw, at)
      return fields && isNone(fields) ? undefined : fields
    },
  })

/** Faults of values that come back, and of masks that list a field oddly (S4.26, R31). */
export const againFaults: readonly Fault[] = [
  ...(['groups', 'identities'] as const).map((kind) =>
    fault(
      `a description of ${kind} that was emptied is not set to the same text again`,
      foundByModel,
      on(kind, emptiedForGood),
    ),
  ),
  fault('an identity does not get the name of its create back', foundByModel, on('identities', neverAsMade)),
  fault(
    'a mask with an empty part counts as none',
    foundByModel,
    noMask((fields) => fields.includes('')),
  ),
  fault(
    'a mask with a dot in it counts as none',
    foundByModel,
    noMask((fields) => fields.some((field) => field.includes('.'))),
  ),
  fault(
    'a mask that lists a field twice counts as none',
    foundByModel,
    noMask((fields) => new Set(fields).size < fields.length),
  ),
]
