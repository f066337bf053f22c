import type { Received } from '../../api/received.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import type { Answer } from '../../http/call.ts'
import type { Driver } from '../driver.ts'
import { byNobody, update, updateIdentity } from '../world.ts'

/** A group with two groups, an identity and a role binding in it, and all names that the first of the two has had. */
interface Family {
  parent: Received
  child: Received
  sibling: Received
  owner: Received | undefined
  binding: Received | undefined
  names: string[]
  /** The version of the next event that both have. */
  version: 'v1' | 'v2'
}

type Event = (driver: Driver, family: Family) => Promise<unknown>

/** What may happen to a family, in any order. */
export const familyEvents: readonly Event[] = [
  renameChild,
  (to, { child, names }) => {
    names.push(to.name())
    return update(to, child.uid, { name: names.at(-1) }, 'name')
  },
  (to, { child, names, version }) => rename(to, child.uid, names[0]!, version),
  (to, { child }) => update(to, child.uid, { description: `new ${to.name()}` }, 'description'),
  async (to, { child, version }) => {
    await remove(to, child.uid, version)
    // what is gone is not counted twice
    await remove(to, child.uid, version === 'v1' ? 'v2' : 'v1')
  },
  (to, { parent }) => to.send(() => to.api.groups.create(parent.uid, { name: `Bad@${to.name()}` })),
  (to, { child }) => update(to, child.uid, { name: `Bad@${to.name()}`, description: `refused ${to.name()}` }),
  (to, { child }) => byNobody(to, 'groups', child.uid, 'PATCH', { description: `by nobody ${to.name()}` }),
  (to, { parent, version }) => remove(to, parent.uid, version),
  (to, { parent, names, version }) => make(to, parent.uid, version, { name: names[0] }),
  (to, { parent, version }) => rename(to, parent.uid, to.name(), version),
  (to, { parent, owner }) => to.binding(parent.uid, owner, 1),
  (to, { child }) => update(to, child.uid, { description: '' }, 'description'),
  async (to, { child, version }) => {
    // v1 has read it, and does not know of the change in v2
    await to.send(() => to.v1.get(child.uid))
    await update(to, child.uid, { description: `before a child ${to.name()}` })
    await make(to, child.uid, version)
  },
  async (to, { owner }) => {
    const claimMatch = { issuer: 'https://issuer.example/sequences', subject: to.name() }
    if (owner) await updateIdentity(to, owner.uid, { name: to.name(), claimMatch })
  },
  async (to, { binding }) => {
    if (binding) await to.send(() => to.api.roleBindings.delete(binding.uid))
  },
  (to, { child }) => to.send(() => to.v1.replace(child.uid, { name: String(child.name), description: to.name() })),
]

function renameChild(to: Driver, { child, names, version }: Family): Promise<unknown> {
  names.push(to.name())
  return rename(to, child.uid, names.at(-1)!, version)
}

/** Renames a group; a v1 PUT replaces everything, and this one leaves the description out (S9.4). */
const rename = (to: Driver, uid: string, name: string, version: Family['version']) =>
  version === 'v1' ? to.send(() => to.v1.replace(uid, { name })) : update(to, uid, { name })

const remove = (to: Driver, uid: string, version: Family['version']) =>
  to.send(() => (version === 'v1' ? to.v1 : to.api.groups).delete(uid))

const make = (to: Driver, above: string, version: Family['version'], body?: { name: string | undefined }) =>
  version === 'v1' ? to.groupByV1(above, body) : to.group(above, body)

/** The versions that a family uses by turns: two of three families use both. */
export const versionsOf = (family: number) =>
  ([['v2'], ['v1', 'v2'], ['v2', 'v1']] as const satisfies Family['version'][][])[family % 3]!

/** Makes a family, lets the events happen to it in this order, through these versions by turns, and reads it after each. */
export async function happenToFamily(
  driver: Driver,
  order: readonly number[],
  versions: readonly Family['version'][],
): Promise<void> {
  const [version] = versions as [Family['version']]
  const parent = await make(driver, driver.scope, version)
  if (parent === undefined) return
  const [child, sibling, owner] = [
    await make(driver, parent.uid, version),
    await driver.group(parent.uid),
    await driver.identity(parent.uid),
  ]
  if (child === undefined || sibling === undefined) return
  const binding = await driver.binding(parent.uid, owner)
  const family: Family = { parent, child, sibling, owner, binding, names: [String(child.name)], version }
  for (const [at, index] of order.entries()) {
    family.version = versions[at % versions.length]!
    await driver.send(async () => (await familyEvents[index]!(driver, family)) as Answer)
    await look(driver, family, at)
  }
  for (const name of family.names)
    for (const scope of [childrenOf(parent.uid), descendantsOf(driver.scope)])
      await driver.list('groups', { ...scope, name })
}

/** Reads the family, each time in another order, and in turn a name, the sibling and what else lives there. */
async function look(driver: Driver, { parent, child, sibling, names }: Family, at: number): Promise<void> {
  const below = descendantsOf(parent.uid)
  const order_by = [undefined, 'name', 'created_at desc', 'name desc'][at % 4]
  const inV1 = () => driver.send(() => driver.v1.get(child.uid))
  const views = [
    () => driver.list('groups', { ...childrenOf(parent.uid), name: names.at(-1) }),
    inV1,
    () => driver.list('identities', { ...below, page_size: 200 }),
    () => driver.list('groups', { ...childrenOf(parent.uid), name: names[0] }),
    inV1,
    () => driver.list('roleBindings', { ...below, page_size: 200 }),
    () => driver.send(() => driver.v1.list(below)),
    inV1,
    () => driver.send(() => driver.api.groups.get(child.uid)),
    () => driver.list('groups', { ...below, name: String(sibling.name) }),
    inV1,
    () => driver.list('groups', { ...below, order_by: 'name', skip: 1, page_size: 200 }),
  ]
  await Promise.all([driver.list('groups', { ...below, order_by, page_size: 200 }), views[at % views.length]!()])
}
