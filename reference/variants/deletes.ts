import type { Item } from '../domain/item.ts'
import { type Variant, variant } from '../fault.ts'

/** Lawful ways to answer a delete. */
export const deletesVariants: readonly Variant[] = [
  variant('a delete answers with no bytes', () => ({ deleted: () => undefined })),
  variant('a delete answers 204', () => ({
    deleted: () => undefined,
    successStatus: (at) => (at.operation === 'delete' ? 204 : 200),
  })),
  variant('a second delete succeeds like the first', (contract) => {
    const dead = new Map<string, Item>()
    return {
      forget(steps, item, at) {
        contract.forget(steps, item, at)
        dead.set(`${item.kind} ${item.uid}`, item)
      },
      found: (uid, kind, at) =>
        contract.found(uid, kind, at) ?? (at.operation === 'delete' ? dead.get(`${kind} ${uid}`) : undefined),
    }
  }),
]
