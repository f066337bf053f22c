import type { Fields, Kind, Operation } from '../domain/item.ts'
import { list } from '../domain/lists.ts'
import { create, get, remove, update } from '../domain/operations.ts'
import type { Asked } from '../domain/queries.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Context } from '../domain/service.ts'
import { listV1, replaceV1 } from '../domain/v1.ts'
import { fieldsIn } from './body.ts'
import { type Call, single } from './call.ts'

/** Runs the operation that a call asks for (section 4). */
export function perform(call: Call, at: Context): Fields | undefined | Promise<Fields> {
  const { kind, operation, version } = at
  if (kind === 'none') throw new Refusal('missing', 'path', 'nothing lives at this path')
  const handlers: Record<Operation | 'none', (kind: Kind) => Fields | undefined | Promise<Fields>> = {
    list: () => list(kind, askedFor(call.query), at),
    get: () => get(kind, uidOf(call, at), at),
    create: () => create(kind, uidOf(call, at), fieldsIn(call.body, at), at),
    update: () => update(kind, uidOf(call, at), fieldsIn(call.body, at), single(call.query, 'updateMask'), at),
    delete: () => remove(kind, uidOf(call, at), at),
    none: () => {
      throw new Refusal('unimplemented', 'method', 'this path has no such method')
    },
    ...(version === 'v1' && {
      list: () => listV1(kind, askedFor(call.query), at),
      update: () => replaceV1(kind, uidOf(call, at), fieldsIn(call.body, at), at),
    }),
  }
  return handlers[operation === 'exchange' ? 'none' : operation](kind)
}

function uidOf(call: Call, at: Context): string {
  const uid = at.world.rules.pathUid(call.rawUid, at)
  if (uid === undefined) throw new Refusal('invalid', 'uid', 'the path is not percent-encoded text')
  return uid
}

function askedFor(query: URLSearchParams): Asked {
  return {
    descendantsOf: single(query, 'uidp.descendants_of'),
    childrenOf: single(query, 'uidp.children_of'),
    name: single(query, 'name'),
    pageSize: single(query, 'page_size'),
    pageToken: single(query, 'page_token'),
    orderBy: single(query, 'order_by'),
    skip: single(query, 'skip'),
  }
}
