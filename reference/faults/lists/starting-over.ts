import type { Cursor } from '../../domain/at.ts'
import { type Replacement, when } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'

/** The replacement in lists that restart because their token is too old; `ended` gives the cursor of that token. */
export const startingOver =
  (change: Partial<Rules> | ((contract: Rules, ended: () => Cursor) => Partial<Rules>)): Replacement =>
  (contract) => {
    let [read, ended]: (Cursor | undefined)[] = []
    return {
      ...when(
        () => ended !== undefined,
        typeof change === 'function' ? change(contract, () => ended!) : change,
      )(contract),
      decodeToken(token, at) {
        read = contract.decodeToken(token, at)
        return read
      },
      expired(issued, now, at) {
        const isOld = contract.expired(issued, now, at)
        ended = isOld ? read : undefined
        return isOld
      },
      listBody(parts, at) {
        ended = undefined
        return contract.listBody(parts, at)
      },
    }
  }
