import type { Fields, Item, Kind } from './item.ts'
import { existing, timeAt } from './kinds/resource.ts'
import { kinds } from './kinds.ts'
import { throwObjection } from './objection.ts'
import { Refusal } from './refusal.ts'
import type { Context } from './service.ts'

/** Get: the resource as it is now (S4.1, S4.3). */
export function get(kind: Kind, uid: string, at: Context): Fields {
  throwObjection(uid, at)
  return shown(existing(kind, uid, at), at)
}

/** Create below the group in the path (S4.1, S4.2, S4.3, S4.5). A refused one leaves nothing (R29). */
export function create(kind: Kind, parentUid: string, sent: Fields, at: Context): Fields {
  const { rules, store, now } = at.world
  throwObjection(parentUid, at)
  const parent = existing('groups', parentUid, at)

  const settable = rules.settable(at)
  const fields = present(sent)
  const times = rules.born(now(), at)
  const base = { kind, uid: rules.mintUid(parent, at), parent: parent.uid, org: parent.org }
  const draft: Item = { ...base, name: '', ...times, ...rules.newborn(at), ...picked(fields, settable, at) }

  const refusal = kinds[kind].refuses(fields, settable, at) ?? taken(draft, at)
  if (refusal) {
    for (const left of rules.leftByRefusedCreate(draft, at)) store.put(left)
    throw refusal
  }
  rules.keep(draft, at)
  return shown(draft, at)
}

/** Update: changes what the mask lists, otherwise what the body holds (S4.26, S4.27); answers the outcome (S4.28). */
export async function update(
  kind: Kind,
  uid: string,
  sent: Fields,
  mask: string | undefined,
  at: Context,
): Promise<Fields> {
  const { rules } = at.world
  throwObjection(uid, at)
  const before = existing(kind, uid, at)

  const fields = present(sent)
  const listed = rules.changed(Object.keys(fields), rules.mask(mask, at), rules.settable(at), at)
  const wanted: Record<string, unknown> = {}
  for (const field of listed) wanted[field] = field in fields ? fields[field] : rules.emptied(field, at)
  return shown(await write(before, wanted, listed, at), at)
}

/** Writes the listed fields of an item and returns the outcome; refused where a rule objects to one of them (S4.28). */
export async function write(before: Item, wanted: Fields, listed: readonly string[], at: Context): Promise<Item> {
  const { rules, store, now } = at.world
  const { kind } = before
  const values = picked(wanted, listed, at)

  const refusal = kinds[kind].refuses(wanted, listed, at) ?? taken({ ...before, ...values }, at)
  if (refusal) {
    const left = rules.leftByRefusedUpdate(before, { ...before, ...values }, at)
    if (left !== before) store.put(left)
    throw refusal
  }

  return rules.modify(
    {
      read: () => existing(kind, before.uid, at),
      change: (old) => {
        const next = { ...old, ...values }
        return { ...next, ...rules.touched(old, differs(old, next), now(), at) }
      },
      write: (next) => store.put(next),
    },
    at,
  )
}

/** Delete: refused while something lives in the group (S7.6); afterwards nobody finds the item (R28). */
export function remove(kind: Kind, uid: string, at: Context): Fields | undefined {
  const { rules, store } = at.world
  throwObjection(uid, at)
  const item = existing(kind, uid, at)

  const living = kind === 'groups' ? contentKinds.filter((inside) => !store.isEmpty(inside, item.uid)) : []
  if (rules.blocksDelete(item, living, at)) {
    for (const lost of rules.lostByRefusedDelete(item, at)) forget(lost, at)
    throw new Refusal('notEmpty', kind, `${item.uid} still holds ${living.join(', ')}`)
  }
  for (const gone of [...rules.alsoRemoved(item, at), item]) forget(gone, at)
  return rules.deleted(item, at)
}

/** The resource in the form of the version that is asked for (S9.2). */
export function shown(item: Item, at: Context): Fields {
  const { rules } = at.world
  if (at.version !== 'v1') return kinds[item.kind].render(item, at)
  // every answer of v1 shows a time as Get of v2 does
  const time = timeAt({ ...at, operation: 'get' })
  if (item.kind === 'repos') return rules.v1Repo(item, time, at)
  if (item.kind === 'groups') return rules.v1Group(item, time, at)
  return rules.v1Other(kinds[item.kind].render(item, at), item, at)
}

const contentKinds: readonly Kind[] = [
  'groups',
  'identities',
  'roleBindings',
  'identityProviders',
  'accountAssociations',
  'groupInvites',
  'repos',
  'advisories',
]

function forget(item: Item, at: Context): void {
  const { rules, store } = at.world
  rules.forget({ drop: () => store.drop(item), unlist: () => store.unlist(item) }, item, at)
}

function taken(wanted: Item, at: Context): Refusal | undefined {
  if (!at.world.rules.nameTaken(wanted, at)) return undefined
  return new Refusal('taken', 'name', `${JSON.stringify(wanted.name)} is in use`)
}

// In protobuf's JSON a null is an absent member.
function present(sent: Fields): Fields {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null))
}

function picked(fields: Fields, names: readonly string[], at: Context): Fields {
  const own = names.filter((name) => Object.hasOwn(fields, name))
  return Object.fromEntries(own.map((name) => [name, at.world.rules.stored(fields[name], name, at)]))
}

function differs(old: Item, next: Item): boolean {
  return JSON.stringify(old) !== JSON.stringify(next)
}
