import type { Draw } from './draw.ts'

/** The values that each parameter takes. */
export type Parameters = Readonly<Record<string, readonly unknown[]>>

/** One choice of a value for each parameter. */
export type Row = Record<string, unknown>

/**
 * Rows in which every allowed combination of values of `strength` parameters occurs: greedy, the best of several drawn
 * rows each time.
 */
export function covering(
  parameters: Parameters,
  strength: number,
  draw: Draw,
  allowed: (row: Row) => boolean = () => true,
): Row[] {
  const names = Object.keys(parameters)
  const together = combinations(names, strength)
  const open = new Set(together.flatMap((some) => tuplesOf(some, parameters)))
  const inOrder = [...open]
  const rows: Row[] = []
  for (let vain = 0; open.size > 0 && vain < 40; ) {
    let best: { row: Row; covers: string[] } | undefined
    for (let tries = 0; tries < 12; tries++) {
      const row = fill(names, parameters, draw, inOrder[draw.below(open.size)]!)
      if (!allowed(row)) continue
      const covers = together.flatMap((some) => {
        const key = keyOf(some, row, parameters)
        return open.has(key) ? [key] : []
      })
      if (!best || covers.length > best.covers.length) best = { row, covers }
    }
    if (!best || best.covers.length === 0) {
      vain++
      continue
    }
    for (const key of best.covers) {
      open.delete(key)
      inOrder.splice(inOrder.indexOf(key), 1)
    }
    rows.push(best.row)
  }
  return rows
}

function fill(names: readonly string[], parameters: Parameters, draw: Draw, wanted: string): Row {
  const row: Row = {}
  for (const name of names) row[name] = draw.one(parameters[name]!)
  for (const pair of wanted.split('&')) {
    const [name = '', index = ''] = pair.split('=')
    row[name] = parameters[name]![Number(index)]
  }
  return row
}

function combinations(names: readonly string[], size: number): string[][] {
  if (size === 0) return [[]]
  return names.flatMap((name, index) => combinations(names.slice(index + 1), size - 1).map((rest) => [name, ...rest]))
}

function tuplesOf(names: readonly string[], parameters: Parameters): string[] {
  const [first, ...rest] = names
  if (first === undefined) return ['']
  const others = tuplesOf(rest, parameters)
  return parameters[first]!.flatMap((_, index) =>
    others.map((other) => `${first}=${index}${other === '' ? '' : `&${other}`}`),
  )
}

const keyOf = (names: readonly string[], row: Row, parameters: Parameters) =>
  names.map((name) => `${name}=${parameters[name]!.indexOf(row[name])}`).join('&')

/** How many orders are drawn for each one taken. */
const candidates = 100

/** Orders of `count` events in which any three follow each other in every order (a sequence covering array). */
export function coveringOrders(count: number, draw: Draw): number[][] {
  const all = Array.from({ length: count }, (_, index) => index)
  const everyOrder = all.flatMap((a) => all.flatMap((b) => all.map((c) => [a, b, c])))
  const open = new Set(everyOrder.filter((three) => new Set(three).size === 3).map(([a, b, c]) => key(a!, b!, c!)))
  const taken: number[][] = []
  while (open.size > 0) {
    const drawn = Array.from({ length: candidates }, () => draw.some(all, all.length))
    const [best] = drawn
      .map((order) => ({ order, covers: openIn(order, open) }))
      .sort((a, b) => b.covers.length - a.covers.length)
    for (const triple of best!.covers) open.delete(triple)
    if (best!.covers.length > 0) taken.push(best!.order)
  }
  return taken
}

const key = (a: number, b: number, c: number) => (a * 100 + b) * 100 + c

/** The open triples of an order. */
function openIn(order: readonly number[], open: ReadonlySet<number>): number[] {
  const found: number[] = []
  for (let i = 0; i < order.length; i++)
    for (let j = i + 1; j < order.length; j++)
      for (let k = j + 1; k < order.length; k++) {
        const triple = key(order[i]!, order[j]!, order[k]!)
        if (open.has(triple)) found.push(triple)
      }
  return found
}
