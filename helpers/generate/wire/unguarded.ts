import { type KindName, kinds, ownKinds, publishedKinds } from '../../api/kinds.ts'
import type { Received } from '../../api/received.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import { type Call, noCredential } from '../../http/call.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import type { World } from '../world.ts'
import { listOf } from './operations.ts'

/** The kinds and versions whose lists are tried without a scope. */
const lists: readonly [KindName, string?][] = [['groups'], ['identities'], ['roleBindings'], ['groups', 'v1']]

/**
 * Calls without a token that a guard may not know: lists of everything or of nothing, methods that the contract does not
 * print, methods in a header, answers that a cache may keep, and codes that are no tokens (R39).
 */
export async function askUnguarded(driver: Driver, { root, offered }: World): Promise<void> {
  if (root === undefined) return
  const { group, identity, binding } = root
  const path = driver.path('groups', group.uid)
  const missing = `${driver.scope}/${'0'.repeat(14)}aa`
  const queries = [undefined, { page_size: 1 }, descendantsOf(missing), childrenOf(missing)]
  const asked: Call[] = lists.flatMap(([kind, version]) =>
    queries.map((query) => {
      const { query: _, ...list } = listOf(driver, kind, version)
      return query === undefined ? list : { ...list, query }
    }),
  )
  const body = () => ({ name: driver.name(), description: `by nobody ${driver.name()}` })
  const things: [KindName, Received | undefined][] = [
    ['groups', group],
    ['identities', identity],
    ['roleBindings', binding],
    ...publishedKinds.map((kind): [KindName, Received | undefined] => [kind, offered[kind]?.[0]]),
  ]
  const written = things.flatMap(([kind, one]): Call[] => {
    if (one === undefined) return []
    const { name } = kinds[kind]
    return [
      { operation: `${name}.replace`, method: 'PUT', path: driver.path(kind, one.uid), body: body() },
      { operation: `v1.${name}.change`, method: 'PATCH', path: driver.path(kind, one.uid, 'v1'), body: body() },
      {
        operation: `${name}.override`,
        method: 'POST',
        path: driver.path(kind, one.uid),
        body: {},
        headers: overridden,
      },
    ]
  })
  await inParallel([...asked, ...written], 8, (call) => driver.call({ ...call, credential: noCredential }))
  await askCached(driver, group.uid)
  await askSession(driver, path)
  await askCodes(driver, path, Object.values(offered).flat())
  await driver.frame(ownKinds)
}

/** Headers that make another method of a POST. */
const overridden = { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE', 'x-method-override': 'DELETE' }

/** Reads again without a token what a good token has read, with leave to answer from a cache. */
async function askCached(driver: Driver, uid: string): Promise<void> {
  const headers = { 'cache-control': 'max-age=3600' }
  const reads: Call[] = [
    { operation: 'group.get', method: 'GET', path: driver.path('groups', uid), headers },
    { operation: 'v1.group.get', method: 'GET', path: driver.path('groups', uid, 'v1'), headers },
    ...(['groups', 'identities'] as const).map((kind) => ({ ...listOf(driver, kind), headers })),
  ]
  for (const read of reads) {
    await driver.call(read)
    await driver.call({ ...read, credential: noCredential })
  }
}

/** Sends the cookies of a good answer instead of a token. */
async function askSession(driver: Driver, path: string): Promise<void> {
  const read = { operation: 'group.get', method: 'GET', path } as const
  const given = (await driver.call(read))?.headers['set-cookie']
  // an attribute may be a date, which has a comma
  const cookie = given?.split(/,(?=\s*[^;,\s]+=)/).map((each) => each.split(';')[0]!.trim())
  if (cookie === undefined) return
  for (const call of [read, listOf(driver, 'groups')])
    await driver.call({ ...call, credential: { ...noCredential, beside: { cookie: cookie.join('; ') } } })
}

/** Sends as a token what other resources hold as a code. */
async function askCodes(driver: Driver, path: string, some: readonly Received[]): Promise<void> {
  const codes = some.flatMap((one) =>
    Object.entries(one).flatMap(([member, value]) =>
      /code|token|secret/i.test(member) && typeof value === 'string' && /^[\x21-\x7e]{4,}$/.test(value) ? [value] : [],
    ),
  )
  const read = { operation: 'group.get', method: 'GET', path } as const
  for (const code of new Set(codes))
    await driver.call({ ...read, credential: { header: `Bearer ${code}`, shown: 'Bearer <the code of an invite>' } })
}
