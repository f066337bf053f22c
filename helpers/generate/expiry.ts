import type { KindName } from '../api/kinds.ts'
import { isObject } from '../api/received.ts'
import { descendantsOf } from '../arrange/scratch.ts'
import type { BadCredential } from '../auth/invalid-credentials.ts'
import { succeeded } from '../http/call.ts'
import type { Query } from '../http/url.ts'
import { askCredentials } from './credentials.ts'
import type { Driver } from './driver.ts'
import { makeWorld } from './world.ts'

/** How far the clock moves for page tokens: just past three days, in seconds. */
const pastThreeDays = 72 * 60 * 60 + 180

/** Uses tokens of every sort when their time is over: API tokens on every operation, page tokens of every list (R40, R42). */
export async function askOldTokens(driver: Driver): Promise<number> {
  const { run } = driver
  const world = await makeWorld(driver)
  const issued = run.model.issued().slice(-3)
  const old = issued.map(
    (token): BadCredential => ({ credential: { header: `Bearer ${token}`, shown: 'Bearer <exchanged API token>' } }),
  )
  let asked = old.length > 0 ? await askCredentials(driver, world, old, 40) : 0
  if (!run.clock.movable) return asked
  const scope = world.places[0]?.group.uid ?? driver.scope
  const tokens: {
    kind: 'groups' | 'identities' | 'roleBindings'
    query: Query
    token: string
  }[] = []
  for (const kind of ['groups', 'identities', 'roleBindings'] as const) {
    for (const depth of ['uidp.descendants_of', 'uidp.children_of']) {
      for (const order of [undefined, 'created_at', 'created_at desc', 'name', 'name desc']) {
        const at = depth === 'uidp.children_of' && kind === 'groups' ? driver.scope : scope
        const query: Query = {
          [depth]: at,
          order_by: order,
          page_size: 2,
          ...(order === 'name' ? { name: world.shared.name } : {}),
        }
        if (kind === 'roleBindings' && order?.startsWith('name')) continue
        const answer = await driver.list(kind, query)
        const token = answer && succeeded(answer) && isObject(answer.json) ? answer.json.nextPageToken : undefined
        if (typeof token === 'string' && token !== '') tokens.push({ kind, query, token })
      }
    }
  }
  const foreign = await Promise.all(foreignQueries(driver).map((each) => openForeign(driver, each)))
  await run.clock.advance(pastThreeDays, driver.log).catch(() => undefined)
  for (const { kind, query, token } of tokens) {
    await driver.list(kind, { ...query, page_token: token })
    asked++
  }
  for (const close of foreign) asked += await close()
  return asked
}

interface ForeignQuery {
  kind: KindName
  query: Query
}

/** Lists of what the run did not make (R24). */
function foreignQueries({ run }: Driver): ForeignQuery[] {
  const registry = run.config.target.registryGroupUid
  const ordered = { order_by: 'created_at desc' }
  return [
    { kind: 'roles', query: ordered },
    ...(registry === undefined ? [] : [{ kind: 'repos' as const, query: { ...descendantsOf(registry), ...ordered } }]),
  ]
}

/** Takes a page token of such a list, and gives what uses it; between two answers that show all of it. */
async function openForeign(driver: Driver, { kind, query }: ForeignQuery): Promise<() => Promise<number>> {
  const whole = () => driver.list(kind, { ...query, order_by: undefined, page_size: 200 })
  await whole()
  const answer = await driver.list(kind, { ...query, page_size: 2 })
  const token = answer && succeeded(answer) && isObject(answer.json) ? answer.json.nextPageToken : undefined
  return async () => {
    if (typeof token === 'string' && token !== '')
      await driver.list(kind, { ...query, page_size: 2, page_token: token })
    await whole()
    return 2
  }
}
