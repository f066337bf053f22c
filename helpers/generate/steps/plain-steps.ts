import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import { bindAgain, type Command, emptyAndDelete, type Place, update, updateIdentity } from '../world.ts'
import { askNames } from './named-lists.ts'

/**
 * Each changes one thing, or is refused. None needs the result of another, which may have been refused. Those of a round
 * touch different things, so that they can be sent at once.
 */
export const plainSteps: readonly (readonly Command[])[] = [
  [
    (to, { grandchild }) => update(to, grandchild?.group.uid, { name: to.name() }),
    (to, { deep }) => update(to, deep?.group.uid, { description: `new ${to.name()}` }),
    (to, { child }) => update(to, child?.group.uid, { name: to.name(), description: `left out ${to.name()}` }, 'name'),
    (to, { leaf }) =>
      update(to, leaf?.group.uid, { name: to.name(), description: `masked ${to.name()}` }, 'description'),
  ],
  [
    (to, { deep }) => update(to, deep?.group.uid, { description: '' }, 'description'),
    (to, { root }) => update(to, root?.group.uid, { name: to.name(), description: `both ${to.name()}` }),
    (to, { otherRoot, shared }) => update(to, otherRoot?.group.uid, { name: shared.name }),
  ],
  [
    // what a mask leaves out is ignored, even an empty text (R31)
    (to, { otherRoot }) => update(to, otherRoot?.group.uid, { name: to.name(), description: '' }, 'name'),
    (to, { child }) => update(to, child?.group.uid, { description: String(child?.group.description) }),
    (to, { root }) => update(to, root?.group.uid, { name: `Bad/${to.name()}`, description: `bad ${to.name()}` }),
  ],
  [
    (to, { otherRoot }) => updateIdentity(to, otherRoot?.identity?.uid, { name: to.name(), description: '' }, 'name'),
    (to, { root, child }) =>
      update(
        to,
        root?.group.uid,
        { uid: child?.group.uid, verified: true, createTime: '2020-01-01T00:00:00Z', name: to.name() },
        'name',
      ),
    // what a mask does not list is ignored, even a bad value (R31)
    (to, { child }) =>
      update(to, child?.group.uid, { name: `Bad@${to.name()}`, description: `masked ${to.name()}` }, 'description'),
  ],
  [
    (to, { otherRoot }) => update(to, otherRoot?.group.uid, { name: '', description: to.name() }, 'description'),
    (to, { root }) => update(to, root?.group.uid, { name: 'left out', colour: 'x' }, 'colour'),
    (to, { leaf }) => update(to, leaf?.group.uid, { name: '', description: `masked ${to.name()}` }, 'description'),
  ],
  [
    (to, { otherRoot }) =>
      updateIdentity(to, otherRoot?.identity?.uid, { name: '', description: to.name() }, 'description'),
    (to, { root }) => to.send(() => to.api.groups.update(root!.group.uid, [])),
    (to, { grandchild }) =>
      update(to, grandchild?.group.uid, { name: to.name(), description: 'x'.repeat(300), verified: true }, 'name'),
  ],
  [
    (to, { root }) => to.send(() => to.api.groups.update(root!.group.uid, { raw: '{"name": "cut' })),
    // nothing exists near a uid (R38)
    (to, { child }) => update(to, child?.group.uid.slice(0, -1), { name: to.name() }),
    (to, { deep }) => updateIdentity(to, deep?.identity?.uid.slice(0, -1), { name: to.name() }),
  ],
  [
    (to, { root }) => update(to, root?.group.uid, {}),
    (to, { child }) => update(to, `${child?.group.uid}0`, { description: to.name() }),
    async (to, { leaf }) => {
      const { uid } = leaf!.group
      for (let times = 0; times < 2; times++) await update(to, uid, { name: to.name() })
      await to.group(uid)
      await to.children('groups', uid)
    },
  ],
  [
    (to, { child }) => to.send(() => to.api.groups.get(child!.group.uid.slice(0, -1))),
    // a uid of another kind than the path names does not exist there (R38)
    (to, { root }) => update(to, root?.identity?.uid, { name: to.name() }),
    (to, { leaf }) => to.send(() => to.api.identities.delete(leaf!.group.uid)),
  ],
  [
    (to, { child }) => to.send(() => to.api.groups.create(child!.group.uid.slice(0, -1), { name: to.name() })),
    (to, { root }) => to.send(() => to.api.identities.update(root!.group.uid, { name: to.name() })),
    (to, { leaf }) => to.send(() => to.api.groups.delete(leaf!.identity!.uid)),
  ],
  [
    (to, { root }) => to.send(() => to.api.groups.create(root!.identity!.uid, { name: to.name() })),
    (to, { root }) => to.send(() => to.api.groups.create(`${root!.group.uid}/00000000000000aa`, { name: to.name() })),
    (to, { leaf }) => to.group(leaf!.group.uid, { name: `Bad@${to.name()}` }),
  ],
  [
    async (to, { leaf }) => {
      const [{ uid: home }, name] = [leaf!.group, to.name()]
      const first = await to.group(home, { name })
      if (first) await to.send(() => to.api.groups.delete(first.uid))
      await to.list('groups', { ...childrenOf(home), name })
      await to.group(home, { name })
      for (const scope of [childrenOf(home), descendantsOf(home)]) await to.list('groups', { ...scope, name })
    },
    (to, { root, deepest }) => {
      const [{ uid: home }, { uid }, name] = [deepest!.group, root!.group, to.name()]
      return to.group(home, { name, uid, verified: true, description: `not of another ${name}` })
    },
    (to, { root }) => to.send(() => to.api.groups.delete(root!.group.uid)),
  ],
  [
    (to, { leaf }) => to.send(() => to.api.groups.create(leaf!.group.uid, {})),
    (to, { leaf }) => to.send(() => to.api.groups.create(leaf!.group.uid, { raw: `{"name": "${to.name()}"` })),
    (to, { deep }) => to.send(() => to.api.groups.delete(deep!.group.uid)),
  ],
  [
    (to, { leaf, shared }) => to.group(leaf!.group.uid, { name: shared.name, description: shared.description }),
    (to, { root }) => updateIdentity(to, root?.identity?.uid, { name: to.name() }),
    (to, { child }) => updateIdentity(to, child?.identity?.uid, { description: `new ${to.name()}` }),
  ],
  [
    (to, { grandchild }) =>
      updateIdentity(to, grandchild?.identity?.uid, { name: to.name(), description: `left out ${to.name()}` }, 'name'),
    (to, { child, shared }) =>
      updateIdentity(to, child?.identity?.uid, {
        claimMatch: { issuer: shared.issuer, subject: `subject-${to.name()}` },
      }),
    (to, { root }) => updateIdentity(to, root?.identity?.uid, { description: '' }, 'description'),
  ],
  [
    // one that stays bound
    (to, { deep, shared }) =>
      updateIdentity(to, deep?.identity?.uid, {
        claimMatch: { issuer: shared.issuer, subject: `subject-${to.name()}` },
      }),
    (to, { root }) => to.identity(root!.group.uid, { name: undefined }),
    (to, { root }) => bindAgain(to, root?.group.uid, root?.identity?.uid),
  ],
  [
    (to, { root, child }) => bindAgain(to, child?.group.uid, root?.identity?.uid),
    (to, { leaf }) => bindAgain(to, leaf?.group.uid, `${leaf?.group.uid}/00000000000000ab`),
    (to, { leaf }) =>
      to.send(() =>
        to.api.roleBindings.create(leaf!.group.uid, {
          identityUid: leaf!.identity!.uid,
          roleUid: 'ff'.repeat(20),
        }),
      ),
  ],
  [
    async (to, { root, child, leaf }) => {
      const bind = (place?: Place) => to.binding(place!.group.uid, root?.identity, 1)
      const above = await bind(root)
      for (const place of [child, leaf]) await bind(place)
      if (above) await to.send(() => to.api.roleBindings.delete(above.uid))
    },
    async (to, { grandchild }) => {
      const { identity, role, uid } = grandchild!.binding as {
        identity?: { uid?: string }
        role?: { uid?: string }
        uid: string
      }
      const same = { identityUid: identity?.uid, roleUid: role?.uid }
      await to.send(() => to.api.roleBindings.update(uid, same))
    },
  ],
  [(to, { child }) => to.send(() => to.api.roleBindings.delete(child!.binding!.uid))],
  [
    (to, { child }) => to.send(() => to.api.roleBindings.delete(child!.binding!.uid)),
    (to, { grandchild }) => to.send(() => to.api.identities.delete(grandchild!.identity!.uid)),
  ],
  [
    (to, { child }) => to.send(() => to.api.identities.delete(child!.identity!.uid)),
    (to, { deepest }) => emptyAndDelete(to, deepest!.group.uid),
  ],
  [
    (to, { deepest }) => to.send(() => to.api.groups.get(deepest!.group.uid)),
    (to, { deepest }) => to.send(() => to.api.groups.update(deepest!.group.uid, { name: to.name() })),
    (to, { deepest }) => to.send(() => to.api.groups.create(deepest!.group.uid, { name: to.name() })),
  ],
  [
    (to, { deepest }) => to.identity(deepest!.group.uid),
    (to, { deepest }) => to.send(() => to.v1.create(deepest!.group.uid, { name: to.name() })),
    (to, { deepest }) => to.send(() => to.v1.replace(deepest!.group.uid, { name: to.name() })),
  ],
  [
    (to, { child }) => to.send(() => to.v1.create(`${child!.group.uid}/00000000000000ac`, { name: to.name() })),
    (to, { deep, deepest }) => to.binding(deepest!.group.uid, deep!.identity),
    (to, { deep, deepest }) => to.group(deep!.group.uid, { name: String(deepest!.group.name) }),
  ],
  [
    (to, { otherRoot }) =>
      to.send(() => to.v1.replace(otherRoot!.group.uid, { name: to.name(), description: `by v1 ${to.name()}` })),
    (to, { leaf }) =>
      to.send(() => to.v1.replace(leaf!.group.uid, { name: `Bad@${to.name()}`, description: `bad ${to.name()}` })),
  ],
  [
    async (to, { leaf }) => {
      const [{ uid }, name] = [leaf!.group, to.name()]
      await to.send(() => to.v1.replace(uid, { name }))
      await to.send(() => to.api.groups.get(uid))
      await askNames(to, 6)
    },
  ],
  [
    (to, { leaf }) => to.send(() => to.v1.get(leaf!.group.uid)),
    (to, { leaf }) =>
      to.send(() => to.v1.create(leaf!.group.uid, { name: to.name(), description: `by v1 ${to.name()}` })),
  ],
]
