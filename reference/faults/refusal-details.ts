import type { Fields } from '../domain/item.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Replacement } from '../replace.ts'

/** True for the refusal to delete a group that is not empty. */
export const aboutContents = ({ problem }: Refusal) => problem === 'notEmpty'

/** True for the refusal of a bad name. */
export const aboutName = ({ problem, field }: Refusal) => problem === 'invalid' && field === 'name'

/** Changes the details of some refusals. */
export const detailsOf =
  (
    applies: (refusal: Refusal) => boolean,
    change: (details: readonly Fields[], refusal: Refusal) => readonly Fields[],
  ): Replacement =>
  (contract) => ({
    errorDetails(refusal, info, at) {
      const details = contract.errorDetails(refusal, info, at)
      return applies(refusal) ? change(details, refusal) : details
    },
  })
