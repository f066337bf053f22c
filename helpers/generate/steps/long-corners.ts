import { publishedKinds } from '../../api/kinds.ts'
import type { Received } from '../../api/received.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import type { Driver } from '../driver.ts'
import { type Command, downFrom, emptyAndDelete, levelsTaken, updateIdentity } from '../world.ts'

/** Names that differ only to those who read them as numbers, patterns or words. */
const forms = ['100', '0100', '100.0', '1e2', 'a_b', 'a-b', 'a.b', 'a b', 'axb']

/** Makes groups with such names, and lists each by its name (S4.10). */
const namesInManyForms: Command = async (to, { leaf }) => {
  const [{ uid: home }, start] = [leaf!.group, to.name().slice(0, 12)]
  await Promise.all(forms.map((form) => to.group(home, { name: `${start}${form}` })))
  await Promise.all(forms.map((form) => to.list('groups', { ...childrenOf(home), name: `${start}${form}` })))
  await Promise.all(forms.slice(0, 4).map((form) => to.group(home, { name: form })))
  await Promise.all(forms.slice(0, 4).map((form) => to.list('groups', { ...childrenOf(home), name: form })))
}

/** How often a group is read before it is deleted. */
const often = 12

/** What is gone, also further below, is deleted again and again, and what remains still keeps its group (S7.6). */
const deletedRepeatedly: Command = async (to, { leaf }) => {
  const home = await to.group(leaf!.group.uid)
  if (home === undefined) return
  const [stays, goes, owner] = [await to.group(home.uid), await to.group(home.uid), await to.identity(home.uid)]
  const binding = await to.binding(home.uid, owner)
  if (stays === undefined) return
  for (const inner of [await to.group(stays.uid), await to.group(stays.uid)])
    if (inner) await to.send(() => to.api.groups.delete(inner.uid))
  // what was shown once is known everywhere (R52), and what is read often may be kept
  await to.frame(undefined, home.uid)
  await Promise.all(Array.from({ length: often }, () => goes && to.send(() => to.api.groups.get(goes.uid))))
  const removals = [
    () => binding && to.send(() => to.api.roleBindings.delete(binding.uid)),
    () => owner && to.send(() => to.api.identities.delete(owner.uid)),
    (times: number) => goes && to.send(() => (times % 2 === 0 ? to.api.groups : to.v1).delete(goes.uid)),
  ]
  for (const remove of removals) {
    for (let times = 0; times < 4; times++) {
      await remove(times)
      await to.send(() => to.api.groups.delete(home.uid))
    }
  }
  if (goes) await to.send(() => to.api.groups.get(goes.uid))
  await to.list('groups', childrenOf(home.uid))
}

/** How many groups an identity has roles in, three in each: more bindings than one batch of a server may hold. */
const homes = 9

/** Deletes an identity with many bindings: each goes with it (R28). */
const boundOften: Command = async (to, { leaf }) => {
  const home = await to.group(leaf!.group.uid)
  const owner = home && (await to.identity(home.uid))
  if (home === undefined || owner === undefined) return
  const inner = await Promise.all(Array.from({ length: homes }, () => to.group(home.uid)))
  await Promise.all(inner.flatMap((each) => (each ? [0, 1, 2].map((role) => to.binding(each.uid, owner, role)) : [])))
  await to.frame(['roleBindings'], home.uid)
  await to.send(() => to.api.identities.delete(owner.uid))
  await to.frame(['identities', 'roleBindings'], home.uid)
}

/** More levels than recursive queries of some databases have. */
const mostLevels = 103

/**
 * Nests groups deeply, at most so many levels: all are below the first, whatever else the query has (S4.8). Deletes them,
 * as their lists are large.
 */
export async function askManyLevels(to: Driver, most = mostLevels): Promise<void> {
  const [above, name] = [await to.group(to.scope), to.name()]
  const deepest = above && (await downFrom(to, above, await levelsTaken(to, above.uid, most - 1)))
  if (above === undefined || deepest === undefined) return
  const { uid } = deepest
  const [owner, other, upper] = await Promise.all([
    to.identity(uid),
    to.identity(uid),
    to.identity(above.uid),
    to.group(uid, { name }),
  ])
  const [renamed, right] = [to.name(), to.homeOf(deepest, 'groups')]
  await updateIdentity(to, owner?.uid, { name: renamed, description: `deep ${to.name()}` })
  await Promise.all(publishedKinds.map((kind) => to.offered(kind, uid)))
  const [, unbound] = await Promise.all([owner, upper].map((each) => to.binding(uid, each)))
  if (other) await to.send(() => to.api.identities.delete(other.uid))
  if (unbound) await to.send(() => to.api.roleBindings.delete(unbound.uid))
  const levels = to.living('groups', above.uid).sort((a, b) => a.length - b.length)
  const beside = [{ name }, {}, { order_by: 'name desc' }, { order_by: 'created_at desc', skip: 1 }]
  const asked = [above.uid, ...levels]
    .slice(0, beside.length)
    .flatMap((level, at) => [
      to.list('groups', { ...descendantsOf(level), ...beside[at], page_size: 200 }),
      to.list('identities', { ...descendantsOf(level), page_size: 200 }),
    ])
  await Promise.all([
    ...asked,
    ...(['roleBindings', ...publishedKinds] as const).map((kind) =>
      to.list(kind, { ...descendantsOf(above.uid), page_size: 200 }),
    ),
    to.list('identities', { ...descendantsOf(above.uid), name: renamed }),
    // the group right above holds no more than one group
    ...(['identities', 'roleBindings'] as const).map((kind) => to.children(kind, right)),
    to.children('roleBindings', uid),
    to.send(() => to.v1.list(descendantsOf(above.uid))),
  ])
  await to.run.model.settled()
  await to.send(() => to.v1.replace(uid, { name: to.name(), description: `deep by v1 ${to.name()}` }))
  await Promise.all([uid, right].map((each) => to.send(() => to.api.groups.get(each))))
  // it is full, however deep (S7.6)
  await to.send(() => to.api.groups.delete(uid))
  await to.children('groups', right)
  // what is deleted cannot be read again
  await to.run.model.settled()
  await emptyAndDelete(to, above.uid)
  await to.send(() => to.v1.get(uid))
}

/** Binds an identity in its group and on each level below; what goes with it goes at every depth (S2.14, R28). */
const boundBelow: Command = async (to, { leaf }) => {
  const home = await to.group(leaf!.group.uid)
  const owner = home && (await to.identity(home.uid))
  if (home === undefined || owner === undefined) return
  let place: Received | undefined = home
  for (let level = 0; place && level < levelsBound; level++) {
    await to.binding(place.uid, owner)
    place = await to.group(place.uid)
  }
  await to.frame(['roleBindings'], home.uid)
  await to.send(() => to.api.identities.delete(owner.uid))
  await to.frame(['identities', 'roleBindings'], home.uid)
}

/** On how many levels an identity is bound. */
const levelsBound = 5

/** Commands of many calls. */
export const longCorners: readonly Command[] = [namesInManyForms, deletedRepeatedly, boundOften, boundBelow]
