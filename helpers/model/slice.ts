import type { Finding } from './judging.ts'
import type { State, Thing } from './state.ts'

/** The most calls that a finding shows. */
const most = 14
/** The most of one thing's own writes: its create and its last ones. */
const mostOfOne = 5

/** The numbers of the exchanges that explain a finding: the writes on what it names, and on what that stands in. */
export function sliceOf(state: State, { n, about, beside }: Finding): number[] {
  const things = about.flatMap((uid) => state.things.get(uid) ?? [])
  const bound = things.flatMap(({ identityUid }) => state.things.get(identityUid ?? '') ?? [])
  const around = things.flatMap((thing) => state.upwards(thing)).slice(0, 4)
  const inside = things.flatMap(({ below }) => [...below.values()].flat()).slice(-3)
  const own = [...things, ...bound].flatMap(historyOf)
  const others = [...around, ...inside].map(({ history }) => history[0]!)
  const numbers = new Set([n, ...beside, ...own, ...others])
  return [...numbers].slice(0, most).sort((a, b) => a - b)
}

function historyOf({ history }: Thing): number[] {
  return history.length <= mostOfOne ? history : [history[0]!, ...history.slice(1 - mostOfOne)]
}
