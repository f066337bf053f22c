import { type KindName, kinds } from '../api/kinds.ts'
import { isObject, isReceived } from '../api/received.ts'
import { childrenOf } from '../arrange/scratch.ts'
import type { Query } from '../http/url.ts'
import { covering } from './covering.ts'
import type { Driver } from './driver.ts'
import { inParallel } from './lists.ts'

/** How many scopes of the registry are asked for each kind. */
const mostScopes = 1

/** Asks for lists of what the run did not make, between two answers that show all of it (R24); gives how many. */
export async function askForeign(driver: Driver): Promise<number> {
  const registry = driver.run.config.target.registryGroupUid
  let asked = await askWithin(driver, 'roles', {})
  if (registry === undefined) return asked
  const groups = itemsIn((await driver.list('groups', { ...childrenOf(registry), page_size: 5 }))?.json, 'groups')
  const scopes = [...groups.map(({ uid }) => uid), registry].slice(0, mostScopes)
  for (const kind of ['repos', 'tags', 'advisories'] as const) {
    for (const scope of scopes) asked += await askWithin(driver, kind, { 'uidp.descendants_of': scope })
  }
  return asked
}

async function askWithin(driver: Driver, kind: KindName, scope: Query): Promise<number> {
  const whole = () => driver.list(kind, { ...scope, page_size: 200 })
  const items = itemsIn((await whole())?.json, kind)
  const n = items.length
  if (n < 3) return 1
  const { named, dated } = kinds[kind]
  const parameters = {
    name: named ? [undefined, undefined, items[1]!.name, items.at(-1)!.name, driver.name()] : [undefined],
    order: [undefined, ...(named ? ['name', 'name desc'] : []), ...(dated ? ['created_at', 'created_at desc'] : [])],
    skip: [undefined, undefined, 1, n - 1, n],
    size: [undefined, 1, Math.ceil(n / 3), n - 1, n],
    turns: [0, 1, 3],
  }
  const name = String(items[1]!.name)
  for (const near of named ? [name.slice(0, -1), name.slice(1), name.toUpperCase(), `${name}x`] : [])
    await driver.list(kind, { ...scope, name: near })
  const rows = covering(parameters, 2, driver.draw, ({ skip, turns }) => skip === undefined || turns !== 3)
  await inParallel(rows, 4, async ({ name, order, skip, size, turns }) => {
    const query = {
      ...scope,
      name: name as string | undefined,
      order_by: order as string | undefined,
      page_size: size as number | undefined,
    }
    let answer = await driver.list(kind, { ...query, skip: skip as number | undefined })
    for (let turn = 0; turn < Number(turns); turn++) {
      const token = isObject(answer?.json) ? answer.json.nextPageToken : undefined
      if (typeof token !== 'string' || token === '') return
      answer = await driver.list(kind, { ...query, page_token: token })
    }
  })
  const [where] = Object.values(scope).map(String)
  const end = where?.endsWith('0') ? '1' : '0'
  const near = where === undefined ? [] : [where.slice(0, -1), `${where}0`, where.slice(0, -1) + end]
  for (const other of near) await driver.list(kind, { 'uidp.descendants_of': other })
  await whole()
  return rows.length + 2
}

function itemsIn(json: unknown, kind: KindName) {
  const items = isObject(json) ? json[kind] : undefined
  return Array.isArray(items) ? items.filter(isReceived) : []
}
