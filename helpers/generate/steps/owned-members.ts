import type { Answer } from '../../http/call.ts'
import type { Driver } from '../driver.ts'
import { type Command, update, updateIdentity } from '../world.ts'

/** A time at which nothing was made. */
export const longAgo = '2001-02-03T04:05:06.007Z'
const times = { createTime: longAgo, updateTime: longAgo }
const timesOfV1 = { createdAt: longAgo, updatedAt: longAgo }

type Body = Record<string, unknown>

/** Names under which other services take the group of a resource from its body. */
const nearParent = ['parent', 'parentUid', 'parentId', 'parent_uid', 'groupUid', 'groupId', 'group_uid']
export const parents = (uid: string): Body => Object.fromEntries(nearParent.map((name) => [name, uid]))

/** Sends a good body with everything that the server owns in it, and where that is refused, with each alone (R5). */
export async function withOwned(owned: Body, send: (owned: Body) => Promise<Answer | undefined>): Promise<void> {
  const answer = await send(owned)
  if (answer === undefined || answer.status < 300) return
  for (const [member, value] of Object.entries(owned)) await send({ [member]: value })
}

/** Members that the server owns, in every body that makes or changes something: they have no effect (R5). */
export const ownedMembers: readonly Command[] = [
  async (to, { root, leaf, otherRoot }) => {
    const [home, elsewhere] = [leaf!.group.uid, root!]
    const uid = `${elsewhere.group.uid}/00000000000000aa`
    // one that nobody has, and one that exists; the messages of gRPC have no `id`
    for (const all of [{ uid, verified: true, ...times }, { uid: elsewhere.group.uid }, { id: uid }])
      await withOwned(all, (owned) => to.send(() => to.api.groups.create(home, { ...described(to), ...owned })))
    await withOwned({ id: uid, uid, verified: true, ...timesOfV1, ...times }, (owned) =>
      to.send(() => to.v1.create(home, { ...described(to), ...owned })),
    )
    await withOwned({ uid, ...times, lastSeenTime: longAgo }, (owned) => makeIdentity(to, home, owned))
    await withOwned({ uid: elsewhere.identity?.uid }, (owned) => makeIdentity(to, home, owned))
    // the path alone says where a resource lives (S1.7)
    const body = parents(otherRoot!.group.uid)
    await withOwned(body, (owned) => to.send(() => to.api.groups.create(home, { ...described(to), ...owned })))
    await withOwned(body, (owned) => to.send(() => to.v1.create(home, { ...described(to), ...owned })))
    await withOwned(body, (owned) => makeIdentity(to, home, owned))
  },
  async (to, { root, leaf, otherRoot }) => {
    const [home, other] = [leaf!.group.uid, root!]
    const [owner, beside] = [await to.identity(home), await to.identity(home)]
    const below = await to.group(home)
    const roles = (await to.roles()).map(({ uid }) => uid)
    // a server that takes them could bind there
    const [group, identity] = [{ uid: below?.uid }, { uid: beside?.uid }]
    const owned = { uid: other.binding?.uid, group, identity, createTime: longAgo }
    let turn = 0
    if (owner === undefined || roles.length === 0) return
    for (const all of [owned, parents(otherRoot!.group.uid)])
      await withOwned(all, (each) => {
        const bound = { identityUid: owner.uid, roleUid: roles[turn++ % roles.length] }
        return to.send(() => to.api.roleBindings.create(home, { ...bound, ...each }))
      })
  },
  async (to, { root, otherRoot }) => {
    const [group, owner] = [otherRoot!.group.uid, otherRoot?.identity?.uid]
    const uid = root!.group.uid
    const description = () => ({ description: `now ${to.name()}` })
    for (const mask of [undefined, 'description']) {
      await withOwned({ uid, verified: true, ...times }, (owned) =>
        update(to, group, { ...description(), ...owned }, mask),
      )
      await withOwned({ uid, ...times, lastSeenTime: longAgo }, (owned) =>
        updateIdentity(to, owner, { ...description(), ...owned }, mask),
      )
    }
    await withOwned(parents(uid), (owned) => update(to, group, { ...description(), ...owned }))
    await withOwned(parents(uid), (owned) => updateIdentity(to, owner, { ...description(), ...owned }))
    // also where a mask lists it
    for (const [member, value] of Object.entries({ verified: true, ...times, lastSeenTime: longAgo })) {
      const masks = [member, `description,${member}`, member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
      for (const mask of masks) {
        const body = { ...description(), [member]: value }
        if (member !== 'lastSeenTime') await update(to, group, body, mask)
        if (member !== 'verified') await updateIdentity(to, owner, body, mask)
      }
    }
    await withOwned({ id: uid, verified: true, ...timesOfV1 }, (owned) =>
      to.send(() => to.v1.replace(group, { name: to.name(), ...description(), ...owned })),
    )
  },
]

const described = (to: Driver) => {
  const name = to.name()
  return { name, description: `owned ${name}` }
}

function makeIdentity(to: Driver, parent: string, owned: Body): Promise<Answer | undefined> {
  const body = described(to)
  const claimMatch = { issuer: `https://issuer.example/${body.name}`, subject: `subject-${body.name}` }
  return to.send(() => to.api.identities.create(parent, { ...body, claimMatch, ...owned }))
}
