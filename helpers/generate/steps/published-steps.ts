import { kinds, ownKinds, type PublishedKind, publishedKinds } from '../../api/kinds.ts'
import type { Received } from '../../api/received.ts'
import type { Driver } from '../driver.ts'
import { descriptions } from '../texts/samples.ts'
import { type Command, make, type World } from '../world.ts'
import { longAgo, parents, withOwned } from './owned-members.ts'

/** One of each kind whose body is not shown, in a group where nothing else is tried, and an identity beside them. */
async function subjects(to: Driver, { otherRoot }: World) {
  const home = await to.group(otherRoot!.group.uid)
  if (home === undefined) return undefined
  const owner = await to.identity(home.uid)
  const made: Partial<Record<PublishedKind, Received>> = {}
  for (const kind of publishedKinds) {
    const one = await make(to, kind, home.uid)
    if (one) made[kind] = one
  }
  return { home: home.uid, owner, made }
}

/** Lists everything in a group, by the list that has shown it before. */
const look = (to: Driver, home: string) => Promise.all(ownKinds.map((kind) => to.children(kind, home)))

/** Sends the bytes of an earlier update again, then other capitals, the first name and a long text (S4.28). */
async function changeAgain(to: Driver, kind: PublishedKind, one: Received): Promise<void> {
  const change = (body: Record<string, unknown>) => to.send(() => to.api[kind].update(one.uid, body))
  const [first, second] = [to.name(), to.name()]
  for (const name of [first, second, first]) await change({ name })
  await to.children(kind, to.homeOf(one, kind))
  for (const name of [first.toUpperCase(), one.name]) await change({ name })
  await change({ description: `${to.name()} `.padEnd(longText, 'x') })
  await change({ name: to.name().padEnd(longName, 'x') })
  const turn = kind === 'identityProviders' ? 0 : 1
  for (const text of descriptions.filter((_, at) => at % 2 === turn)) await change({ description: text })
}

/** More letters than a column of text may hold. */
const longText = 1_100

/** More characters than a column of names may hold. */
const longName = 300

/** Commands on kinds whose body is not shown: they touch nothing but what they name (R5, R29, R38). */
export const publishedSteps: readonly Command[] = [
  // at a uid of another kind, and near its own: no such thing exists there
  async (to, world) => {
    const there = await subjects(to, world)
    if (there === undefined) return
    const { home, owner, made } = there
    await look(to, home)
    for (const kind of publishedKinds) {
      const uid = made[kind]?.uid
      if (uid === undefined) continue
      const others = publishedKinds.filter((other) => other !== kind).map((other) => made[other]?.uid)
      const last = uid.slice(uid.lastIndexOf('/') + 1)
      const near = [`${uid}0`, uid.slice(0, -1), `${world.leaf!.group.uid}/${last}`]
      for (const wrong of [...others, owner?.uid, home, ...near]) {
        if (wrong === undefined) continue
        await to.send(() => to.api[kind].get(wrong))
        if (kinds[kind].described) await to.send(() => to.api[kind].update(wrong, { description: to.name() }))
        // the path may count as that of the group itself, which others still need
        if (wrong !== home) await to.send(() => to.api[kind].delete(wrong))
      }
    }
    await look(to, home)
    // nothing lives below what is no group
    for (const above of [owner, made.identityProviders])
      for (const kind of publishedKinds) if (above) await to.offered(kind, above.uid)
  },
  // what the server owns has no effect in a body, and the path alone says where something lives
  async (to, { root, otherRoot }) => {
    const home = await to.group(otherRoot!.group.uid)
    if (home === undefined) return
    const uid = `${home.uid}/00000000000000aa`
    const bodies = [{ uid, createTime: longAgo, updateTime: longAgo }, parents(root!.group.uid)]
    for (const kind of publishedKinds)
      for (const body of bodies)
        await withOwned(body, async (owned) => {
          const offered = await to.bodyOf(kind)
          return offered === undefined
            ? undefined
            : to.send(() => to.api[kind].create(home.uid, { ...offered, ...owned }))
        })
    await look(to, home.uid)
  },
  // another one of the same group, name, issuer or role is not touched
  async (to, { otherRoot }) => {
    const home = await to.group(otherRoot!.group.uid)
    if (home === undefined) return
    const issuer = `https://issuer.example/${to.name()}`
    for (const kind of publishedKinds) {
      const own = kind === 'identityProviders' ? { oidc: { issuer, clientId: to.name(), clientSecret: 'none' } } : {}
      const [one, other] = [await to.offered(kind, home.uid, own), await to.offered(kind, home.uid, own)]
      await to.children(kind, home.uid)
      if (one && kinds[kind].described)
        await to.send(() => to.api[kind].update(one.uid, { description: `one of ${to.name()}` }))
      await to.children(kind, home.uid)
      if (one && kinds[kind].described) await changeAgain(to, kind, one)
      await to.children(kind, home.uid)
      if (other) await to.send(() => to.api[kind].delete(other.uid))
      await to.children(kind, home.uid)
    }
  },
]
