import { madeKinds } from '../../api/kinds.ts'
import { ordersOf } from '../../arrange/listings.ts'
import { descendantsOf } from '../../arrange/scratch.ts'
import type { Call, Credential } from '../../http/call.ts'
import { assumed, type Good, type Owner, ownerAt, readOf, readWith } from '../assumed/opened.ts'
import { type Driver, nextQuery } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import { makeSome } from '../world.ts'

/** How many calls are sent at once. */
const atOnce = 8

/** Makes an identity that may read a group whose lists have several pages; undefined where that is refused. */
export async function readerIn(driver: Driver, issuer: string, good: Good): Promise<Owner | undefined> {
  const home = await driver.group(driver.scope)
  if (home === undefined) return undefined
  await makeSome(driver, home)
  return ownerAt(driver, home.uid, issuer, good)
}

/** A new API token of an identity, once it is taken. */
async function credentialOf(driver: Driver, reader: Owner | undefined): Promise<Credential | undefined> {
  const opened = await assumed(driver, reader)
  await opened?.look()
  return opened?.credential
}

/** Takes page tokens with an API token of that identity, which they outlive (S5.5, S8.3); returns the calls for the next pages. */
export async function openPages(driver: Driver, reader: Owner | undefined): Promise<Call[]> {
  const credential = await credentialOf(driver, reader)
  if (reader === undefined || credential === undefined) return []
  const lists = madeKinds.flatMap((kind) =>
    ordersOf(kind).map((order_by) => ({ kind, query: { ...descendantsOf(reader.home), order_by, page_size: 1 } })),
  )
  const next: Call[] = []
  await inParallel(lists, atOnce, async ({ kind, query }) => {
    const onward = nextQuery(query, await driver.call({ ...readOf(driver, kind, { query }), credential }))
    if (onward !== undefined) next.push(readOf(driver, kind, { query: onward }))
  })
  return next
}

/** Reads those next pages with another API token of that identity. */
export async function usePages(driver: Driver, reader: Owner | undefined, pages: readonly Call[]): Promise<void> {
  const credential = pages.length > 0 ? await credentialOf(driver, reader) : undefined
  if (credential) await readWith(driver, credential, pages)
}
