import { type KindName, kinds, listedKinds } from '../api/kinds.ts'
import { descendantsOf } from '../arrange/scratch.ts'
import { signedByOwnKeys } from '../auth/forged-jwt.ts'
import { asPassword, type BadCredential, badCredentials, inForgedForms } from '../auth/invalid-credentials.ts'
import { inOtherShapes } from '../auth/path-shapes.ts'
import { rewritten, trustedHeaders } from '../auth/proxy-headers.ts'
import type { Call } from '../http/call.ts'
import { covering, type Row } from './covering.ts'
import type { Driver } from './driver.ts'
import { inParallel } from './in-parallel.ts'
import { downFrom, type World } from './world.ts'

/** Values that are no token, and mean something to a database, a shell or a programming language. */
const wildValues = ['%', '*', '.*', '_', "' OR '1'='1", 'null', 'undefined', 'true', '0', '[object Object]', '{}']

/** Replace the end of the good token: a server that looks tokens up by pattern finds it. */
const wildEnds = ['%', '*', '________', '.{8}']

/** What parameters, headers and cookies are called in which other services take a token, as few at once as a header has room for. */
const otherPlaces = [
  ['token', 'key', 'jwt'],
  ['api_key', 'id_token', 'auth_token'],
] as const

/** The forms of bad credentials, by name (R39). */
async function formsOf(driver: Driver, issued: readonly BadCredential[]): Promise<Map<string, BadCredential>> {
  const { run } = driver
  const token = await run.tokens.value()
  const all = Object.entries(badCredentials).map(
    async ([name, make]) => [name, await make(token, run.secrets)] as const,
  )
  const forms = new Map<string, BadCredential>(await Promise.all(all))
  for (const [form, bad] of inForgedForms(token, run.secrets)) forms.set(form, bad)
  forms.set('as password', asPassword(token, run.secrets))
  forms.set('in body', { credential: { shown: 'none' } })
  for (const names of otherPlaces) {
    const all = Object.fromEntries(names.map((name) => [name, token]))
    const cookie = names.map((name) => `${name}=${token}`).join('; ')
    forms.set(`${names} in the query`, { credential: { shown: 'none' }, query: all })
    forms.set(`${names} in headers`, { credential: { shown: 'none', beside: { ...all, cookie } } })
  }
  for (const scheme of ['Token', 'JWT', 'BearerX', 'Bearer:']) {
    forms.set(scheme, { credential: { header: `${scheme} ${token}`, shown: `${scheme} $RMAPI_ACCESS_TOKEN` } })
  }
  // the good token behind something else, wherever a header is searched for it
  for (const before of ['Bearer Bearer', 'Basic Bearer', 'xBearer'])
    forms.set(before, { credential: { header: `${before} ${token}`, shown: `${before} $RMAPI_ACCESS_TOKEN` } })
  // every operation is called with no header at all elsewhere
  forms.delete('no-header')
  forms.set('trusted headers', {
    credential: { shown: 'none', beside: Object.assign({}, ...Object.values(trustedHeaders)) },
  })
  for (const [name, beside] of Object.entries({ ...trustedHeaders, rewritten }))
    forms.set(name, { credential: { shown: 'none', beside } })
  for (const [alg, forged] of await signedByOwnKeys(token)) {
    const shown = `<RMAPI_ACCESS_TOKEN, signed with ${alg} by the key in its header>`
    run.secrets.hide(forged, shown)
    forms.set(shown, { credential: { header: `Bearer ${forged}`, shown: `Bearer ${shown}` } })
  }
  for (const value of wildValues)
    forms.set(value, { credential: { header: `Bearer ${value}`, shown: `Bearer ${value}` } })
  for (const end of wildEnds) {
    const altered = token.slice(0, -8) + end
    const shown = `<RMAPI_ACCESS_TOKEN, its last eight characters replaced by ${end}>`
    run.secrets.hide(altered, shown)
    forms.set(shown, { credential: { header: `Bearer ${altered}`, shown: `Bearer ${shown}` } })
  }
  for (const [index, credential] of issued.entries()) forms.set(`issued ${index}`, credential)
  return forms
}

interface Shape {
  call: (driver: Driver, world: World) => Call | undefined
  name: string
}

const everyOperation = ['list', 'get', 'create', 'update', 'delete'] as const

/** Every operation of every kind in both versions, aimed at the resources of the world. */
function shapesOf(): Shape[] {
  const shapes: Shape[] = []
  for (const kind of listedKinds) {
    for (const does of everyOperation) {
      if (!(kinds[kind].offered as readonly string[]).includes(does)) continue
      shapes.push({ name: `${kind}.${does}`, call: (driver, world) => callOf(driver, world, kind, does) })
    }
  }
  for (const does of everyOperation)
    shapes.push({ name: `v1.${does}`, call: (driver, world) => callOf(driver, world, 'groups', does, 'v1') })
  // whether v1 has these is not shown; what they would do is seen in v2 (R49)
  for (const kind of ['identities', 'roleBindings'] as const)
    for (const does of ['create', 'update', 'delete'] as const)
      shapes.push({ name: `v1.${kind}.${does}`, call: (driver, world) => callOf(driver, world, kind, does, 'v1') })
  return shapes
}

function callOf(driver: Driver, world: World, kind: KindName, does: string, version?: string): Call | undefined {
  const { draw, run } = driver
  const place = draw.one(world.places)
  // that a group is full may be looked at before who asks
  const thing = kind === 'groups' && does === 'delete' ? draw.one(world.places).group.uid : thingOf(world, kind, place)
  const registry = run.config.target.registryGroupUid
  const scope = kinds[kind].foreign ? registry : driver.scope
  const operation = `${version === undefined ? '' : `${version}.`}${kinds[kind].name}.${does}`
  const text = driver.name()
  const at = (uid?: string) => driver.path(kind, uid, version)
  if (does === 'list') {
    const query = scope === undefined || kind === 'roles' ? {} : descendantsOf(scope)
    const more = draw.one([{}, { page_size: 1 }, { order_by: 'created_at desc' }, { skip: 1 }, { page_size: 200 }])
    return { operation, method: 'GET', path: at(), query: { ...query, ...(version === undefined ? more : {}) } }
  }
  if (does === 'create')
    return {
      operation,
      method: 'POST',
      path: at(place.group.uid),
      body: { name: text, description: `by nobody ${text}` },
    }
  if (thing === undefined) return undefined
  if (does === 'get') return { operation, method: 'GET', path: at(thing) }
  if (does === 'delete') return { operation, method: 'DELETE', path: at(thing) }
  const masked = draw.below(2) === 0 && version === undefined ? { query: { updateMask: 'description' } } : {}
  const method = version === undefined ? 'PATCH' : 'PUT'
  return { operation, method, path: at(thing), body: { name: text, description: `by nobody ${text}` }, ...masked }
}

function thingOf({ offered, places }: World, kind: KindName, place: World['places'][number]): string | undefined {
  if (kind === 'groups') return places.at(-1)?.group.uid
  if (kind === 'identities') return place.identity?.uid
  if (kind === 'roleBindings') return place.binding?.uid
  return offered[kind as 'groupInvites']?.[0]?.uid
}

/** How many levels below the deepest place of the world there is one more. */
const levels = 6

/** A world of one place, far below: what guards paths may know them up to some length (R39). */
async function deepWorld(driver: Driver, { places, shared }: World): Promise<World | undefined> {
  const group = await downFrom(driver, places.at(-1)?.group, levels)
  if (group === undefined) return undefined
  const identity = await driver.identity(group.uid)
  const binding = await driver.binding(group.uid, identity)
  return { places: [{ group, ...(identity && { identity }), ...(binding && { binding }) }], shared, offered: {} }
}

/** What is asked of the deep place. */
const deepShapes: readonly [KindName, string, string?][] = [
  ['groups', 'get'], ['groups', 'get'], ['groups', 'update'], ['groups', 'create'], ['groups', 'get', 'v1'], ['groups', 'delete'],
  ['identities', 'get'], ['identities', 'update'], ['identities', 'create'], ['roleBindings', 'get'],
] // biome-ignore format: a table

/** Sends the good token in other places, and what is none far below; each form goes where it shows for certain. */
async function askFurther(driver: Driver, world: World, forms: ReadonlyMap<string, BadCredential>): Promise<void> {
  const deep = await deepWorld(driver, world)
  const none: BadCredential = { credential: { shown: 'none' } }
  const elsewhere = otherPlaces.flatMap((names) =>
    [`${names} in the query`, `${names} in headers`].flatMap((form) =>
      ['list', 'get'].map((does) => ({ bad: forms.get(form), call: callOf(driver, world, 'groups', does) })),
    ),
  )
  const below = deepShapes.map((shape, at) => ({
    bad: at % 2 === 0 ? none : forms.get('garbage'),
    call: deep && callOf(driver, deep, ...shape),
  }))
  await inParallel([...elsewhere, ...below], 8, async ({ bad, call }) => {
    if (bad && call) await driver.call({ ...call, credential: bad.credential, query: { ...call.query, ...bad.query } })
  })
}

/** The rows in another order: every form has its first turn before one has its second. */
function inTurn(rows: readonly Row[]): Row[] {
  const turns = new Map<unknown, number>()
  const turnOf = ({ form }: Row) => {
    const turn = turns.get(form) ?? 0
    turns.set(form, turn + 1)
    return turn
  }
  return rows
    .map((row) => ({ row, turn: turnOf(row) }))
    .sort((a, b) => a.turn - b.turn)
    .map(({ row }) => row)
}

/** The path of a call in spellings that name nothing else; a write keeps to those that name one thing for certain. */
function otherPaths(call: Call): string[] {
  const [escaped = '', ...others] = inOtherShapes(call).map(({ path }) => path)
  return call.method === 'GET' ? [escaped, ...others.filter((path) => !path.endsWith('.json'))] : [call.path, escaped]
}

/** Sends calls with bad credentials by pairs of form and operation; now and then everything is read. Gives how many. */
export async function askCredentials(
  driver: Driver,
  world: World,
  issued: readonly BadCredential[],
  most: number,
): Promise<number> {
  if (world.places.length === 0) return 0
  const forms = await formsOf(driver, issued)
  const token = await driver.run.tokens.value()
  const shapes = shapesOf()
  const all = covering({ form: [...forms.keys()], shape: shapes }, 2, driver.draw)
  const plain = all.filter(({ form }) => form === 'trusted headers' || form === 'garbage')
  // over gRPC nothing has a path or parameters
  if (issued.length === 0 && driver.run.over !== 'grpc') await askFurther(driver, world, forms)
  const rows = [
    ...plain,
    ...inTurn(all.filter((row) => !plain.includes(row))).slice(0, Math.max(0, most - plain.length)),
  ]
  for (let at = 0; at < rows.length; at += 40) {
    await inParallel(rows.slice(at, at + 40), 8, async ({ form, shape }) => {
      const call = (shape as Shape).call(driver, world)
      const bad = forms.get(String(form))
      if (!call || !bad) return
      // a guard may know the path in one spelling alone
      const path = form === 'garbage' ? driver.draw.one(otherPaths(call)) : call.path
      const inBody = call.body && form === 'in body' ? { body: { ...(call.body as object), access_token: token } } : {}
      await driver.call({
        ...call,
        ...inBody,
        path,
        credential: bad.credential,
        query: { ...call.query, ...bad.query },
      })
    })
    await driver.frame(['groups', 'identities', 'roleBindings'])
  }
  return rows.length
}
