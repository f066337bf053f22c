import { madeKinds } from '../../api/kinds.ts'
import type { Received } from '../../api/received.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import type { Answer } from '../../http/call.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import { update, updateIdentity } from '../world.ts'
import type { Door, Way } from './doors.ts'

/** A group with what lives in it: one door changes them, and then another one writes there. */
interface Kin {
  first: Way
  then: Door
  home: Received
  child: Received
  /** The only thing in `child`. */
  inner: Received
  owner: Received
}

/** The pairs of doors of which one is gRPC. */
const pairs: readonly [first: Way, then: Door][] = [
  [{ by: 'grpc', masked: false }, 'http'],
  [{ by: 'grpc', masked: true }, 'http'],
  [{ by: 'http', masked: false }, 'grpc'],
  [{ by: 'http', masked: true }, 'grpc'],
  [{ by: 'grpc', masked: false }, 'v1'],
  [{ by: 'v1', masked: false }, 'grpc'],
]

/** How many calls are sent at once. */
const atOnce = 6

type Over = (door: Door) => Driver

type Step = (kin: Kin, over: Over) => Promise<unknown>

/** Changes a group by a door; what is not in its mask is left out. */
const changeGroup = (over: Over, { by, masked }: Way, { uid }: Received, name: string): Promise<Answer | undefined> =>
  by === 'v1'
    ? over(by).send(() => over(by).v1.replace(uid, { name, description: `by v1 ${name}` }))
    : update(over(by), uid, { name }, masked ? 'name' : undefined)

const remove = (over: Over, door: Door, { uid }: Received) =>
  over(door).send(() => (door === 'v1' ? over(door).v1 : over(door).api.groups).delete(uid))

/** What happens to the kin, step by step. */
const steps: readonly Step[] = [
  // the first door changes each of them
  async ({ first, home, child, inner, owner }, over) => {
    const to = over(first.by)
    for (const group of [home, child, inner]) await changeGroup(over, first, group, to.name())
    const claimMatch = { issuer: 'https://issuer.example/kin', subject: to.name() }
    await updateIdentity(
      to,
      owner.uid,
      first.masked ? { name: to.name() } : { claimMatch },
      first.masked ? 'name' : undefined,
    )
  },
  // the other one writes in the group, and the list of what is right in it shows that (S4.9, R7)
  async ({ then, home, owner }, over) => {
    const to = over(then)
    if (then === 'v1') await to.groupByV1(home.uid)
    else await to.group(home.uid)
    await to.identity(home.uid)
    await to.binding(home.uid, owner, 1)
    for (const kind of madeKinds) await to.children(kind, home.uid)
  },
  // it is still full, also the second time, and so is the group in it (S7.6)
  async ({ then, home, child }, over) => {
    for (const group of [home, home, child]) await remove(over, then, group)
  },
  // what the first one was refused does not come with the next good one (R29)
  async ({ first, then, home, owner }, over) => {
    const to = over(first.by)
    const bad = () => ({ name: `Bad@${to.name()}`, description: `refused ${to.name()}` })
    if (first.by === 'v1') await to.send(() => to.v1.replace(home.uid, bad()))
    else {
      await update(to, home.uid, bad(), first.masked ? 'name' : undefined)
      await updateIdentity(to, owner.uid, { name: '', description: `refused ${to.name()}` }, 'name,description')
    }
    await changeGroup(over, { by: then, masked: false }, home, to.name())
  },
  // what is emptied stays so when the other one changes something else (S4.26)
  async ({ first, then, home, owner }, over) => {
    const to = over(first.by)
    if (first.by === 'v1') await to.send(() => to.v1.replace(home.uid, { name: to.name() }))
    else await update(to, home.uid, { description: '' }, 'description')
    await updateIdentity(to, owner.uid, { description: '' }, 'description')
    await over('http').send(() => over('http').v1.get(home.uid))
    if (then !== 'v1') await changeGroup(over, { by: then, masked: false }, home, to.name())
    const other = over(then === 'grpc' ? 'grpc' : 'http')
    await other.send(() => other.api.groups.get(home.uid))
  },
]

/**
 * Lets one door change a group and what lives in it, and another one write there: what one has written, the other knows
 * of everything around it (S1.5, S9.1, R55, R60). Returns how many groups.
 */
export async function askKin(overHttp: Driver, overGrpc: Driver): Promise<number> {
  const scope = (await overHttp.group(overHttp.scope))?.uid
  if (scope === undefined) return 0
  const over: Over = (door) => (door === 'grpc' ? overGrpc : overHttp)
  const all: Kin[] = []
  await inParallel(pairs, atOnce, async ([first, then]) => {
    const described = { description: `kin of ${overHttp.name()}` }
    const home = await overHttp.group(scope, described)
    const [child, owner] = home ? [await overHttp.group(home.uid), await overHttp.identity(home.uid, described)] : []
    const inner = child && (await overHttp.group(child.uid))
    if (home === undefined || child === undefined || inner === undefined || owner === undefined) return
    await overHttp.binding(home.uid, owner)
    all.push({ first, then, home, child, inner, owner })
  })
  const look = async (turn: number) => {
    const query = { ...descendantsOf(scope), page_size: 200 }
    await Promise.all([
      ...[overHttp, overGrpc].flatMap((to) => madeKinds.map((kind) => to.list(kind, query))),
      overHttp.send(() => overHttp.v1.list(turn % 2 === 0 ? childrenOf(scope) : descendantsOf(scope))),
    ])
    // what lags is read again before it changes once more
    await overHttp.run.model.settled()
  }
  await overHttp.run.model.settled()
  for (const [turn, step] of steps.entries()) {
    await inParallel(all, atOnce, (kin) => step(kin, over))
    await look(turn)
  }
  return all.length
}
