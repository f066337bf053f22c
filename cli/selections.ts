import type { Selection } from '../helpers/selection.ts'

/** Everything that may be asked for. */
export const everything: Selection = { only: [], skip: [], profiles: [] }
