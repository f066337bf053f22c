import { madeKinds } from '../../api/kinds.ts'
import { isReceived } from '../../api/received.ts'
import { descendantsOf } from '../../arrange/scratch.ts'
import { bindAgain, type Command, update, updateIdentity } from '../world.ts'

/** Values that a name cannot have, sent beside other members. */
const badNames = [7, '', 'x'.repeat(3000), '\u0000', null, ['a']]

/** Masks with what nobody knows, a part of a field, nothing, or a field twice; several fields have several readings (R47). */
const oddMasks = [
  'colour',
  'description,colour',
  'colour,name',
  'description.text',
  'name,',
  'name,name',
  'name,description',
]

/** A segment of a uid, as a client may make one up. */
const hexOf = (text: string) => Buffer.from(text).toString('hex').slice(-16).padStart(16, '0')

/** Members of an identity that the server owns, from long ago. */
const owned = {
  createTime: '2020-01-01T00:00:00Z',
  updateTime: '2020-01-01T00:00:00Z',
  lastSeenTime: '2020-01-01T00:00:00Z',
}

/** Commands that combine: members of one body, namesakes, many levels, repeated calls. */
export const briefCorners: readonly Command[] = [
  // bound in groups below its own, where a copy of it may be kept
  (to, { root, shared }) =>
    updateIdentity(to, root?.identity?.uid, { claimMatch: { issuer: shared.issuer, subject: `later ${to.name()}` } }),
  (to, { root }) => updateIdentity(to, root?.identity?.uid, { name: to.name(), description: `later ${to.name()}` }),
  // one member is unchanged, the other is not
  async (to, { leaf }) => {
    const home = leaf!.group.uid
    const one = await to.group(home, { description: 'as it was' })
    await update(to, one?.uid, { name: one?.name, description: `new ${to.name()}` })
    const other = await to.group(home, { description: 'as it was' })
    await update(to, other?.uid, { name: to.name(), description: 'as it was' })
    const owner = await to.identity(home, { description: 'as it was' })
    await updateIdentity(to, owner?.uid, { name: owner?.name, description: `new ${to.name()}` })
    const claimMatch = { issuer: 'https://issuer.example/corners', subject: to.name() }
    await updateIdentity(to, owner?.uid, { name: owner?.name, claimMatch })
    await updateIdentity(to, owner?.uid, { claimMatch, description: `newer ${to.name()}` })
  },
  // a uid with more after it names nothing (R38)
  async (to, { root }) => {
    const { group, identity: owner, binding } = root!
    const all = { groups: group, identities: owner, roleBindings: binding }
    for (const [kind, one] of Object.entries(all))
      for (const end of ['/0123456789abcdef', '0'])
        if (one) await to.send(() => to.api[kind as keyof typeof all].get(one.uid + end))
  },
  // a refused member leaves the others as they were (R29)
  async (to, { leaf, shared }) => {
    for (const name of badNames) {
      const claimMatch = { issuer: shared.issuer, subject: `refused ${to.name()}` }
      await updateIdentity(to, leaf?.identity?.uid, { name, claimMatch })
      await updateIdentity(to, leaf?.identity?.uid, { description: `refused ${to.name()}`, name })
      // a mask does not make a name of null either (R3)
      const mask = name === null ? 'name' : undefined
      await update(to, leaf?.group.uid, { description: `refused ${to.name()}`, name }, mask)
    }
  },
  // the same, where a good member comes before one of a wrong type
  async (to, { leaf }) => {
    const [group, owner] = [leaf?.group.uid, leaf?.identity?.uid]
    await update(to, group, { name: to.name(), description: 7 })
    await updateIdentity(to, owner, { name: to.name(), description: ['a'] })
    // null is no text
    await updateIdentity(to, owner, { name: to.name(), description: null })
    for (const claimMatch of [7, null]) await updateIdentity(to, owner, { name: to.name(), claimMatch })
    // and before half a claim match
    const issuer = 'https://issuer.example/corners'
    for (const claimMatch of [{ issuer }, { subject: to.name() }, { issuer, subject: 7 }])
      await updateIdentity(to, owner, { name: to.name(), description: `refused ${to.name()}`, claimMatch })
  },
  // a mask protects what it does not list, even where the body has nothing it lists, and what the server owns (R5, R31)
  async (to, { otherRoot, deepest, shared }) => {
    const claimMatch = { issuer: shared.issuer, subject: `left out ${to.name()}` }
    const [group, owner] = [deepest?.group.uid, otherRoot?.identity?.uid]
    await update(to, group, { name: to.name() }, 'description')
    await update(to, group, { name: to.name(), verified: true, resourceLimits: { clusters: 1 } }, 'name')
    await updateIdentity(to, owner, { name: to.name(), claimMatch, ...owned }, 'name')
    await updateIdentity(to, owner, { description: to.name(), claimMatch, ...owned }, 'description')
    await updateIdentity(to, owner, { description: to.name(), ...owned })
    await to.identity(otherRoot!.group.uid, { name: to.name(), ...owned })
    // a client cannot choose a uid either
    const home = deepest!.group.uid
    for (const uid of [hexOf(to.name()), `${home}/${hexOf(to.name())}`]) {
      await to.group(home, { uid })
      await to.identity(home, { uid })
    }
  },
  // a mask of several fields has several readings (R47), but never lets a bad name in (R4)
  async (to, { leaf }) => {
    for (const mask of ['name,description', 'description,name', '*', 'name'])
      await update(to, leaf?.group.uid, { name: `Bad@${to.name()}`, description: to.name() }, mask)
  },
  // beside an unknown field, only what is listed changes (R31)
  async (to, { otherRoot, deepest }) => {
    for (const mask of oddMasks) {
      const body = () => ({ name: to.name(), description: to.name(), colour: 'x' })
      await update(to, otherRoot?.group.uid, body(), mask)
      const claimMatch = { issuer: 'https://issuer.example/left-out', subject: to.name() }
      await updateIdentity(to, deepest?.identity?.uid, { ...body(), claimMatch }, mask)
    }
  },
  // nothing exists near the uid of an identity or a role binding (R38)
  async (to, { root, deep, otherRoot }) => {
    for (const kind of ['identities', 'roleBindings'] as const) {
      const thing = kind === 'identities' ? deep?.identity : deep?.binding
      if (thing === undefined) continue
      const elsewhere = `${otherRoot!.group.uid}/${thing.uid.split('/').at(-1)}`
      for (const uid of [elsewhere, thing.uid.slice(0, -1), `${thing.uid}0`]) {
        await to.send(() => to.api[kind].get(uid))
        if (kind === 'identities') await updateIdentity(to, uid, { description: to.name() })
        await to.send(() => to.api[kind].delete(uid))
      }
    }
    const { uid: group } = deep!.group
    for (const uid of [group.slice(0, -1), `${group}0`]) {
      await to.send(() => to.v1.get(uid))
      await to.send(() => to.v1.replace(uid, { name: to.name() }))
    }
    for (const home of [deep!.group.uid.slice(0, -1), `${deep!.group.uid}0`]) {
      await to.identity(home)
      await to.binding(home, root?.identity)
    }
  },
  // a Delete of what never existed removes nothing that does (R28)
  async (to, { leaf }) => {
    const home = await to.group(leaf!.group.uid)
    const owner = home && (await to.identity(home.uid))
    const made = home && [await to.group(home.uid), owner, await to.binding(home.uid, owner)]
    for (const one of made ?? []) {
      const missing = `${one?.uid}/${'0'.repeat(14)}aa`
      if (one) for (const kind of madeKinds) await to.send(() => to.api[kind].delete(missing))
      if (one) await to.send(() => to.v1.delete(missing))
    }
    await to.frame(undefined, home?.uid)
  },
  // a role binding names a uid of another kind, or one that only nearly exists (S2.15, R38)
  async (to, { deep, otherRoot }) => {
    const [home, owner] = [deep!.group.uid, deep?.identity?.uid ?? '']
    const [role] = (await to.roles()).map(({ uid }) => uid)
    const bad = [
      { identityUid: home, roleUid: role },
      { identityUid: deep?.binding?.uid, roleUid: role },
      { identityUid: owner.slice(0, -1), roleUid: role },
      { identityUid: `${otherRoot!.group.uid}/${owner.split('/').at(-1)}`, roleUid: role },
      { identityUid: owner, roleUid: owner },
      { identityUid: owner, roleUid: home },
      { identityUid: owner, roleUid: '' },
      { identityUid: '', roleUid: role },
    ]
    for (const body of bad) await to.send(() => to.api.roleBindings.create(home, body))
    // a good one is still made
    await bindAgain(to, home, deep?.identity?.uid)
  },
  // the very bytes of an earlier update, after another one, and the same change twice; then what it was made with
  async (to, { child }) => {
    const [group, owner] = [child?.group.uid, child?.identity?.uid]
    for (const member of ['description', 'name', 'claimMatch']) {
      const value = () =>
        member === 'claimMatch' ? { issuer: 'https://issuer.example/again', subject: to.name() } : to.name()
      const [first, second] = [{ [member]: value() }, { [member]: value() }]
      for (const body of [first, second, first, second]) {
        if (member !== 'claimMatch') await update(to, group, body)
        await updateIdentity(to, owner, body)
      }
      // what was emptied may come back
      if (member === 'description') {
        await update(to, group, { description: '' }, member)
        await updateIdentity(to, owner, { description: '' }, member)
        await update(to, group, second)
        await updateIdentity(to, owner, second)
      }
      if (member !== 'claimMatch') await update(to, group, { [member]: child?.group[member] })
      await updateIdentity(to, owner, { [member]: child?.identity?.[member] })
      if (member === 'name') {
        const names = [first.name, second.name, child?.identity?.name].map(String)
        const asked = names.flatMap((name, at) => [
          ...(at < 2 ? [{ kind: 'groups' as const, name }] : []),
          { kind: 'identities' as const, name },
        ])
        await Promise.all(asked.map(({ kind, name }) => to.list(kind, { ...descendantsOf(to.scope), name })))
      }
    }
  },
  // what is made after a deletion is something new, and what was deleted stays deleted (R28)
  async (to, { leaf }) => {
    const home = (await to.group(leaf!.group.uid))?.uid
    if (home === undefined) return
    const gone = [await to.group(home), await to.group(home)].filter((one) => one !== undefined)
    for (const { uid } of gone) await to.send(() => to.api.groups.delete(uid))
    await to.group(home)
    for (const { uid } of gone) await to.send(() => to.api.groups.get(uid))
    const owner = await to.identity(home)
    const binding = owner && (await to.binding(home, owner))
    if (!binding) return
    const roleUid = isReceived(binding.role) ? binding.role.uid : undefined
    await to.send(() => to.api.roleBindings.delete(binding.uid))
    await to.send(() => to.api.roleBindings.create(home, { identityUid: owner.uid, roleUid }))
    await to.send(() => to.api.roleBindings.get(binding.uid))
  },
  // a new binding shows what is there, not what was there before it was emptied (R7)
  async (to, { leaf }) => {
    const home = await to.group(leaf!.group.uid, { description: `first ${to.name()}` })
    const owner = home && (await to.identity(home.uid, { description: `first ${to.name()}` }))
    await update(to, home?.uid, { description: '' }, 'description')
    await updateIdentity(to, owner?.uid, { description: '' }, 'description')
    if (home) await to.binding(home.uid, owner)
    // emptied without a mask, it does not come back with another member either
    for (const description of [`second ${to.name()}`, '']) {
      await update(to, home?.uid, { description })
      await updateIdentity(to, owner?.uid, { description })
    }
    const claimMatch = { issuer: 'https://issuer.example/emptied', subject: to.name() }
    await update(to, home?.uid, { name: to.name() })
    await updateIdentity(to, owner?.uid, { claimMatch })
  },
  // an identity that lost its binding gets another one, and is deleted when it has none
  async (to, { root, leaf }) => {
    const home = leaf!.group.uid
    // one that is not new: a replica knows it (R52)
    for (const owner of [await to.identity(home), root?.identity])
      for (const role of [2, 3]) {
        const binding = await to.binding(home, owner, role)
        if (binding) await to.send(() => to.api.roleBindings.delete(binding.uid))
      }
    await to.frame(['identities', 'roleBindings'], home)
    for (const uid of to.living('identities', home)) await to.send(() => to.api.identities.delete(uid))
    await to.children('identities', home)
  },
]
