import type { Received } from '../../api/received.ts'
import { descendantsOf } from '../../arrange/scratch.ts'
import type { Answer } from '../../http/call.ts'
import type { Driver } from '../driver.ts'
import { updateIdentity } from '../world.ts'

/** An identity bound in its group and in one below, another one of its name and subject, and the body of its first update. */
interface Bound {
  home: Received
  below: Received | undefined
  owner: Received
  twin: Received | undefined
  binding: Received | undefined
  away: Received | undefined
  sent: Record<string, unknown> | undefined
  /** Counts events; each family begins at another number. */
  turn: number
}

/** Every subset of what an Update of an identity may set. */
const subsets: readonly (readonly string[])[] = [
  ['description', 'claimMatch'], ['name'], ['description'], ['name', 'description', 'claimMatch'], ['claimMatch'], ['name', 'description'], ['name', 'claimMatch'],
] // biome-ignore format: a table

/** A fresh value for each of these members. */
const freshly = (to: Driver, members: readonly string[]) => {
  const name = to.name()
  const claimMatch = { issuer: 'https://issuer.example/sequences', subject: `of ${name}` }
  const all: Record<string, unknown> = { name, description: `now ${name}`, claimMatch }
  return Object.fromEntries(members.map((member) => [member, all[member]]))
}

const everyMember = ['name', 'description', 'claimMatch']

async function changeSome(to: Driver, bound: Bound): Promise<unknown> {
  const body = freshly(to, subsets[bound.turn % subsets.length]!)
  bound.sent ??= body
  return updateIdentity(to, bound.owner.uid, body)
}

/** What may happen to an identity, in any order. */
export const ownerEvents: readonly ((driver: Driver, bound: Bound) => Promise<unknown>)[] = [
  changeSome,
  changeSome,
  (to, { owner }) => updateIdentity(to, owner.uid, freshly(to, everyMember), 'name'),
  (to, { owner }) => updateIdentity(to, owner.uid, freshly(to, everyMember), 'description'),
  (to, { owner }) => updateIdentity(to, owner.uid, { description: '' }, 'description'),
  (to, { owner }) => to.send(() => to.api.identities.get(owner.uid)),
  (to, { below, owner, turn }) => to.binding(below?.uid ?? to.scope, owner, turn),
  async (to, { binding }) => binding && to.send(() => to.api.roleBindings.delete(binding.uid)),
  async (to, { away, turn }) => {
    const roles = await to.roles()
    const roleUid = roles[(turn + 1) % Math.max(1, roles.length)]?.uid
    return away && roleUid && to.send(() => to.api.roleBindings.update(away.uid, { roleUid }))
  },
  // the name that the first one had
  (to, { owner, twin }) => updateIdentity(to, twin?.uid, { name: owner.name, description: `twin of ${owner.name}` }),
  // the very bytes that were sent before
  async (to, { owner, sent }) => sent && updateIdentity(to, owner.uid, sent),
]

/** Makes an identity with its role bindings and its twin, and lets the events happen to it in this order. */
export async function happenToOwner(driver: Driver, order: readonly number[], at: number): Promise<void> {
  const home = await driver.group(driver.scope)
  if (home === undefined) return
  const [below, name] = [await driver.group(home.uid), driver.name()]
  const claims = (issuer: string) => ({ claimMatch: { issuer: `https://${issuer}.example`, subject: `of ${name}` } })
  const owner = await driver.identity(home.uid, { name, ...claims('one') })
  if (owner === undefined) return
  // identities may share a name (R3)
  const twin =
    (await driver.identity(home.uid, { name, ...claims('other') })) ??
    (await driver.identity(home.uid, claims('other')))
  const [binding, away] = [
    await driver.binding(home.uid, owner),
    below && (await driver.binding(below.uid, owner, at)),
    await driver.binding(home.uid, twin),
  ]
  const bound: Bound = { home, below, owner, twin, binding, away, sent: undefined, turn: at * 3 }
  for (const index of order) {
    await driver.send(async () => (await ownerEvents[index]!(driver, bound)) as Answer)
    await lookAtOwner(driver, bound)
    // the next event would hide what shows late
    await driver.run.model.settled()
    bound.turn++
  }
  await driver.send(() => driver.api.identities.get(owner.uid))
  await driver.send(() => driver.api.identities.delete(owner.uid))
  await Promise.all([
    lookAtOwner(driver, bound),
    driver.children('identities', home.uid),
    driver.list('roleBindings', descendantsOf(home.uid)),
  ])
}

/** Lists identities, in the next order each time, and reads bindings now and then. */
async function lookAtOwner(driver: Driver, { home, away, turn }: Bound): Promise<void> {
  const below = { ...descendantsOf(home.uid), page_size: 200 }
  const order_by = ['name', undefined, 'name desc', 'created_at desc'][turn % 4]
  const views = [
    () => driver.send(() => driver.api.roleBindings.get(away!.uid)),
    () => driver.list('roleBindings', below),
  ]
  await Promise.all([driver.list('identities', { ...below, order_by }), away && views[turn % 2]!()])
}
