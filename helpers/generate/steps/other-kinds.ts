import { madeKinds } from '../../api/kinds.ts'
import type { Received } from '../../api/received.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import { type Command, update, updateIdentity, type World } from '../world.ts'

/** One thing of each kind, from a place where nothing else is tried. */
async function subjects(to: Parameters<Command>[0], { otherRoot }: World) {
  const group = await to.group(otherRoot!.group.uid)
  const owner = group && (await to.identity(group.uid))
  const binding = group && (await to.binding(group.uid, owner))
  return { groups: group, identities: owner, roleBindings: binding }
}

/** Commands at a uid of another kind than the path names, or of what is gone: no such thing exists there (R38). */
export const otherKinds: readonly Command[] = [
  async (to, world) => {
    const things = await subjects(to, world)
    for (const kind of madeKinds)
      for (const other of madeKinds) {
        const uid = things[other]?.uid
        if (kind === other || uid === undefined) continue
        await to.send(() => to.api[kind].get(uid))
        await to.send(() => to.api[kind].update(uid, { description: to.name() }))
        await to.send(() => to.api[kind].delete(uid))
      }
    // v1 has groups alone
    for (const uid of [things.identities?.uid, things.roleBindings?.uid].filter((each) => each !== undefined)) {
      await to.send(() => to.v1.get(uid))
      await to.send(() => to.v1.replace(uid, { name: to.name() }))
      await to.send(() => to.v1.delete(uid))
    }
  },
  // a name is no uid, and neither is a path that ends in one (R38)
  async (to, world) => {
    const { groups, identities } = await subjects(to, world)
    const home = groups && to.homeOf(groups, 'groups')
    for (const [kind, one, above] of [
      ['groups', groups, home],
      ['identities', identities, groups?.uid],
    ] as const) {
      if (one === undefined) continue
      const uid = `${above}/${one.name}`
      await to.send(() => to.api[kind].get(uid))
      await to.send(() => to.api[kind].update(uid, { description: to.name() }))
      await to.send(() => to.api[kind].delete(uid))
    }
    const uid = `${home}/${groups?.name}`
    await to.send(() => to.v1.get(uid))
    await to.send(() => to.v1.delete(uid))
    await to.frame(undefined, groups?.uid)
  },
  // below what is not a group, and in it (R15, R38)
  async (to, world) => {
    const { identities, roleBindings } = await subjects(to, world)
    for (const above of [identities, roleBindings].filter((one) => one !== undefined)) {
      for (const scope of [childrenOf(above.uid), descendantsOf(above.uid)])
        await Promise.all(madeKinds.map((kind) => to.list(kind, scope)))
      await to.group(above.uid)
      await to.identity(above.uid)
      await to.binding(above.uid, identities)
    }
  },
  // what is gone accepts no change, and none brings it back
  async (to, world) => {
    const things = await subjects(to, world)
    const gone: (Received | undefined)[] = [things.roleBindings, things.identities, things.groups]
    for (const [at, kind] of (['roleBindings', 'identities', 'groups'] as const).entries()) {
      const uid = gone[at]?.uid
      if (uid !== undefined) await to.send(() => to.api[kind].delete(uid))
    }
    await to.frame()
    await updateIdentity(to, things.identities?.uid, { name: to.name(), description: to.name() })
    await update(to, things.groups?.uid, { description: to.name() }, 'description')
    for (const kind of madeKinds) {
      const uid = things[kind]?.uid
      if (uid !== undefined) await to.send(() => to.api[kind].get(uid))
    }
  },
  // an Update of a role binding names what does not exist (R38)
  async (to, world) => {
    const { groups, identities, roleBindings } = await subjects(to, world)
    if (!groups || !identities || !roleBindings) return
    for (const body of [{ roleUid: groups.uid }, { identityUid: `${identities.uid}0` }, { identityUid: groups.uid }]) {
      await to.send(() => to.api.roleBindings.update(roleBindings.uid, body))
      await to.list('roleBindings', childrenOf(groups.uid))
    }
  },
  // a role binding gets another role and another identity, and goes with that one; the binding beside it stays as it is
  async (to, world) => {
    const { groups, identities: first, roleBindings: one } = await subjects(to, world)
    const [, , third, fourth] = (await to.roles()).map(({ uid }) => uid)
    if (!groups || !first || !one) return
    const beside = await to.binding(groups.uid, first, 1)
    const second = await to.identity(groups.uid)
    const rebind = async (body: Record<string, unknown>, updateMask?: string) => {
      await to.send(() => to.api.roleBindings.update(one.uid, body, { query: { updateMask } }))
      await to.children('roleBindings', groups.uid)
    }
    for (const mask of ['roleUid', 'role_uid', 'role'])
      await rebind({ identityUid: second?.uid, roleUid: mask === 'roleUid' ? third : fourth }, mask)
    await rebind({ identityUid: second?.uid, roleUid: third }, 'identityUid')
    await rebind({ roleUid: fourth })
    await rebind({ identityUid: second?.uid })
    // the new one is embedded as it is (R7)
    const claimMatch = { issuer: 'https://issuer.example/rebound', subject: to.name() }
    await updateIdentity(to, second?.uid, { name: to.name(), claimMatch })
    await to.frame(['identities', 'roleBindings'], groups.uid)
    if (beside) await to.send(() => to.api.roleBindings.delete(beside.uid))
    for (const owner of [first, second]) {
      if (owner) await to.send(() => to.api.identities.delete(owner.uid))
      await to.frame(['roleBindings'], groups.uid)
    }
  },
  // a role by part of its uid
  async (to, world) => {
    const { groups, identities } = await subjects(to, world)
    const [role] = (await to.roles()).map(({ uid }) => uid)
    if (groups === undefined || identities === undefined || role === undefined) return
    for (const roleUid of [role.slice(0, 8), role.slice(0, -1), `${role}0`, role.slice(-12)])
      await to.send(() => to.api.roleBindings.create(groups.uid, { identityUid: identities.uid, roleUid }))
  },
]
