import { kinds, publishedKinds } from '../../api/kinds.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import type { Driver } from '../driver.ts'

/**
 * Reads a small group through many views, changes one thing, and reads again while nobody else writes: what a server
 * keeps until the next unrelated write shows only then. Returns how many changes.
 */
export async function askQuietly(driver: Driver): Promise<number> {
  const { api, v1 } = driver
  const home = await driver.group(driver.scope)
  const [child, other] = home ? [await driver.group(home.uid), await driver.group(home.uid)] : []
  const identity = home && (await driver.identity(home.uid))
  const binding = home && (await driver.binding(home.uid, identity))
  if (!home || !child || !other || !identity) return 0
  const [name, renamed] = [driver.name(), driver.name()]
  const inside = childrenOf(home.uid)
  const look = async () => {
    await Promise.all([
      driver.list('groups', inside),
      driver.list('groups', { ...descendantsOf(home.uid), order_by: 'name' }),
      driver.list('groups', { ...inside, name: renamed }),
      driver.list('identities', inside),
      driver.list('roleBindings', inside),
      driver.send(() => v1.list(inside)),
      ...[child, other].flatMap(({ uid }) => [driver.send(() => v1.get(uid)), driver.send(() => api.groups.get(uid))]),
      driver.send(() => api.identities.get(identity.uid)),
      binding && driver.send(() => api.roleBindings.get(binding.uid)),
    ])
    await driver.run.model.settled()
  }
  const changes = [
    () => api.groups.update(child.uid, { name: renamed }),
    () => api.groups.update(child.uid, { description: name }, { query: { updateMask: 'description' } }),
    () => api.identities.update(identity.uid, { name, description: renamed }),
    () =>
      api.identities.update(identity.uid, { claimMatch: { issuer: 'https://issuer.example/quiet', subject: name } }),
    () => api.groups.update(home.uid, { name }),
    () => v1.replace(other.uid, { name: renamed, description: name }),
    () => api.groups.delete(other.uid),
    () => api.groups.create(child.uid, { name }),
    ...(binding ? [() => api.roleBindings.delete(binding.uid)] : []),
  ]
  await look()
  for (const change of changes) {
    await driver.send(change)
    await look()
  }
  return changes.length + (await changeOffered(driver, home.uid))
}

/** The same for kinds whose bodies are not shown, each read alone. */
async function changeOffered(driver: Driver, home: string): Promise<number> {
  for (const kind of publishedKinds) {
    const one = await driver.offered(kind, home)
    if (one === undefined) continue
    const read = async () => {
      await Promise.all([driver.children(kind, home), driver.send(() => driver.api[kind].get(one.uid))])
      await driver.run.model.settled()
    }
    await read()
    if (kinds[kind].described) {
      await driver.send(() => driver.api[kind].update(one.uid, { name: driver.name(), description: driver.name() }))
      await read()
    }
    await driver.send(() => driver.api[kind].delete(one.uid))
    await read()
  }
  return publishedKinds.length
}
