import { type KindName, kinds, listedKinds, ownKinds, type PublishedKind, publishedKinds } from '../../api/kinds.ts'
import { descendantsOf } from '../../arrange/scratch.ts'
import { inOtherShapes } from '../../auth/path-shapes.ts'
import type { Call } from '../../http/call.ts'
import type { Driver } from '../driver.ts'
import type { World } from '../world.ts'

/** A call that is drawn when it is sent. */
export interface Shape {
  call: (driver: Driver, world: World) => Promise<Call | undefined>
  name: string
}

const everyOperation = ['list', 'get', 'create', 'update', 'delete'] as const

/** Every operation of every kind in both versions, aimed at the resources of the world. */
export function shapesOf(): Shape[] {
  const shapes: Shape[] = []
  for (const kind of listedKinds) {
    for (const does of everyOperation) {
      if (!(kinds[kind].offered as readonly string[]).includes(does)) continue
      shapes.push({ name: `${kind}.${does}`, call: (driver, world) => callOf(driver, world, kind, does) })
    }
  }
  for (const does of everyOperation)
    shapes.push({ name: `v1.${does}`, call: (driver, world) => callOf(driver, world, 'groups', does, 'v1') })
  for (const kind of listedKinds.filter((one) => one !== 'groups'))
    for (const does of ['list', 'get'] as const)
      shapes.push({ name: `v1.${kind}.${does}`, call: (driver, world) => callOf(driver, world, kind, does, 'v1') })
  // it is not shown whether v1 has these; v2 shows what they would do (R49)
  for (const kind of ownKinds.filter((one) => one !== 'groups'))
    for (const does of ['create', 'update', 'delete'] as const)
      shapes.push({ name: `v1.${kind}.${does}`, call: (driver, world) => callOf(driver, world, kind, does, 'v1') })
  return shapes
}

const nameOf = (kind: KindName, does: string, version?: string) =>
  `${version === undefined ? '' : `${version}.`}${kinds[kind].name}.${does}`

/** A list of all that is below the driver's scope, or in the registry for kinds that a run only reads. */
export function listOf(driver: Driver, kind: KindName, version?: string): Call {
  const scope = kinds[kind].foreign ? driver.run.config.target.registryGroupUid : driver.scope
  const query = scope === undefined || kind === 'roles' ? {} : descendantsOf(scope)
  return { operation: nameOf(kind, 'list', version), method: 'GET', path: driver.path(kind, undefined, version), query }
}

/** The call of an operation, aimed at a drawn resource of the world; with a good token, it would be accepted. */
export async function callOf(
  driver: Driver,
  world: World,
  kind: KindName,
  does: string,
  version?: string,
): Promise<Call | undefined> {
  const { draw } = driver
  const place = draw.one(world.places)
  // a server may check that a group is full before it checks who asks
  const thing = kind === 'groups' && does === 'delete' ? draw.one(world.places).group.uid : thingOf(world, kind, place)
  const operation = nameOf(kind, does, version)
  const at = (uid?: string) => driver.path(kind, uid, version)
  if (does === 'list') {
    const more = draw.one([
      {},
      { page_size: 1 },
      { order_by: 'created_at desc' },
      { order_by: 'name' },
      { skip: 1 },
      { page_size: 200 },
    ])
    const list = listOf(driver, kind, version)
    return { ...list, query: { ...list.query, ...more } }
  }
  if (does === 'create')
    return {
      operation,
      method: 'POST',
      path: at(place.group.uid),
      body: await goodBody(driver, kind, place.identity?.uid),
    }
  if (thing === undefined) return undefined
  if (does === 'get') return { operation, method: 'GET', path: at(thing) }
  if (does === 'delete') return { operation, method: 'DELETE', path: at(thing) }
  const isMasked = kinds[kind].described && draw.below(2) === 0 && version === undefined
  const masked = isMasked ? { query: { updateMask: 'description' } } : {}
  const method = version === undefined ? 'PATCH' : 'PUT'
  return { operation, method, path: at(thing), body: await changeOf(driver, kind), ...masked }
}

const described = (driver: Driver) => {
  const name = driver.name()
  return { name, description: `by nobody ${name}` }
}

/** The body of a create of this kind, which nobody sends with a good token. */
export async function goodBody(
  driver: Driver,
  kind: KindName,
  identityUid: string | undefined,
): Promise<Record<string, unknown>> {
  const body = described(driver)
  if (kind === 'roleBindings') return { identityUid, roleUid: await driver.anyRole() }
  if (kind === 'identities')
    return { ...body, claimMatch: { issuer: 'https://issuer.example/nobody', subject: body.name } }
  const isPublished = (publishedKinds as readonly KindName[]).includes(kind)
  return (isPublished && (await driver.bodyOf(kind as PublishedKind))) || body
}

/** What an update of this kind changes. */
const changeOf = async (driver: Driver, kind: KindName): Promise<Record<string, unknown>> =>
  kind === 'roleBindings' ? { roleUid: await driver.anyRole() } : described(driver)

function thingOf(
  { foreign, offered, places }: World,
  kind: KindName,
  place: World['places'][number],
): string | undefined {
  if (kind === 'groups') return places.at(-1)?.group.uid
  if (kind === 'identities') return place.identity?.uid
  if (kind === 'roleBindings') return place.binding?.uid
  return foreign?.[kind] ?? offered[kind as 'groupInvites']?.[0]?.uid
}

/** Spellings of a call's path that name nothing else; a write uses only those that certainly name the same thing. */
export function otherPaths(call: Call): string[] {
  const [escaped = '', ...others] = inOtherShapes(call).map(({ path }) => path)
  return call.method === 'GET' ? [escaped, ...others.filter((path) => !path.endsWith('.json'))] : [call.path, escaped]
}
