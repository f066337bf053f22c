import { kinds, ownKinds, publishedKinds } from '../../api/kinds.ts'
import { scopeParameters } from '../../api/resource-path.ts'
import { childrenOf } from '../../arrange/scratch.ts'
import { orders } from '../../assertions/page-walk.ts'
import type { Query } from '../../http/url.ts'
import type { Driver } from '../driver.ts'
import type { Past, Step } from '../histories.ts'

/** Additional steps of an exploration: every kind, v1, one thing several times in a row, and queries of every form. */
export const widerSteps: readonly Step[] = [
  changeOften, changeOften, changeOften, fillAndDelete, fillAndDelete, emptyAgain, makeOffered, changeOffered, deleteOffered,
  deleteByV1, maskIdentity, changeIdentityOften, bindAgain, unbindAndBind, query, query, query,
] // biome-ignore format: a table

const groupOf = ({ draw, scope }: Driver, { groups }: Past) => (groups.length > 0 ? draw.one(groups).uid : scope)

/** Changes a group two to four times in a row, through either version. */
async function changeOften(driver: Driver, past: Past): Promise<void> {
  if (past.groups.length === 0) return
  const { uid } = driver.draw.one(past.groups)
  for (let left = 2 + driver.draw.below(3); left > 0; left--) {
    const name = driver.name()
    const way = driver.draw.below(4)
    if (way < 2) past.names.push(name)
    if (way === 0) await driver.send(() => driver.v1.replace(uid, { name, description: `by v1 ${name}` }))
    else await driver.send(() => driver.api.groups.update(uid, way === 1 ? { name } : { description: `new ${name}` }))
  }
  await driver.send(() => driver.api.groups.get(uid))
}

/** Deletes a group that holds another one, which is refused, and makes one more in it. */
async function fillAndDelete(driver: Driver, past: Past): Promise<void> {
  const home = await driver.group(groupOf(driver, past))
  if (home === undefined) return
  past.groups.push(home)
  for (const make of [true, false, true]) {
    const made = make ? await driver.group(home.uid) : undefined
    if (made) past.groups.push(made)
    // lists may lag (R52)
    await driver.children('groups', home.uid)
    await driver.run.model.settled()
    if (!make) await driver.send(() => driver.api.groups.delete(home.uid))
  }
}

/** Makes and deletes two siblings in either order, and makes another one in their place. */
async function emptyAgain(driver: Driver, past: Past): Promise<void> {
  const home = groupOf(driver, past)
  const made = [await driver.group(home), await driver.group(home)]
  for (const one of driver.draw.below(2) === 0 ? made : made.reverse())
    if (one) await driver.send(() => driver.api.groups.delete(one.uid))
  const after = await driver.group(home)
  if (after) past.groups.push(after)
}

async function makeOffered(driver: Driver, past: Past): Promise<void> {
  await driver.offered(driver.draw.one(publishedKinds), groupOf(driver, past))
}

async function changeOffered(driver: Driver): Promise<void> {
  const kind = driver.draw.one(publishedKinds.filter((each) => kinds[each].described))
  const living = driver.living(kind)
  if (living.length === 0) return
  const description = `new ${driver.name()}`
  await driver.send(() => driver.api[kind].update(driver.draw.one(living), { description }))
}

async function deleteOffered(driver: Driver): Promise<void> {
  const kind = driver.draw.one(publishedKinds)
  const living = driver.living(kind)
  if (living.length > 0) await driver.send(() => driver.api[kind].delete(driver.draw.one(living)))
}

async function deleteByV1(driver: Driver, past: Past): Promise<void> {
  const group = past.groups.at(-1)
  if (group === undefined) return
  const answer = await driver.send(() => driver.v1.delete(group.uid))
  if (answer === undefined || answer.status > 299) return
  past.groups = past.groups.filter((other) => other !== group)
  past.gone.push(group)
}

async function maskIdentity(driver: Driver, past: Past): Promise<void> {
  if (past.identities.length === 0) return
  const { uid } = driver.draw.one(past.identities)
  const updateMask = driver.draw.one(['name', 'description'])
  const body = { name: driver.name(), description: driver.draw.one(['', `new ${driver.name()}`]) }
  await driver.send(() => driver.api.identities.update(uid, body, { query: { updateMask } }))
}

/** Changes an identity two to four times in a row. */
async function changeIdentityOften(driver: Driver, past: Past): Promise<void> {
  if (past.identities.length === 0) return
  const { uid } = driver.draw.one(past.identities)
  for (let left = 2 + driver.draw.below(3); left > 0; left--) {
    const name = driver.name()
    const body = driver.draw.below(2) === 0 ? { name } : { description: `new ${name}` }
    await driver.send(() => driver.api.identities.update(uid, body))
  }
  await driver.send(() => driver.api.identities.get(uid))
}

async function bindAgain(driver: Driver, past: Past): Promise<void> {
  if (past.identities.length === 0) return
  const identity = driver.draw.one(past.identities)
  const home = driver.homeOf(identity, 'identities')
  for (let times = 0; times < 2; times++) {
    const made = await driver.binding(home, identity, times)
    if (made) past.bindings.push(made)
  }
}

/** Deletes a binding and makes it again. */
async function unbindAndBind(driver: Driver, past: Past): Promise<void> {
  if (past.identities.length === 0) return
  const identity = driver.draw.one(past.identities)
  const home = driver.homeOf(identity, 'identities')
  const first = await driver.binding(home, identity)
  if (first) await driver.send(() => driver.api.roleBindings.delete(first.uid))
  const second = await driver.binding(home, identity)
  if (second) past.bindings.push(second)
  await driver.list('roleBindings', childrenOf(home))
}

/** Lists any kind that lives in groups, with every parameter drawn. */
async function query(driver: Driver, past: Past): Promise<void> {
  const { draw } = driver
  const kind = draw.one(ownKinds)
  const order = draw.one(orders)
  const scope = draw.below(2) === 0 ? driver.scope : groupOf(driver, past)
  const asked: Query = {
    [draw.one(scopeParameters)]: scope,
    ...(order !== undefined && (kinds[kind].named || order.startsWith('created')) ? { order_by: order } : {}),
    ...(kind === 'groups' && past.names.length > 0 && draw.below(3) === 0 ? { name: draw.one(past.names) } : {}),
    ...(draw.below(2) === 0 ? { page_size: 1 + draw.below(4) } : {}),
  }
  if (draw.below(3) === 0) await driver.list(kind, { ...asked, skip: draw.below(4) })
  else await driver.walk(kind, asked)
}
