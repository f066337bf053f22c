import type { Cursor } from './at.ts'
import { Refusal } from './refusal.ts'
import type { Context } from './service.ts'

/** The list parameters as they arrive, absent ones left out (section 4, list parameters). */
export interface Asked {
  readonly descendantsOf?: string | undefined
  readonly childrenOf?: string | undefined
  readonly name?: string | undefined
  readonly pageSize?: string | undefined
  readonly pageToken?: string | undefined
  readonly orderBy?: string | undefined
  readonly skip?: string | undefined
}

/** Reads the parameters; the result is the context of every further decision about the page. */
export function readQuery(asked: Asked, at: Context): Context {
  const { rules } = at.world
  const cursor = readCursor(asked.pageToken || undefined, at)
  const here: Context = { ...at, page: cursor ? cursor.page + 1 : 1 }

  const order = rules.order(asked.orderBy || undefined, cursor, here)
  if (!order) throw new Refusal('invalid', 'order_by', `no list is ordered by ${JSON.stringify(asked.orderBy)}`)
  if (cursor && !rules.cursorFits(cursor, order, here)) {
    throw new Refusal('invalid', 'page_token', 'the token belongs to a list in another order')
  }
  const query = {
    descendantsOf: asked.descendantsOf || undefined,
    childrenOf: asked.childrenOf || undefined,
    name: asked.name || undefined,
    size: rules.pageSize(readCount(asked.pageSize, 'page_size', here), cursor, here),
    skip: readCount(asked.skip, 'skip', here),
    order,
    cursor,
  }
  return { ...here, query }
}

function readCursor(token: string | undefined, at: Context): Cursor | undefined {
  const { rules, now } = at.world
  if (token === undefined) return undefined
  const cursor = rules.decodeToken(token, at)
  if (cursor) return rules.expired(cursor.issued, now(), at) ? undefined : cursor
  if (rules.badTokenRestarts(at)) return undefined
  throw new Refusal('invalid', 'page_token', 'this is no token of this list')
}

function readCount(raw: string | undefined, parameter: string, at: Context): number {
  if (raw === undefined || raw === '') return 0
  const count = at.world.rules.count(raw, parameter, at)
  if (count === undefined) throw new Refusal('invalid', parameter, `${JSON.stringify(raw)} is no count`)
  return count
}
