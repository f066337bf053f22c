import { instant } from '../api/instant.ts'
import type { Received } from '../api/received.ts'
import { violated } from './violation.ts'

/** How two items compare: negative, 0, positive, or undefined where the contract leaves it open. */
type Judge = (a: Received, b: Received) => number | undefined

/** Names on whose order every usual collation agrees: so many of these letters, none doubled (R17). */
const isAgreedOn = (name: unknown): name is string => /^(?:([beikmopu])(?!\1))+$/.test(String(name))

/** By name, where both are of that form and of one length. */
const byLetters: Judge = ({ name: one }, { name: other }) => {
  if (!isAgreedOn(one) || !isAgreedOn(other) || one.length !== other.length) return undefined
  return one < other ? -1 : one > other ? 1 : 0
}

/** By `createTime`, as instants. */
const byCreation: Judge = (a, b) => instant(a.createTime) - instant(b.createTime)

/** What judges an order that was asked for, and in which direction; undefined for the default order. */
function judgeOf(order: string | undefined): Judge | undefined {
  if (order === undefined) return undefined
  const judge = order.startsWith('name') ? byLetters : byCreation
  return order.endsWith('desc') ? (a, b) => judge(b, a) : judge
}

/** How many pairs of neighbours an order distinguishes: equal ones, and those that collations order differently, show nothing. */
export function distinguishedPairs(items: readonly Received[], order: string): number {
  const judge = judgeOf(order)!
  const judged = order.startsWith('name') ? items.filter(({ name }) => isAgreedOn(name)) : items
  return judged.filter((item, index) => index > 0 && (judge(judged[index - 1]!, item) || 0) !== 0).length
}

/** Fails unless the items are in the order that was asked for (S4.21, S4.22). */
export function inOrder(items: readonly Received[], order: string | undefined): void {
  const judge = judgeOf(order)
  if (judge === undefined) return
  items.forEach((item, index) => {
    const wrong = items.slice(index + 1).find((later) => (judge(item, later) ?? 0) > 0)
    if (wrong === undefined) return
    violated({
      message: `the list is not in the order '${order}'`,
      expected: `${label(wrong)} before ${label(item)} (S4.22)`,
      got: `${label(item)} first`,
      where: `item ${index + 1} of ${items.length}`,
    })
  })
}

function label({ uid, name, createTime }: Received): string {
  // some kinds have no name
  const named = name === undefined ? '' : `'${String(name)}' `
  return `${named}created ${String(createTime)} (${uid})`
}

/** The keys by which an order sorts: what two readings in one order have to share, ties being free (R17). */
export function keysOf(items: readonly Received[], order: string | undefined): unknown[] {
  if (order === undefined) return items.map(({ uid }) => uid)
  return items.map((item) => (order.startsWith('name') ? item.name : instant(item.createTime)))
}
