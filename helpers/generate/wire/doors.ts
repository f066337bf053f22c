import { type KindName, kinds, type OwnKind, ownKinds } from '../../api/kinds.ts'
import type { Received } from '../../api/received.ts'
import { ordersOf } from '../../arrange/listings.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import { succeeded } from '../../http/call.ts'
import { covering } from '../covering.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import { descriptions } from '../texts/samples.ts'
import { make } from '../world.ts'

/** By what a call goes: a protocol, or the other version. */
export type Door = 'http' | 'grpc' | 'v1'

/** How an update is sent. */
export interface Way {
  by: Door
  masked: boolean
}

/** One resource of a kind: by what it is made, changed twice, deleted, and made again. */
interface Life {
  made: Door
  first?: Way
  second?: Way
  gone: Door
  again: Door
  /** What it has now; a new one has the same again, without a description. */
  body: Record<string, unknown>
  uid: string | undefined
  /** The one that was deleted. */
  was?: string
}

/** How many calls are sent at once. */
const atOnce = 8

/**
 * Makes, changes, deletes and makes again resources of every kind, each by another pair of protocols and versions, with a
 * mask and without, and reads them through every list after each step: what one has written may be unknown to another, or
 * to what it writes next (S1.5, S9.1, R28, R55, R60). Returns how many lives.
 */
export async function askDoors(overHttp: Driver, overGrpc: Driver): Promise<number> {
  const lives = await Promise.all(ownKinds.map((kind) => liveSideBySide(overHttp, overGrpc, kind)))
  return lives.reduce((sum, count) => sum + count, 0)
}

/** Takes all lives of a kind through each step together, so that few lists show them all. */
async function liveSideBySide(overHttp: Driver, overGrpc: Driver, kind: OwnKind): Promise<number> {
  const home = (await overHttp.group(overHttp.scope))?.uid
  if (home === undefined) return 0
  const over = (door: Door) => (door === 'grpc' ? overGrpc : overHttp)
  const doors: readonly Door[] = kind === 'groups' ? ['http', 'grpc', 'v1'] : ['http', 'grpc']
  const lives: Life[] = []
  await inParallel(rowsOf(overHttp, kind, doors), atOnce, async (row) => {
    lives.push({ ...row, body: await bodyFor(overHttp, kind, home), uid: undefined } as Life)
  })
  const listAll = () =>
    Promise.all([
      ...[overHttp, overGrpc].flatMap((to) => viewsOf(kind, home).map((query) => to.list(kind, query))),
      ...(kind === 'groups' ? [childrenOf(home), descendantsOf(home)] : []).map((scope) =>
        overHttp.send(() => overHttp.v1.list(scope)),
      ),
    ])
  const look = async (step: number) => {
    await listAll()
    const isUpdate = step === 1 || step === 2
    const inTurn = (at: number) => [doors[(at + step) % doors.length]!]
    await inParallel([...lives.entries()], atOnce, async ([at, life]) => {
      if (isUpdate && life.first === undefined) return
      const scope = isOdd((at >> 2) + step) ? childrenOf(home) : descendantsOf(home)
      // few updates have a mask
      const isMasked = (step === 1 && life.first?.masked) || (step === 2 && life.second?.masked)
      const uid = life.uid ?? life.was
      for (const by of isMasked ? doors : inTurn(at)) if (uid !== undefined) await getBy(over(by), by, kind, uid)
      const { name } = life.body
      if (kinds[kind].named) await over(isOdd(at + step) ? 'grpc' : 'http').list(kind, { ...scope, name: String(name) })
    })
    // what lags is read again before it changes once more
    await overHttp.run.model.settled()
  }
  const steps: ((life: Life, at: number) => Promise<unknown>)[] = [
    (life) => makeBy(over(life.made), life.made, kind, home, life),
    (life, at) => changeBy(over, kind, life, life.first, at),
    (life, at) => changeBy(over, kind, life, life.second, at + 2),
    (life) => deleteBy(over(life.gone), life.gone, kind, life),
    (life) => makeBy(over(life.again), life.again, kind, home, life),
  ]
  for (const [step, take] of steps.entries()) {
    if ((step === 1 || step === 2) && !isUpdated(kind)) continue
    await inParallel([...lives.entries()], atOnce, ([at, life]) => take(life, at))
    await look(step)
    // each has changed by then, and none is gone
    if (step === 2 && kinds[kind].shown) await turnPages([overHttp, overGrpc], kind, home, lives.length)
  }
  const ways = waysOf(doors)
  await inParallel([...lives.filter(({ first }) => first === undefined).entries()], atOnce, ([at, life]) =>
    liveAgain(over, kind, life, {
      way: ways.at(-1 - (at >> 1))!,
      gone: doors[at % doors.length]!,
      isChanged: !isOdd(at),
    }),
  )
  await listAll()
  return lives.length
}

/** Skips one and turns pages in each order: a page may know less of what another door has written than a whole list. */
async function turnPages(drivers: readonly Driver[], kind: OwnKind, home: string, count: number): Promise<void> {
  const page_size = Math.max(1, Math.ceil(count / 2) - 1)
  const walks = drivers.flatMap((to, which) =>
    ordersOf(kind)
      // over gRPC calls are expensive
      .filter((_, at) => which === 0 || !isOdd(at))
      .map((order_by, at) => ({
        to,
        query: { ...(isOdd(at) ? descendantsOf : childrenOf)(home), order_by, page_size, skip: 1 },
      })),
  )
  await inParallel(walks, atOnce, ({ to, query }) => to.walk(kind, query, 3))
}

/** Changes or deletes what was made again: nothing of what was deleted gets in the way (R28). */
async function liveAgain(
  over: (door: Door) => Driver,
  kind: OwnKind,
  life: Life,
  { way, gone, isChanged }: { way: Way; gone: Door; isChanged: boolean },
): Promise<void> {
  const { uid } = life
  if (isChanged && isUpdated(kind)) await changeBy(over, kind, life, way, 0)
  else await deleteBy(over(gone), gone, kind, life)
  if (uid !== undefined) await getBy(over(gone), gone, kind, uid)
}

const isOdd = (number: number) => number % 2 === 1

const isUpdated = (kind: OwnKind) => kinds[kind].offered.some((does) => does === 'update')

/** An update by each door, and where there are masks with one. */
const waysOf = (doors: readonly Door[]): Way[] => [
  ...doors.map((by) => ({ by, masked: false })),
  ...doors.filter((by) => by !== 'v1').map((by) => ({ by, masked: true })),
]

/** Rows in which any two steps come by each pair of ways, and some whose resource is never changed. */
function rowsOf({ draw }: Driver, kind: OwnKind, doors: readonly Door[]) {
  const plain = doors.map((by): Way => ({ by, masked: false }))
  const all = waysOf(doors)
  const ends = { made: doors, gone: doors, again: doors }
  const updates = { first: all, second: kind === 'groups' || kind === 'identities' ? all : plain }
  return [...covering(ends, 2, draw), ...(isUpdated(kind) ? covering({ ...ends, ...updates }, 2, draw) : [])]
}

/** What one resource is made of. */
async function bodyFor(to: Driver, kind: OwnKind, home: string): Promise<Record<string, unknown>> {
  const name = to.name()
  if (kind === 'groupInvites') return {}
  if (kind === 'roleBindings')
    return { identityUid: (await to.identity(home))?.uid, roleUid: (await to.roles())[0]?.uid }
  const claimMatch = { issuer: `https://issuer.example/${name}`, subject: `subject-${name}` }
  return { name, description: textFor(to), ...(kind === 'identities' && { claimMatch }) }
}

/** A description that some codec may change. */
const textFor = ({ draw }: Driver) => draw.one(descriptions)

/** The lists that show all of a kind in a group. */
function viewsOf(kind: KindName, home: string) {
  const { named, dated } = kinds[kind]
  return [
    childrenOf(home),
    descendantsOf(home),
    ...(named ? [{ ...descendantsOf(home), order_by: 'name' }] : []),
    ...(dated ? [{ ...childrenOf(home), order_by: 'created_at desc' }] : []),
  ].map((query) => ({ ...query, page_size: 200 }))
}

const getBy = (to: Driver, door: Door, kind: KindName, uid: string) =>
  to.send(() => (door === 'v1' ? to.v1.get(uid) : to.api[kind].get(uid)))

async function makeBy(to: Driver, door: Door, kind: OwnKind, home: string, life: Life): Promise<void> {
  if (life.uid !== undefined) return
  const { body } = life
  const made: Received | undefined =
    door === 'v1'
      ? await to.groupByV1(home, body)
      : kind === 'roleBindings'
        ? await to.made(() => to.api.roleBindings.create(home, body))
        : await make(to, kind, home, body)
  life.uid = made?.uid
  // the next one of that name is not described
  const { description: _first, ...others } = body
  life.body = others
}

async function changeBy(
  over: (door: Door) => Driver,
  kind: OwnKind,
  { uid, body }: Life,
  way: Way | undefined,
  at: number,
): Promise<void> {
  if (uid === undefined || way === undefined) return
  const to = over(way.by)
  const sent =
    kind === 'roleBindings'
      ? { roleUid: (await to.roles())[1 + (at % 3)]?.uid, identityUid: body.identityUid }
      : { name: to.name(), description: textFor(to) }
  const [one = '', other = one] = Object.keys(sent).filter((member) => member !== 'identityUid')
  const updateMask = way.masked ? (isOdd(at >> 1) ? one : other) : undefined
  const isShared = kinds[kind].described && !way.masked && way.by !== 'v1' && at % 3 === 2
  const change = (by: Driver, body: Record<string, unknown>) =>
    by.send(() => by.api[kind].update(uid, body, { query: { updateMask } }))
  // at the same moment each member by another protocol: both hold (R31)
  const [answer] = isShared
    ? await Promise.all([
        change(to, { [one]: sent.name }),
        change(over(way.by === 'http' ? 'grpc' : 'http'), { [other]: sent.description }),
      ])
    : [await (way.by === 'v1' ? to.send(() => to.v1.replace(uid, sent)) : change(to, sent))]
  const isChanged = answer !== undefined && succeeded(answer) && (updateMask ?? one) === one
  if (isChanged) Object.assign(body, { [one]: Object.values(sent)[0] })
}

async function deleteBy(to: Driver, door: Door, kind: OwnKind, life: Life): Promise<void> {
  const { uid } = life
  if (uid === undefined) return
  const answer = await to.send(() => (door === 'v1' ? to.v1.delete(uid) : to.api[kind].delete(uid)))
  if (answer !== undefined && succeeded(answer)) Object.assign(life, { uid: undefined, was: uid })
}
