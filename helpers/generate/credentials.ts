import { present } from '../../schemas/present.ts'
import { type KindName, kinds } from '../api/kinds.ts'
import { signedByOwnKeys } from '../auth/forged-jwt.ts'
import { asPassword, asUser, type BadCredential, badCredentials, inForgedForms } from '../auth/invalid-credentials.ts'
import { rewritten, trustedHeaders } from '../auth/proxy-headers.ts'
import { connectType, webType } from '../grpc/frames.ts'
import { type Call, noCredential } from '../http/call.ts'
import { covering, type Row } from './covering.ts'
import type { Driver } from './driver.ts'
import { inParallel } from './in-parallel.ts'
import { askNames } from './steps/named-lists.ts'
import { askInFlight } from './wire/in-flight.ts'
import { callOf, goodBody, otherPaths, type Shape, shapesOf } from './wire/operations.ts'
import { askRefusedPages } from './wire/page-tokens.ts'
import { askUnguarded } from './wire/unguarded.ts'
import { downFrom, type World, withForeign, worldOf } from './world.ts'

/** Values that are not tokens, and have a meaning in a database, a shell or a programming language. */
const wildValues = ['%', '*', '.*', '_', "' OR '1'='1", 'null', 'undefined', 'true', '0', '[object Object]', '{}']

/** Endings for the good token: a server that looks tokens up by pattern finds it. */
const wildEnds = ['%', '*', '________', '.{8}']

/** Parameters, headers and cookies in which other services take a token, few at a time so that they fit in a header. */
const otherPlaces = [
  ['token', 'key', 'jwt'],
  ['api_key', 'id_token', 'auth_token'],
  ['x-auth-request-access-token', 'x-forwarded-access-token'],
] as const

/** The good token in the usual places, all at once: every operation is tried (R39). */
const usualPlaces = 'in the usual other places'

/** The forms of bad credentials, by name (R39). */
async function formsOf(driver: Driver): Promise<Map<string, BadCredential>> {
  const { run } = driver
  const token = await run.tokens.value()
  const all = Object.entries(badCredentials).map(
    async ([name, make]) => [name, await make(token, run.secrets)] as const,
  )
  const forms = new Map<string, BadCredential>(await Promise.all(all))
  for (const [form, bad] of inForgedForms(token, run.secrets)) forms.set(form, bad)
  forms.set('as password', asPassword(token, run.secrets))
  forms.set('as user', asUser(token, run.secrets))
  forms.set('in body', { credential: noCredential })
  const beside = { 'x-api-key': token, 'x-access-token': token, cookie: `access_token=${token}` }
  forms.set(usualPlaces, { credential: { shown: 'none', beside }, query: { access_token: token, token } })
  for (const names of otherPlaces) {
    const all = Object.fromEntries(names.map((name) => [name, token]))
    const cookie = names.map((name) => `${name}=${token}`).join('; ')
    forms.set(`${names} in the query`, { credential: noCredential, query: all })
    forms.set(`${names} in headers`, { credential: { shown: 'none', beside: { ...all, cookie } } })
  }
  const cookie = ['authorization', 'bearer', 'sid'].map((name) => `${name}=${token}`).join('; ')
  forms.set('in further cookies', { credential: { shown: 'none', beside: { cookie } } })
  for (const scheme of ['Token', 'JWT', 'BearerX', 'Bearer:']) {
    forms.set(scheme, { credential: { header: `${scheme} ${token}`, shown: `${scheme} $RMAPI_ACCESS_TOKEN` } })
  }
  // the good token after something else: a server may search the header for it
  for (const before of ['Bearer Bearer', 'Basic Bearer', 'xBearer'])
    forms.set(before, { credential: { header: `${before} ${token}`, shown: `${before} $RMAPI_ACCESS_TOKEN` } })
  // no-header is tried on every operation elsewhere
  forms.delete('no-header')
  forms.set('trusted headers', {
    credential: { shown: 'none', beside: Object.assign({}, ...Object.values(trustedHeaders)) },
  })
  for (const [name, beside] of Object.entries({ ...trustedHeaders, rewritten }))
    forms.set(name, { credential: { shown: 'none', beside } })
  for (const [alg, forged] of await signedByOwnKeys(token)) {
    const shown = `<RMAPI_ACCESS_TOKEN, signed with ${alg} by the key in its header>`
    run.secrets.hideSignature(forged, shown)
    forms.set(shown, { credential: { header: `Bearer ${forged}`, shown: `Bearer ${shown}` } })
  }
  for (const value of wildValues)
    forms.set(value, { credential: { header: `Bearer ${value}`, shown: `Bearer ${value}` } })
  for (const end of wildEnds) {
    const altered = token.slice(0, -8) + end
    const shown = `<RMAPI_ACCESS_TOKEN, its last eight characters replaced by ${end}>`
    run.secrets.hideSignature(altered, shown)
    forms.set(shown, { credential: { header: `Bearer ${altered}`, shown: `Bearer ${shown}` } })
  }
  return forms
}

/** How many levels below the deepest place of the world the extra one is. */
const levels = 6

/** A world of one place, at great depth: what guards paths may only know them up to some length (R39). */
async function deepWorld(driver: Driver, { places, shared }: World): Promise<World | undefined> {
  const group = await downFrom(driver, places.at(-1)?.group, levels)
  if (group === undefined) return undefined
  const identity = await driver.identity(group.uid)
  const binding = await driver.binding(group.uid, identity)
  return worldOf([{ group, ...present({ identity, binding }) }], shared, {})
}

/** The operations tried at the deep place. */
const deepShapes: readonly [KindName, string, string?][] = [
  ['groups', 'get'], ['groups', 'get'], ['groups', 'update'], ['groups', 'create'], ['groups', 'get', 'v1'], ['groups', 'delete'],
  ['identities', 'get'], ['identities', 'update'], ['identities', 'create'], ['roleBindings', 'get'],
] // biome-ignore format: a table

/** Sends the good token in other places, and bad credentials at great depth; each form where it certainly shows. */
async function askFurther(driver: Driver, world: World, forms: ReadonlyMap<string, BadCredential>): Promise<void> {
  const deep = await deepWorld(driver, world)
  const none: BadCredential = { credential: noCredential }
  const elsewhere = otherPlaces.flatMap((names) =>
    [`${names} in the query`, `${names} in headers`].flatMap((form) =>
      ['list', 'get'].map((does) => ({ bad: forms.get(form), call: callOf(driver, world, 'groups', does) })),
    ),
  )
  const below = deepShapes.map((shape, at) => ({
    bad: at % 2 === 0 ? none : forms.get('garbage'),
    call: deep && callOf(driver, deep, ...shape),
  }))
  await inParallel([...elsewhere, ...below], 8, async ({ bad, call: drawn }) => {
    const call = await drawn
    if (bad && call) await driver.call({ ...call, credential: bad.credential, query: { ...call.query, ...bad.query } })
  })
}

/** Repeats a good create under its idempotency key without a token: a stored answer is not for everybody (R39). */
async function askStored(driver: Driver): Promise<void> {
  const home = await driver.group(driver.scope)
  if (home === undefined) return
  for (const kind of ['groups', 'identities'] as const) {
    const [body, headers] = [await goodBody(driver, kind, undefined), { 'idempotency-key': driver.name() }]
    await driver.send(() => driver.api[kind].create(home.uid, body, { headers }))
    const again = { operation: `${kinds[kind].name}.create`, path: driver.path(kind, home.uid), body, headers }
    await driver.call({ ...again, method: 'POST', credential: noCredential })
  }
}

/** The content types under which a message may go besides the usual one, gRPC-Web and Connect among them. */
const contentTypes = ['application/grpc+proto', 'application/grpc;charset=utf-8', webType, connectType]

/** Calls over gRPC without a token under other content types: a guard may know only one (R39, R60). */
async function askContentTypes(driver: Driver, world: World): Promise<void> {
  const calls = await Promise.all(['list', 'get', 'create'].map((does) => callOf(driver, world, 'groups', does)))
  const rows = calls.flatMap((call) => contentTypes.map((rpcType) => ({ call, rpcType })))
  await inParallel(rows, 8, async ({ call, rpcType }) => {
    if (call) await driver.call({ ...call, rpcType, credential: noCredential })
  })
}

/** The rows in another order: each form comes once before any comes twice. */
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

/** The forms tried on every operation; gRPC methods get garbage and no header elsewhere. */
const [onEachOperation, onEachMethod] = [
  ['trusted headers', 'garbage', usualPlaces, 'as password'],
  ['unsigned', 'altered', 'cut-short', 'other-scheme'],
]

/** Sends a call with a bad credential; `token` is the good one, which some forms have in the body. */
async function sendBad(driver: Driver, call: Call, form: string, bad: BadCredential, token: string): Promise<void> {
  // a guard may know only one spelling of the path
  const path = form === 'garbage' ? driver.draw.one(otherPaths(call)) : call.path
  const inBody =
    call.body && (form === 'in body' || form === usualPlaces)
      ? { body: { ...(call.body as object), access_token: token } }
      : {}
  await driver.call({ ...call, ...inBody, path, credential: bad.credential, query: { ...call.query, ...bad.query } })
}

/** How many groups are looked for by name afterwards. */
const namesAsked = 16

/** Sends bad credentials, in pairs of form and operation, and reads everything now and then; returns how many. */
export async function askCredentials(driver: Driver, made: World, most: number): Promise<number> {
  if (made.places.length === 0) return 0
  const world = await withForeign(driver, made)
  const forms = await formsOf(driver)
  const token = await driver.run.tokens.value()
  const overGrpc = driver.run.over === 'grpc'
  const shapes = shapesOf().filter(({ name }) => !overGrpc || !name.startsWith('v1.'))
  const all = covering({ form: [...forms.keys()], shape: shapes }, 2, driver.draw)
  const everywhere = overGrpc ? onEachMethod : onEachOperation
  const plain = all.filter(({ form }) => everywhere.includes(String(form)))
  // gRPC has no path and no parameters
  if (overGrpc) await askContentTypes(driver, world)
  else await Promise.all([askFurther(driver, world, forms), askStored(driver), askUnguarded(driver, world)])
  await askRefusedPages(driver)
  await askInFlight(driver, world)
  // in metadata there are no parameters
  const others = inTurn(all.filter((row) => !plain.includes(row))).filter(
    ({ form }) => !overGrpc || forms.get(String(form))?.query === undefined,
  )
  const once = new Set(others.map(({ form }) => form)).size
  const rows = [...plain, ...others.slice(0, Math.max(once, most - plain.length))]
  for (let at = 0; at < rows.length; at += 40) {
    await inParallel(rows.slice(at, at + 40), 8, async ({ form, shape }) => {
      const call = await (shape as Shape).call(driver, world)
      const bad = forms.get(String(form))
      if (call && bad) await sendBad(driver, call, String(form), bad, token)
    })
    await driver.frame()
  }
  // a refused call may have changed what names find
  await askNames(driver, namesAsked)
  return rows.length
}
