import { noCredential } from '../../http/call.ts'
import type { Driver } from '../driver.ts'

/** A credential that must be refused, beside none at all. */
const garbage = { header: 'Bearer garbage', shown: 'Bearer garbage' }

/** Makes roles, changes and deletes them, first with bad credentials (S1.2, R39); returns how many were made. */
export async function askOwnRoles(driver: Driver): Promise<number> {
  const home = await driver.group(driver.scope)
  if (home === undefined) return 0
  const { roles } = driver.api
  const body = () => ({ name: driver.name(), description: `made by ${driver.name()}`, capabilities: [] })
  const make = () => driver.made(() => roles.create(home.uid, body()))
  const look = (name: unknown) => driver.list('roles', { name: String(name) })
  const refused = [noCredential, garbage].map((credential) => ({ credential, body: body() }))
  const wronglyMade = await Promise.all(
    refused.map(({ credential, body }) => driver.made(() => roles.create(home.uid, body, { credential }))),
  )
  const [one, other] = [await make(), await make()]
  await Promise.all(refused.map(({ body }) => look(body.name)))
  if (one && other) {
    const read = async () => {
      await driver.send(() => roles.get(one.uid))
      await Promise.all([look(one.name), look(other.name), driver.list('roles', { page_size: 200 })])
    }
    await read()
    for (const { credential } of refused) {
      await driver.send(() => roles.update(one.uid, { description: driver.name() }, { credential }))
      await driver.send(() => roles.delete(one.uid, { credential }))
    }
    await read()
    const changed = { name: driver.name(), description: driver.name() }
    await driver.send(() => roles.update(one.uid, changed, { query: { updateMask: 'description' } }))
    await read()
    await driver.send(() => roles.update(one.uid, { name: driver.name() }))
    await driver.send(() => roles.delete(other.uid))
    await driver.send(() => roles.get(other.uid))
    await read()
  }
  for (const made of [one, ...wronglyMade]) if (made) await driver.send(() => roles.delete(made.uid))
  await driver.run.model.settled()
  return one ? 1 : 0
}
