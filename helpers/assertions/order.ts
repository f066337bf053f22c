import { instant } from '../api/instant.ts'
import type { Received } from '../api/received.ts'
import { violated } from './violation.ts'

/** How two items compare: negative, 0, positive, or undefined where the contract leaves it open. */
type Judge = (a: Received, b: Received) => number | undefined

/** Names whose order all common collations agree on: any number of these letters, none doubled (R17). */
const isAgreedOn = (name: unknown): name is string => /^(?:([beikmopu])(?!\1))+$/.test(String(name))

/** By name, where both have that form and the same length. */
const byLetters: Judge = ({ name: one }, { name: other }) => {
  if (!isAgreedOn(one) || !isAgreedOn(other) || one.length !== other.length) return undefined
  return one < other ? -1 : one > other ? 1 : 0
}

/** By `createTime`, as instants. */
const byCreation: Judge = (a, b) => instant(a.createTime) - instant(b.createTime)

/** As an order by creation shows them: the nodes of one service may have clocks that differ (R26). */
export const oldestFirst = (items: readonly Received[]): Received[] => [...items].sort((a, b) => byCreation(a, b) ?? 0)

/** The judge of an order, in its direction; undefined for the default order. */
function judgeOf(order: string | undefined): Judge | undefined {
  if (order === undefined) return undefined
  const judge = order.startsWith('name') ? byLetters : byCreation
  return order.endsWith('desc') ? (a, b) => judge(b, a) : judge
}

/** How many pairs of neighbours an order decides: not equal ones, nor those that collations sort differently. */
export function distinguishedPairs(items: readonly Received[], order: string): number {
  const judge = judgeOf(order)!
  const judged = order.startsWith('name') ? items.filter(({ name }) => isAgreedOn(name)) : items
  return judged.filter((item, index) => index > 0 && (judge(judged[index - 1]!, item) || 0) !== 0).length
}

/** Fails unless the items are in the requested order (S4.21, S4.22). */
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

/** The sort keys of an order: two readings in one order must agree in them, while ties are free (R17). */
export function keysOf(items: readonly Received[], order: string | undefined): unknown[] {
  if (order === undefined) return items.map(({ uid }) => uid)
  return items.map((item) => (order.startsWith('name') ? item.name : instant(item.createTime)))
}
