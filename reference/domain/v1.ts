import type { Scope } from '../rules/values.ts'
import type { World } from './at.ts'
import type { Fields, Item, Kind } from './item.ts'
import { existing } from './kinds/resource.ts'
import { throwObjection } from './objection.ts'
import { shown, write } from './operations.ts'
import type { Asked } from './queries.ts'
import type { Context } from './service.ts'

/** List in v1: everything in the scope, in one answer (S2.17, S9.3). */
export function listV1(kind: Kind, { childrenOf, descendantsOf }: Asked, at: Context): Fields {
  const { rules, store } = at.world
  const asked = { childrenOf: childrenOf || undefined, descendantsOf: descendantsOf || undefined }
  throwObjection(asked.childrenOf ?? asked.descendantsOf ?? '', at)
  const items = [...within(kind, rules.v1Scope(asked, at), at)].flatMap((kept) => {
    // by uid, as a Get of v1 finds it
    const item = store.get(kind, kept.uid) && rules.seen(kept, at)
    return item && rules.belongs(item, at) ? [item] : []
  })
  return rules.v1ListBody(
    rules.v1Listed(items, at).map((item) => shown(item, at)),
    at,
  )
}

/** Update in v1: takes the full resource, so an omitted field becomes its zero value (S9.4). */
export async function replaceV1(kind: Kind, uid: string, sent: Fields, at: Context): Promise<Fields> {
  const { rules } = at.world
  throwObjection(uid, at)
  const before = existing(kind, uid, at)
  const wanted = rules.v1Replaced(sent, before, rules.settable(at), at)
  return shown(await write(before, wanted, Object.keys(wanted), at), at)
}

function* within(kind: Kind, { childrenOf, descendantsOf }: Scope, at: Context): Iterable<Item> {
  const { store } = at.world
  if (childrenOf !== undefined) yield* store.under(kind, childrenOf)
  else yield* below(kind, descendantsOf ?? at.caller?.org ?? '', at.world)
}

function* below(kind: Kind, root: string, { store }: World): Iterable<Item> {
  const open = [root]
  for (let group = open.pop(); group !== undefined; group = open.pop()) {
    yield* store.under(kind, group)
    for (const child of store.under('groups', group)) open.push(child.uid)
  }
}
