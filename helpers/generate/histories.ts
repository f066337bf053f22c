import type { Received } from '../api/received.ts'
import { childrenOf, descendantsOf } from '../arrange/scratch.ts'
import type { Driver } from './driver.ts'
import { askNames } from './steps/named-lists.ts'

/** What a history has made so far, and the names it has given. */
export interface Past {
  groups: Received[]
  identities: Received[]
  bindings: Received[]
  names: string[]
  gone: Received[]
}

export type Step = (driver: Driver, past: Past) => Promise<unknown>

/** What a history may do; the more often it is listed, the more often it is drawn. */
const steps: readonly Step[] = [
  createGroup, createGroup, createGroup, renameGroup, renameGroup, describeGroup, describeGroup, renameBack, deleteGroup, deleteGroup,
  createAgain, createIdentity, createIdentity, changeIdentity, changeIdentity, deleteIdentity, bind, bind, unbind, byV1, byV1, refused, refused,
] // biome-ignore format: a table

/** Additional steps, and what ends a history early: checked after each step. */
interface Further {
  besides?: readonly Step[]
  isOver?: () => boolean
}

/** Draws one history and runs it; reads a little after each step and everything now and then. */
export async function askHistory(
  driver: Driver,
  length: number,
  { besides = [], isOver = () => false }: Further = {},
): Promise<number> {
  const past: Past = { groups: [], identities: [], bindings: [], names: [], gone: [] }
  const all = [...steps, ...besides]
  for (let at = 0; at < length; at++) {
    await driver.draw.one(all)(driver, past)
    await look(driver, past)
    if (at % 6 === 5) await driver.frame()
    if (isOver()) return at + 1
  }
  await finish(driver, past)
  return length
}

/** The past of a place shows in its totals, skips and walks, also after one more refusal. */
async function finish(driver: Driver, past: Past): Promise<void> {
  const parents = past.gone.map((group) => driver.homeOf(group, 'groups'))
  const places = [...new Set([driver.scope, ...parents])].filter(
    (place) => place === driver.scope || past.groups.some(({ uid }) => uid === place),
  )
  for (const place of places.slice(0, 3))
    await driver.send(() => driver.api.groups.create(place, { name: `Bad@${driver.name()}` }))
  await driver.frame()
  await askNames(driver, 14)
  for (const place of places.slice(0, 3)) {
    await driver.children('groups', place)
    for (const scope of [childrenOf(place), descendantsOf(place)]) {
      await driver.walk('groups', { ...scope, page_size: 2 })
      await driver.list('groups', { ...scope, order_by: 'name', skip: 1, page_size: 200 })
    }
  }
  await driver.run.model.settled()
}

/** One drawn reading: another view often shows what a fault hides. */
async function look(driver: Driver, past: Past): Promise<void> {
  const { api, draw, scope } = driver
  const group = past.groups.length > 0 ? draw.one(past.groups) : undefined
  const within = draw.below(2) === 0 || group === undefined ? scope : group.uid
  const views = [
    () => group && driver.send(() => api.groups.get(group.uid)),
    () => group && driver.send(() => driver.v1.get(group.uid)),
    () => past.names.length > 0 && driver.list('groups', { ...descendantsOf(scope), name: draw.one(past.names) }),
    () =>
      driver.list('groups', {
        ...descendantsOf(within),
        order_by: draw.one(['name', 'name desc', 'created_at', 'created_at desc']),
      }),
    () => driver.walk('groups', { ...childrenOf(within), page_size: 2 }),
    () => driver.list('groups', { ...descendantsOf(within), skip: 1 + draw.below(3), page_size: 3 }),
    () => driver.list('identities', childrenOf(within)),
    () => driver.list('roleBindings', descendantsOf(within)),
    () => askNames(driver, 2),
    () => past.gone.length > 0 && driver.send(() => api.groups.get(draw.one(past.gone).uid)),
  ]
  await draw.one(views)()
  await driver.run.model.settled()
}

async function createGroup(driver: Driver, past: Past): Promise<void> {
  const parent = past.groups.length > 0 && driver.draw.below(3) > 0 ? driver.draw.one(past.groups).uid : driver.scope
  // sometimes a namesake (R3)
  const name = past.names.length > 0 && driver.draw.below(4) === 0 ? driver.draw.one(past.names) : driver.name()
  const made = await driver.group(parent, {
    name,
    ...(driver.draw.below(2) === 0 ? { description: `of ${name}` } : {}),
  })
  if (made) past.groups.push(made)
  past.names.push(name)
}

async function renameGroup(driver: Driver, past: Past): Promise<void> {
  if (past.groups.length === 0) return
  const [{ uid }, name] = [driver.draw.one(past.groups), driver.name()]
  const masked = driver.draw.below(2) === 0
  const body = masked ? { name, description: `left out ${name}` } : { name }
  await driver.send(() => driver.api.groups.update(uid, body, masked ? { query: { updateMask: 'name' } } : {}))
  past.names.push(name)
}

async function renameBack(driver: Driver, past: Past): Promise<void> {
  if (past.groups.length === 0) return
  const { uid } = driver.draw.one(past.groups)
  await driver.send(() => driver.api.groups.update(uid, { name: driver.draw.one(past.names) }))
}

async function describeGroup(driver: Driver, past: Past): Promise<void> {
  if (past.groups.length === 0) return
  const { uid } = driver.draw.one(past.groups)
  const description = driver.draw.one(['', 'the same again', `new ${driver.name()}`])
  const query = description === '' || driver.draw.below(2) === 0 ? { updateMask: 'description' } : {}
  await driver.send(() => driver.api.groups.update(uid, { description }, { query }))
}

async function deleteGroup(driver: Driver, past: Past): Promise<void> {
  if (past.groups.length === 0) return
  const group = driver.draw.below(2) === 0 ? past.groups.at(-1)! : driver.draw.one(past.groups)
  const answer = await driver.send(() => driver.api.groups.delete(group.uid))
  if (answer === undefined || answer.status > 299) return
  past.groups = past.groups.filter((other) => other !== group)
  past.gone.push(group)
}

async function createAgain(driver: Driver, past: Past): Promise<void> {
  const gone = past.gone.at(-1)
  if (gone === undefined) return
  const parent = gone.uid.slice(0, gone.uid.lastIndexOf('/'))
  const made = await driver.group(parent, { name: String(gone.name) })
  if (made) past.groups.push(made)
}

async function createIdentity(driver: Driver, past: Past): Promise<void> {
  const parent = past.groups.length > 0 ? driver.draw.one(past.groups).uid : driver.scope
  const made = await driver.identity(parent)
  if (made) past.identities.push(made)
}

async function changeIdentity(driver: Driver, past: Past): Promise<void> {
  if (past.identities.length === 0) return
  const { uid } = driver.draw.one(past.identities)
  const name = driver.name()
  const body = driver.draw.one<Record<string, unknown>>([
    { name },
    { description: `of ${name}` },
    { claimMatch: { issuer: `https://issuer.example/${name}`, subject: `subject-${name}` } },
  ])
  await driver.send(() => driver.api.identities.update(uid, body))
}

async function deleteIdentity(driver: Driver, past: Past): Promise<void> {
  const identity = past.identities.pop()
  if (identity) await driver.send(() => driver.api.identities.delete(identity.uid))
}

async function bind(driver: Driver, past: Past): Promise<void> {
  if (past.identities.length === 0) return
  const identity = driver.draw.one(past.identities)
  const made = await driver.binding(driver.homeOf(identity, 'identities'), identity, driver.draw.below(4))
  if (made) past.bindings.push(made)
}

async function unbind(driver: Driver, past: Past): Promise<void> {
  const binding = past.bindings.shift()
  if (binding) await driver.send(() => driver.api.roleBindings.delete(binding.uid))
}

async function byV1(driver: Driver, past: Past): Promise<void> {
  if (past.groups.length === 0) return
  const { uid } = driver.draw.one(past.groups)
  const name = driver.name()
  past.names.push(name)
  const whole = driver.draw.below(2) === 0
  if (driver.draw.below(4) > 0)
    return void (await driver.send(() =>
      driver.v1.replace(uid, { name, ...(whole ? { description: `by v1 ${name}` } : {}) }),
    ))
  const answer = await driver.send(() => driver.v1.create(uid, { name }))
  const { id } = (answer?.json ?? {}) as { id?: unknown }
  if (typeof id === 'string') past.groups.push({ uid: id, name })
}

/** A call that must be refused, and must leave nothing behind (R29). */
async function refused(driver: Driver, past: Past): Promise<void> {
  const { api, draw } = driver
  const { uid } = past.groups.length > 0 ? draw.one(past.groups) : { uid: driver.scope }
  const text = driver.name()
  const bad = { name: `Bad@${text}`, description: `beside ${text}` }
  const calls = [
    () => api.groups.create(uid, bad),
    () => api.groups.update(uid, bad),
    () => api.groups.update(uid, { raw: `{"description": "cut ${text}` }),
    () => api.groups.delete(uid === driver.scope ? `${uid}/00000000000000ac` : uid),
    () => api.roleBindings.create(uid, { identityUid: `${uid}/00000000000000ad`, roleUid: 'ff'.repeat(20) }),
    () => driver.v1.replace(uid, bad),
  ]
  const call = draw.one(calls)
  // a Delete that is not refused is one more step
  const answer = await driver.send(call)
  if (call === calls[3] && answer !== undefined && answer.status < 300)
    past.groups = past.groups.filter((group) => group.uid !== uid)
}
