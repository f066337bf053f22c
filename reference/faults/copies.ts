import type { ClaimMatch, Item } from '../domain/item.ts'
import type { Replacement } from '../replace.ts'
import type { Rules } from '../rules.types.ts'

/** A member of one kind of resource that is also kept elsewhere: in an index, in what embeds it. */
interface Copied<Value> {
  kind: Item['kind']
  memberOf: (item: Item) => Value
  /** Made once per server: decides whether a change does not reach the copy. */
  losing: () => (change: string, item: Item, now: number) => boolean
}

/** A server that keeps a copy which misses some changes, and uses it as `use` says. */
export const withCopy =
  <Value>(
    { kind, memberOf, losing }: Copied<Value>,
    use: (copied: (item: Item) => Value, contract: Rules) => Partial<Rules>,
  ): Replacement =>
  (contract) => {
    const [copies, isLost] = [new Map<string, Value>(), losing()]
    return {
      modify(steps, at) {
        const write = (next: Item) => {
          const [before, after] = [memberOf(steps.read()), memberOf(next)]
          const change = `${next.uid} ${JSON.stringify(before)} ${JSON.stringify(after)}`
          if (next.kind === kind && JSON.stringify(before) !== JSON.stringify(after)) {
            const lost = isLost(change, next, at.world.now())
            copies.set(next.uid, lost ? (copies.get(next.uid) ?? before) : after)
          }
          steps.write(next)
        }
        return contract.modify({ ...steps, write }, at)
      },
      ...use((item) => copies.get(item.uid) ?? memberOf(item), contract),
    }
  }

/** An exchange that knows the claims of an identity by their copy. */
export const assumedByCopy = (
  copied: (item: Item) => ClaimMatch | undefined,
  contract: Rules,
): Pick<Rules, 'assumable'> => ({
  assumable(uid, at) {
    const identity = contract.assumable(uid, at)
    const claimMatch = identity && copied(identity)
    return claimMatch ? { ...identity, claimMatch } : identity
  },
})
