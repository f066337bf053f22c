import { type KindName, ownKinds, publishedKinds, registryKinds } from '../../api/kinds.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import { type Call, succeeded } from '../../http/call.ts'
import { type Driver, nextQuery } from '../driver.ts'
import { type Opened, readOf, readWith } from './opened.ts'

/** Reads through every view with the API token of an identity bound in a group: each accepts it (S5.9, R40, R41). */
export async function readAll(driver: Driver, opened: Opened): Promise<void> {
  const { home, uid, binding, credential } = opened
  const below = (kind: KindName, version?: string) =>
    readOf(driver, kind, { query: descendantsOf(home), ...(version && { version }) })
  const lists = ownKinds.map((kind) => below(kind))
  const group = readOf(driver, 'groups', { uid: home })
  const first = await driver.call({ ...group, credential })
  if (first === undefined || !succeeded(first)) return
  await turnPages(driver, opened, lists)
  const offered = await Promise.all(
    publishedKinds.map(async (kind) => ({ kind, one: await driver.offered(kind, home) })),
  )
  const all = [
    ...lists,
    ...registryKinds.map((kind) => below(kind)),
    readOf(driver, 'groups', { query: childrenOf(home) }),
    group,
    readOf(driver, 'identities', { uid }),
    ...(binding ? [readOf(driver, 'roleBindings', { uid: binding })] : []),
    ...offered.flatMap(({ kind, one }) => (one ? [readOf(driver, kind, { uid: one.uid })] : [])),
  ]
  // v1 has no gRPC
  const inV1 = [below('groups', 'v1'), below('repos', 'v1'), readOf(driver, 'groups', { uid: home, version: 'v1' })]
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
      const query = nextQuery(call.query, await driver.call({ ...call, credential }))
      return query === undefined ? [] : [{ ...call, query }]
    }),
  )
  await readWith(driver, (await renew()) ?? credential, next.flat())
}
