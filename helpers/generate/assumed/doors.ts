import { type KindName, kinds, ownKinds, registryKinds } from '../../api/kinds.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import { type Call, succeeded } from '../../http/call.ts'
import { type Driver, nextOf } from '../driver.ts'
import { type Opened, readWith } from './opened.ts'

/** Reads through every door with the API token of an identity bound in a group: each accepts it (S5.9, R40, R41). */
export async function askDoors(driver: Driver, opened: Opened): Promise<void> {
  const { home, uid, binding, credential } = opened
  const read = (kind: KindName, thing?: string, query?: Call['query'], version?: string): Call => ({
    operation: `${version === undefined ? '' : `${version}.`}${kinds[kind].name}.${thing === undefined ? 'list' : 'get'}`,
    method: 'GET',
    path: driver.path(kind, thing, version),
    ...(query && { query }),
  })
  const lists = ownKinds.map((kind) => read(kind, undefined, descendantsOf(home)))
  const gets = [read('groups', home), read('identities', uid), ...(binding ? [read('roleBindings', binding)] : [])]
  const first = await driver.call({ ...gets[0]!, credential })
  if (first === undefined || !succeeded(first)) return
  await turnPages(driver, opened, lists)
  // v1 has no gRPC
  const inV1 = [read('groups', undefined, descendantsOf(home), 'v1'), read('groups', home, undefined, 'v1')]
  const empty = registryKinds.map((kind) => read(kind, undefined, descendantsOf(home)))
  const all = [...lists, ...empty, read('groups', undefined, childrenOf(home)), ...gets]
  await readWith(driver, credential, driver.run.over === undefined ? [...all, ...inV1] : all)
}

/**
 * Follows the first page token of each list with another API token of the same identity: page tokens live for days, API
 * tokens for an hour (S4.12, S5.5, S8.3).
 */
async function turnPages(driver: Driver, { home, credential, renew }: Opened, lists: readonly Call[]): Promise<void> {
  await Promise.all([driver.group(home), driver.group(home), driver.identity(home), driver.identity(home)])
  const next = await Promise.all(
    lists.map(async (list) => {
      const call = { ...list, query: { ...list.query, page_size: 1 } }
      const page_token = nextOf(await driver.call({ ...call, credential }))
      return page_token === undefined ? [] : [{ ...call, query: { ...call.query, page_token } }]
    }),
  )
  await readWith(driver, (await renew()) ?? credential, next.flat())
}
