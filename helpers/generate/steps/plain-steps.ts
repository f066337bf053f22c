import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import { bindAgain, type Command, emptied, identity, type Place, update } from '../world.ts'
import { askNames } from './named-lists.ts'

/**
 * Each changes one thing, or is refused. None needs the result of another, which may have been refused. Those of a round
 * touch different things, so that they can be sent at once.
 */
export const plainSteps: readonly (readonly Command[])[] = [
  [
    (to, { places }) => update(to, places[2]?.group.uid, { name: to.name() }),
    (to, { places }) => update(to, places[4]?.group.uid, { description: `new ${to.name()}` }),
    (to, { places }) =>
      update(to, places[1]?.group.uid, { name: to.name(), description: `left out ${to.name()}` }, 'name'),
    (to, { places }) =>
      update(to, places[3]?.group.uid, { name: to.name(), description: `masked ${to.name()}` }, 'description'),
  ],
  [
    (to, { places }) => update(to, places[4]?.group.uid, { description: '' }, 'description'),
    (to, { places }) => update(to, places[0]?.group.uid, { name: to.name(), description: `both ${to.name()}` }),
    (to, { places, shared }) => update(to, places[5]?.group.uid, { name: shared.name }),
  ],
  [
    // what a mask leaves out is ignored, even an empty text (R31)
    (to, { places }) => update(to, places[5]?.group.uid, { name: to.name(), description: '' }, 'name'),
    (to, { places }) => update(to, places[1]?.group.uid, { description: String(places[1]?.group.description) }),
    (to, { places }) => update(to, places[0]?.group.uid, { name: `Bad/${to.name()}`, description: `bad ${to.name()}` }),
  ],
  [
    (to, { places }) => identity(to, places[5]?.identity?.uid, { name: to.name(), description: '' }, 'name'),
    (to, { places }) =>
      update(
        to,
        places[0]?.group.uid,
        { uid: places[1]?.group.uid, verified: true, createTime: '2020-01-01T00:00:00Z', name: to.name() },
        'name',
      ),
    // what a mask does not list is ignored, even a bad value (R31)
    (to, { places }) =>
      update(to, places[1]?.group.uid, { name: `Bad@${to.name()}`, description: `masked ${to.name()}` }, 'description'),
  ],
  [
    (to, { places }) => update(to, places[5]?.group.uid, { name: '', description: to.name() }, 'description'),
    (to, { places }) => update(to, places[0]?.group.uid, { name: 'left out', colour: 'x' }, 'colour'),
    (to, { places }) =>
      update(to, places[3]?.group.uid, { name: '', description: `masked ${to.name()}` }, 'description'),
  ],
  [
    (to, { places }) => identity(to, places[5]?.identity?.uid, { name: '', description: to.name() }, 'description'),
    (to, { places }) => to.send(() => to.api.groups.update(places[0]!.group.uid, [])),
    (to, { places }) =>
      update(to, places[2]?.group.uid, { name: to.name(), description: 'x'.repeat(300), verified: true }, 'name'),
  ],
  [
    (to, { places }) => to.send(() => to.api.groups.update(places[0]!.group.uid, { raw: '{"name": "cut' })),
    // nothing exists near a uid (R38)
    (to, { places }) => update(to, places[1]?.group.uid.slice(0, -1), { name: to.name() }),
    (to, { places }) => identity(to, places[4]?.identity?.uid.slice(0, -1), { name: to.name() }),
  ],
  [
    (to, { places }) => update(to, places[0]?.group.uid, {}),
    (to, { places }) => update(to, `${places[1]?.group.uid}0`, { description: to.name() }),
    async (to, { places }) => {
      const { uid } = places[3]!.group
      for (let times = 0; times < 2; times++) await update(to, uid, { name: to.name() })
      await to.group(uid)
      await to.children('groups', uid)
    },
  ],
  [
    (to, { places }) => to.send(() => to.api.groups.get(places[1]!.group.uid.slice(0, -1))),
    // a uid of another kind than the path names does not exist there (R38)
    (to, { places }) => update(to, places[0]?.identity?.uid, { name: to.name() }),
    (to, { places }) => to.send(() => to.api.identities.delete(places[3]!.group.uid)),
  ],
  [
    (to, { places }) => to.send(() => to.api.groups.create(places[1]!.group.uid.slice(0, -1), { name: to.name() })),
    (to, { places }) => to.send(() => to.api.identities.update(places[0]!.group.uid, { name: to.name() })),
    (to, { places }) => to.send(() => to.api.groups.delete(places[3]!.identity!.uid)),
  ],
  [
    (to, { places }) => to.send(() => to.api.groups.create(places[0]!.identity!.uid, { name: to.name() })),
    (to, { places }) =>
      to.send(() => to.api.groups.create(`${places[0]!.group.uid}/00000000000000aa`, { name: to.name() })),
    (to, { places }) => to.group(places[3]!.group.uid, { name: `Bad@${to.name()}` }),
  ],
  [
    async (to, { places }) => {
      const [{ uid: home }, name] = [places[3]!.group, to.name()]
      const first = await to.group(home, { name })
      if (first) await to.send(() => to.api.groups.delete(first.uid))
      await to.list('groups', { ...childrenOf(home), name })
      await to.group(home, { name })
      for (const scope of [childrenOf(home), descendantsOf(home)]) await to.list('groups', { ...scope, name })
    },
    (to, { places }) => {
      const [{ uid: home }, { uid }, name] = [places[6]!.group, places[0]!.group, to.name()]
      return to.group(home, { name, uid, verified: true, description: `not of another ${name}` })
    },
    (to, { places }) => to.send(() => to.api.groups.delete(places[0]!.group.uid)),
  ],
  [
    (to, { places }) => to.send(() => to.api.groups.create(places[3]!.group.uid, {})),
    (to, { places }) => to.send(() => to.api.groups.create(places[3]!.group.uid, { raw: `{"name": "${to.name()}"` })),
    (to, { places }) => to.send(() => to.api.groups.delete(places[4]!.group.uid)),
  ],
  [
    (to, { places, shared }) => to.group(places[3]!.group.uid, { name: shared.name, description: shared.description }),
    (to, { places }) => identity(to, places[0]?.identity?.uid, { name: to.name() }),
    (to, { places }) => identity(to, places[1]?.identity?.uid, { description: `new ${to.name()}` }),
  ],
  [
    (to, { places }) =>
      identity(to, places[2]?.identity?.uid, { name: to.name(), description: `left out ${to.name()}` }, 'name'),
    (to, { places, shared }) =>
      identity(to, places[1]?.identity?.uid, {
        claimMatch: { issuer: shared.issuer, subject: `subject-${to.name()}` },
      }),
    (to, { places }) => identity(to, places[0]?.identity?.uid, { description: '' }, 'description'),
  ],
  [
    // one that stays bound
    (to, { places, shared }) =>
      identity(to, places[4]?.identity?.uid, {
        claimMatch: { issuer: shared.issuer, subject: `subject-${to.name()}` },
      }),
    (to, { places }) => to.identity(places[0]!.group.uid, { name: undefined }),
    (to, { places }) => bindAgain(to, places[0]?.group.uid, places[0]?.identity?.uid),
  ],
  [
    (to, { places }) => bindAgain(to, places[1]?.group.uid, places[0]?.identity?.uid),
    (to, { places }) => bindAgain(to, places[3]?.group.uid, `${places[3]?.group.uid}/00000000000000ab`),
    (to, { places }) =>
      to.send(() =>
        to.api.roleBindings.create(places[3]!.group.uid, {
          identityUid: places[3]!.identity!.uid,
          roleUid: 'ff'.repeat(20),
        }),
      ),
  ],
  [
    async (to, { places }) => {
      const bind = (place?: Place) => to.binding(place!.group.uid, places[0]?.identity, 1)
      const above = await bind(places[0])
      for (const place of [places[1], places[3]]) await bind(place)
      if (above) await to.send(() => to.api.roleBindings.delete(above.uid))
    },
    async (to, { places }) => {
      const { identity, role, uid } = places[2]!.binding as {
        identity?: { uid?: string }
        role?: { uid?: string }
        uid: string
      }
      const same = { identityUid: identity?.uid, roleUid: role?.uid }
      await to.send(() => to.api.roleBindings.update(uid, same))
    },
  ],
  [(to, { places }) => to.send(() => to.api.roleBindings.delete(places[1]!.binding!.uid))],
  [
    (to, { places }) => to.send(() => to.api.roleBindings.delete(places[1]!.binding!.uid)),
    (to, { places }) => to.send(() => to.api.identities.delete(places[2]!.identity!.uid)),
  ],
  [
    (to, { places }) => to.send(() => to.api.identities.delete(places[1]!.identity!.uid)),
    (to, { places }) => emptied(to, places[6]!.group.uid),
  ],
  [
    (to, { places }) => to.send(() => to.api.groups.get(places[6]!.group.uid)),
    (to, { places }) => to.send(() => to.api.groups.update(places[6]!.group.uid, { name: to.name() })),
    (to, { places }) => to.send(() => to.api.groups.create(places[6]!.group.uid, { name: to.name() })),
  ],
  [
    (to, { places }) => to.identity(places[6]!.group.uid),
    (to, { places }) => to.send(() => to.v1.create(places[6]!.group.uid, { name: to.name() })),
    (to, { places }) => to.send(() => to.v1.replace(places[6]!.group.uid, { name: to.name() })),
  ],
  [
    (to, { places }) => to.send(() => to.v1.create(`${places[1]!.group.uid}/00000000000000ac`, { name: to.name() })),
    (to, { places }) => to.binding(places[6]!.group.uid, places[4]!.identity),
    (to, { places }) => to.group(places[4]!.group.uid, { name: String(places[6]!.group.name) }),
  ],
  [
    (to, { places }) =>
      to.send(() => to.v1.replace(places[5]!.group.uid, { name: to.name(), description: `by v1 ${to.name()}` })),
    (to, { places }) =>
      to.send(() => to.v1.replace(places[3]!.group.uid, { name: `Bad@${to.name()}`, description: `bad ${to.name()}` })),
  ],
  [
    async (to, { places }) => {
      const [{ uid }, name] = [places[3]!.group, to.name()]
      await to.send(() => to.v1.replace(uid, { name }))
      await to.send(() => to.api.groups.get(uid))
      await askNames(to, 6)
    },
  ],
  [
    (to, { places }) => to.send(() => to.v1.get(places[3]!.group.uid)),
    (to, { places }) =>
      to.send(() => to.v1.create(places[3]!.group.uid, { name: to.name(), description: `by v1 ${to.name()}` })),
  ],
]
