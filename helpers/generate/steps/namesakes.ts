import { kinds, madeKinds, ownKinds, publishedKinds } from '../../api/kinds.ts'
import { listedUids } from '../../arrange/listings.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import { nextQuery } from '../driver.ts'
import { type Command, emptyAndDelete, make, update, updateIdentity } from '../world.ts'

const named = ['groups', 'identities'] as const

/** Kinds that have a name and a description. */
const described = [...named, ...publishedKinds].filter((kind) => kinds[kind].named && kinds[kind].described)

/** Things of one name or one body: one after the other, side by side, above and below, before and after a Delete (R3). */
export const namesakes: readonly Command[] = [
  // one body twice makes two things, unless the second is refused
  async (to, { leaf }) => {
    const home = leaf!.group.uid
    const body = { name: to.name(), description: `once more ${to.name()}` }
    for (let times = 0; times < 2; times++) {
      await to.group(home, body)
      await to.groupByV1(home, { ...body, name: `${body.name}v` })
      await to.identity(home, body)
    }
    for (const kind of named) await to.children(kind, home)
  },
  // namesakes side by side, where the target allows them
  async (to, { leaf }) => {
    const [{ uid: home }, name] = [leaf!.group, to.name()]
    for (const kind of ['groups', 'identities'] as const) {
      const make = () => (kind === 'groups' ? to.group(home, { name }) : to.identity(home, { name }))
      const look = async () => {
        for (const scope of [childrenOf(home), descendantsOf(home)]) await to.list(kind, { ...scope, name })
      }
      const [first, second, last] = [await make(), await make(), await make()]
      await look()
      if (first) await to.send(() => to.api[kind].delete(first.uid))
      await look()
      // what is gone is not skipped, and no page of the others
      await to.list(kind, { ...childrenOf(home), name, skip: 1 })
      await to.walk(kind, { ...childrenOf(home), name, page_size: 1 })
      const one = { ...childrenOf(home), name, order_by: 'created_at', page_size: 1 }
      const page = await to.list(kind, one)
      await to.run.model.settled()
      const rest = page && listedUids(kind, page)[0] === last?.uid ? second : last
      if (rest) await to.send(() => to.api[kind].update(rest.uid, { name: to.name() }))
      await look()
      // nor is what has another name
      await to.list(kind, { ...childrenOf(home), name, skip: 1 })
      // what has another name by now is on no page, and what was on the first does not come again (R22)
      const next = nextQuery(one, page)
      if (next) await to.list(kind, next)
      // one that was made with another name gets this one
      const other = kind === 'groups' ? await to.group(home) : await to.identity(home)
      if (other) await to.send(() => to.api[kind].update(other.uid, { name }))
      await look()
    }
  },
  // what was made or named like something deleted still keeps its group (S7.6)
  async (to, { leaf }) => {
    for (const how of ['beside', 'made', 'renamed', 'by v1'] as const) {
      const home = await to.group(leaf!.group.uid)
      const old = home && (await to.group(home.uid))
      if (home === undefined || old === undefined) continue
      const body = { name: String(old.name) }
      if (how === 'beside') await to.group(home.uid, body)
      await to.send(() => to.api.groups.delete(old.uid))
      if (how === 'made') await to.group(home.uid, body)
      if (how === 'by v1') await to.groupByV1(home.uid, body)
      if (how === 'renamed') await update(to, (await to.group(home.uid))?.uid, body)
      await to.frame(['groups'], home.uid)
      await to.send(() => to.api.groups.delete(home.uid))
      await to.children('groups', home.uid)
    }
  },
  // in every scope, the name of what is above it, beside it and below it (S4.8, S4.9)
  async (to, { leaf }) => {
    const name = to.name()
    const above = await to.group(leaf!.group.uid, { name })
    const middle = above && (await to.group(above.uid))
    const below = middle && ((await to.group(middle.uid, { name })) ?? (await to.group(middle.uid)))
    if (above === undefined || middle === undefined || below === undefined) return
    const inGroups = described.filter((kind) => kind !== 'groups')
    const made = await Promise.all(
      [above, below].flatMap(({ uid }) =>
        inGroups.map(async (kind) => ({ kind, one: await make(to, kind, uid, { name, description: to.name() }) })),
      ),
    )
    await Promise.all(made.map(({ kind, one }) => one && to.send(() => to.api[kind].get(one.uid))))
    // a name is no uid (R38)
    await Promise.all(inGroups.map((kind) => to.send(() => to.api[kind].get(name))))
    const scopes = [above, middle, below].flatMap(({ uid }) => [childrenOf(uid), descendantsOf(uid)])
    await Promise.all(scopes.flatMap((scope) => described.map((kind) => to.list(kind, { ...scope, name }))))
    for (const { uid } of [above, middle, below]) await to.send(() => to.v1.get(uid))
    // v1 changes the one in its path
    await to.send(() => to.v1.replace(below.uid, { name: String(below.name), description: `below by v1 ${name}` }))
  },
  // a role binding embeds its own identity, not one of the same name in the group above (R7)
  async (to, { leaf }) => {
    const name = to.name()
    const above = await to.group(leaf!.group.uid)
    const below = above && (await to.group(above.uid))
    if (above === undefined || below === undefined) return
    const [upper, lower] = [
      await to.identity(above.uid, { name, description: `above ${name}` }),
      await to.identity(below.uid, { name, description: `below ${name}` }),
    ]
    for (const [home, owner] of [[below, lower], [below, upper], [above, lower], [above, upper]] as const)
      await to.binding(home.uid, owner)
    await to.frame(['roleBindings'], above.uid)
    for (const uid of to.living('roleBindings', above.uid)) await to.send(() => to.api.roleBindings.get(uid))
  }, // biome-ignore format: a table
  // one identity has one role in two groups of one name (S2.15)
  async (to, { leaf }) => {
    const [above, name] = [await to.group(leaf!.group.uid), to.name()]
    const owner = above && (await to.identity(above.uid))
    const first = above && (await to.group(above.uid, { name }))
    const between = above && (await to.group(above.uid))
    const second = between && (await to.group(between.uid, { name }))
    for (const home of [first, second]) if (home) await to.binding(home.uid, owner)
    if (above) await to.frame(['roleBindings'], above.uid)
  },
  // a name that nothing has yet is found once something has it, however it got it (S4.10)
  async (to, { leaf }) => {
    const home = await to.group(leaf!.group.uid)
    const [one, other] = home ? [await to.group(home.uid), await to.identity(home.uid)] : []
    if (home === undefined || one === undefined || other === undefined) return
    const [renamed, replaced, made, given] = [to.name(), to.name(), to.name(), to.name()]
    const look = async () => {
      await Promise.all([
        ...[renamed, replaced].map((name) => to.list('groups', { ...descendantsOf(home.uid), name })),
        ...[made, given].map((name) => to.list('identities', { ...childrenOf(home.uid), name })),
      ])
      // what lags is read again before it changes once more
      await to.run.model.settled()
    }
    await look()
    await update(to, one.uid, { name: renamed })
    await updateIdentity(to, other.uid, { name: given })
    await look()
    await to.send(() => to.v1.replace(one.uid, { name: replaced }))
    await to.identity(home.uid, { name: made })
    await look()
  },
  // what was empty when it was listed lists what is made deeper in it (S4.8)
  async (to, { leaf }) => {
    const home = await to.group(leaf!.group.uid)
    if (home === undefined) return
    const look = () => Promise.all(madeKinds.map((kind) => to.list(kind, descendantsOf(home.uid))))
    await look()
    const child = await to.group(home.uid)
    const below = child && (await to.group(child.uid))
    if (below) await to.binding(below.uid, await to.identity(below.uid))
    await look()
  },
  // what has no description shows none, whatever its group has (R6, R7)
  async (to, { leaf }) => {
    const home = await to.group(leaf!.group.uid, { description: `of the group ${to.name()}` })
    const child = home && (await to.group(home.uid))
    const owner = home && (await to.identity(home.uid))
    if (home === undefined || child === undefined) return
    for (const { uid } of [home, child]) {
      const binding = await to.binding(uid, owner)
      if (binding) await to.send(() => to.api.roleBindings.get(binding.uid))
    }
    await to.frame(undefined, home.uid)
    if (owner) await to.send(() => to.api.identities.get(owner.uid))
  },
  // what gets the name of something deleted gets nothing else of it
  async (to, { leaf }) => {
    const home = await to.group(leaf!.group.uid)
    if (home === undefined) return
    for (const kind of described) {
      const [old, other] = [
        await make(to, kind, home.uid, { description: `old ${to.name()}` }),
        await make(to, kind, home.uid, { description: `other ${to.name()}` }),
      ]
      if (old === undefined || other === undefined) continue
      await to.send(() => to.api[kind].delete(old.uid))
      await to.send(() => to.api[kind].update(other.uid, { name: old.name }))
      await to.children(kind, home.uid)
    }
  },
  // a group with the name of a deleted one holds nothing of it, though an identity that was bound there lives on (R28)
  async (to, { leaf }) => {
    const home = await to.group(leaf!.group.uid)
    const [old, owner] = home ? [await to.group(home.uid), await to.identity(home.uid)] : []
    if (home === undefined || old === undefined) return
    await to.binding(old.uid, owner)
    for (const kind of ownKinds) await make(to, kind, old.uid)
    await emptyAndDelete(to, old.uid)
    const again = await to.group(home.uid, { name: old.name })
    await to.frame(ownKinds, home.uid)
    if (again === undefined) return
    // and holds what is made in it
    await Promise.all([to.group(again.uid), to.binding(again.uid, await to.identity(again.uid))])
    await to.frame(madeKinds, home.uid)
  },
  // what is deleted twice takes nothing else with it (R28)
  async (to, { leaf }) => {
    const home = await to.group(leaf!.group.uid)
    if (home === undefined) return
    for (const kind of ownKinds) {
      const made = []
      while (made.length < 3) made.push(await make(to, kind, home.uid))
      await to.children(kind, home.uid)
      const [, middle] = made
      for (let times = 0; times < 3 && middle; times++) await to.send(() => to.api[kind].delete(middle.uid))
      await to.children(kind, home.uid)
    }
  },
  // what v1 made keeps its group in v2 as well, whatever the protocol
  async (to, { leaf }) => {
    const home = await to.group(leaf!.group.uid)
    if (home === undefined) return
    for (const _ of [1, 2]) await to.groupByV1(home.uid)
    await to.frame(['groups'], home.uid)
    await to.send(() => to.api.groups.delete(home.uid))
    await to.children('groups', home.uid)
  },
  // v1 shows and orders what it renamed by the name that it has now (R44)
  async (to, { leaf }) => {
    const home = await to.group(leaf!.group.uid)
    const made = home && [await to.group(home.uid), await to.group(home.uid), await to.group(home.uid)]
    const [first, second] = made ?? []
    if (home === undefined || first === undefined || second === undefined) return
    const look = async () => {
      for (const order_by of ['name', 'name desc']) await to.list('groups', { ...childrenOf(home.uid), order_by })
      await to.send(() => to.v1.list(childrenOf(home.uid)))
      await to.send(() => to.v1.get(second.uid))
    }
    for (let times = 0; times < 2; times++) await to.send(() => to.v1.replace(second.uid, { name: to.name() }))
    await look()
    await update(to, first.uid, { name: to.name() })
    for (const name of [`${to.name()} e.b_i-k`, to.name()]) {
      await to.send(() => to.v1.replace(second.uid, { name }))
      await look()
    }
    const owner = await to.identity(home.uid)
    await updateIdentity(to, owner?.uid, { name: `${to.name()} e.b_i-k` })
  },
]
