import type { Fields } from '../domain/item.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Replacement } from '../replace.ts'

export const aboutContents = ({ problem }: Refusal) => problem === 'notEmpty'

/** Details of refusals that read another way. */
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
