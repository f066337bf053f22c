import { publishedKinds } from '../../api/kinds.ts'
import { isReceived, type Received } from '../../api/received.ts'
import { childrenOf } from '../../arrange/scratch.ts'
import type { Answer } from '../../http/call.ts'
import type { Driver } from '../driver.ts'
import { type Pair, pair, type Subjects } from './race.ts'

/** The subjects whose name and description can change. */
const described = {
  one: 'groups',
  identity: 'identities',
  provider: 'identityProviders',
  association: 'accountAssociations',
} as const

/** A name and a description for one resource, without a mask and each under its own: both hold (R31). */
const twoMembers = (Object.keys(described) as (keyof typeof described)[]).flatMap((subject) =>
  [false, true].map((isMasked) =>
    pair([subject], (driver, { [subject]: { uid } }) =>
      (['description', 'name'] as const).map((member) => () => {
        const masked = isMasked ? { query: { updateMask: member } } : {}
        return driver.api[described[subject]].update(uid, { [member]: driver.name() }, masked)
      }),
    ),
  ),
)

/** Writes on one resource or on neighbours, sent at the same moment (R31). */
export const racePairs: readonly Pair[] = [
  ...twoMembers,
  pair(
    ['one'],
    ({ api }, { one }) => ['a', 'b', 'c'].map((end) => () => api.groups.create(one.uid, { name: `${one.name}${end}` })),
    emptyInParts,
  ),
  pair(['one'], ({ api }, { one }) =>
    ['same', 'same'].map(() => () => api.groups.create(one.uid, { name: `${one.name} twice` })),
  ),
  pair(['one'], ({ api }, { one }) => [() => api.groups.delete(one.uid), () => api.groups.delete(one.uid)]),
  pair(['one'], ({ api }, { one }) => [
    () => api.groups.delete(one.uid),
    () => api.groups.create(one.uid, { name: `${one.name} in` }),
  ]),
  pair(['one'], ({ api }, { one }) =>
    ['k', 'l'].map((end) => () => {
      const claimMatch = { issuer: 'https://issuer.example/r', subject: `${one.name} ${end}` }
      return api.identities.create(one.uid, { name: `${one.name}${end}`, claimMatch })
    }),
  ),
  // while it is renamed
  pair(['one'], ({ api }, { one }) => {
    const claimMatch = { issuer: 'https://issuer.example/r', subject: `${one.name} in` }
    return [
      () => api.groups.update(one.uid, { name: `${one.name} on` }),
      () => api.identities.create(one.uid, { name: `${one.name}in`, claimMatch }),
      () => api.groups.create(one.uid, { name: `${one.name} in` }),
    ]
  }),
  pair(['identity'], ({ api }, { identity: { uid, name } }) => [
    () => api.identities.update(uid, { claimMatch: { issuer: 'https://issuer.example/r', subject: name } }),
    () => api.identities.update(uid, { name: `${name}n` }),
  ]),
  pair(['identity'], ({ api }, { identity: { uid, name } }) =>
    ['s', 't'].map((end) => () => {
      const claimMatch = { issuer: `https://issuer.example/${end}`, subject: `${name} ${end}` }
      return api.identities.update(uid, { claimMatch })
    }),
  ),
  pair(['identity'], ({ api }, { identity: { uid, name } }) => [
    () => api.identities.update(uid, { description: `late ${name}` }),
    () => api.identities.delete(uid),
  ]),
  pair(['identity'], (driver, { identity }) => [0, 1].map((role) => () => bound(driver, identity, role)), unbindAtOnce),
  // while it is bound, and while its group is renamed
  pair(['identity'], (driver, { identity }) => [
    () => bound(driver, identity, 0),
    () => driver.api.identities.update(identity.uid, { name: `${identity.name}b`, description: `b ${identity.name}` }),
  ]),
  pair(['identity'], (driver, { identity }) => [
    () => renamed(driver, driver.homeOf(identity, 'identities')),
    () => driver.api.identities.update(identity.uid, { name: `${identity.name}h`, description: `h ${identity.name}` }),
  ]),
  // a group and the one above it
  pair(['one'], (driver, { one }) => [
    () => renamed(driver, driver.homeOf(one, 'groups')),
    () => driver.api.groups.update(one.uid, { name: `${one.name} up`, description: `up ${one.name}` }),
  ]),
  pair(['one'], ({ api }, { one }) => [
    () => api.groups.delete(one.uid),
    () => api.groups.update(one.uid, { name: `${one.name} late` }),
  ]),
  pair(['one'], ({ api, v1 }, { one }) => [
    () => api.groups.update(one.uid, { description: `v2 ${one.name}` }),
    () => v1.replace(one.uid, { name: String(one.name), description: `v1 ${one.name}` }),
  ]),
  // while v1 changes or deletes it
  ...(['replace', 'delete'] as const).map((does) =>
    pair(['one'], ({ api, v1 }, { one }) => {
      const claimMatch = { issuer: 'https://issuer.example/r', subject: `${one.name} ${does}` }
      const body = { name: String(one.name), description: `v1 ${one.name}` }
      return [
        () => (does === 'delete' ? v1.delete(one.uid) : v1.replace(one.uid, body)),
        () => api.groups.create(one.uid, { name: `${one.name} in` }),
        () => api.identities.create(one.uid, { name: `${one.name}in`, claimMatch }),
      ]
    }),
  ),
  // read first while it is changed
  pair(
    ['one', 'identity'],
    ({ api }, { one, identity }) => [
      () => api.groups.get(one.uid),
      () => api.groups.update(one.uid, { description: `read ${one.name}` }),
      () => api.identities.get(identity.uid),
      () => api.identities.update(identity.uid, { description: `read ${identity.name}` }),
    ],
    ({ api }, { one }) => api.groups.get(one.uid),
  ),
  pair(['binding'], ({ api }, { binding }) => [
    () => api.identities.update(identityIn(binding), { description: `unbound ${binding.uid}` }),
    () => api.roleBindings.delete(binding.uid),
  ]),
  pair(['binding', 'besideIt'], ({ api }, { binding, besideIt }) =>
    [binding, besideIt].map((one) => () => api.identities.delete(identityIn(one))),
  ),
  pair(['binding', 'identity'], (driver, { binding, identity }) => [
    () => driver.api.roleBindings.update(binding.uid, { roleUid: driver.knownRoles.at(2)?.uid }),
    () => bound(driver, identity, 0),
  ]),
  pair(['one'], ({ api, v1 }, { one }) => [
    () => v1.delete(one.uid),
    () => api.groups.update(one.uid, { description: `beside v1 ${one.name}` }),
  ]),
  pair(['binding', 'identity'], (driver, { binding, identity }) => [
    () => driver.api.roleBindings.update(binding.uid, { roleUid: driver.knownRoles.at(2)?.uid }),
    () => driver.api.roleBindings.update(binding.uid, { identityUid: identity.uid }),
  ]),
  ...publishedKinds.map((kind) =>
    pair(
      ['one'],
      (driver, { one }) =>
        [0, 1].map(() => async () => driver.api[kind].create(one.uid, (await driver.bodyOf(kind)) ?? {})),
      (driver, { one }) => driver.children(kind, one.uid),
    ),
  ),
  // so many that a server which tries a few times gives up
  pair(['one'], ({ api }, { one }) => [
    ...[...'bekmopu'].map((end) => () => api.groups.update(one.uid, { name: `${one.name} ${end}` })),
    () => api.groups.update(one.uid, { description: `beside many ${one.name}` }),
  ]),
  pair(['identity'], (driver, { identity }) => [
    () => driver.api.identities.delete(identity.uid),
    () => bound(driver, identity, 0),
  ]),
  pair(['one', 'other'], ({ api }, { one, other }) => [
    () => api.groups.create(one.uid, { name: `Bad@${one.name}` }),
    () => api.groups.create(one.uid, { name: `${other.name} ok` }),
  ]),
  pair(
    ['one', 'other'],
    ({ api }, { one, other }) =>
      [one, other].map(
        ({ uid, name }) =>
          () =>
            api.groups.update(uid, { name: `${name} new` }),
      ),
    askBothNames,
  ),
  pair(
    ['one', 'other'],
    ({ api }, { one, other }) =>
      [one, other].map(
        ({ name }) =>
          () =>
            api.groups.update(one.uid, { name: `${name} new` }),
      ),
    askBothNames,
  ),
  pair(['identity'], ({ api }, { identity: { uid, name } }) => [
    () => api.identities.update(uid, { name: `${name}r` }),
    () => api.identities.update(uid, { description: `race ${name}` }),
    () => api.identities.update(uid, { claimMatch: { issuer: 'https://issuer.example/r', subject: `${name} r` } }),
  ]),
  pair(['identity'], (driver, { identity }) => [
    () => driver.api.identities.delete(identity.uid),
    () => {
      const claimMatch = { issuer: 'https://issuer.example/r', subject: `${identity.name} in its place` }
      const body = { name: `${identity.name}p`, claimMatch }
      return driver.api.identities.create(driver.homeOf(identity, 'identities'), body)
    },
  ]),
]

const identityIn = ({ identity }: Received) => (isReceived(identity) ? identity.uid : '')

/** Binds an identity in its own group. */
function bound(driver: Driver, identity: Received, role: number): Promise<Answer> {
  // waiting for the roles here would always send the other write first
  const roleUid = driver.knownRoles.at(role)?.uid
  return driver.api.roleBindings.create(driver.homeOf(identity, 'identities'), { identityUid: identity.uid, roleUid })
}

/** Gives a group another name. */
const renamed = (driver: Driver, uid: string) => driver.api.groups.update(uid, { name: driver.name() })

/** Deletes the role bindings of an identity, each twice and all at once, and reads what is left. */
async function unbindAtOnce(driver: Driver, { identity }: Subjects): Promise<void> {
  const home = driver.homeOf(identity, 'identities')
  const { state } = driver.run.model.hearing.judge
  const all = driver
    .living('roleBindings', home)
    .filter((uid) => state.thing(uid, 'roleBindings')?.identityUid === identity.uid)
  await Promise.all([...all, ...all].map((uid) => driver.send(() => driver.api.roleBindings.delete(uid))))
  // the identities keep it from being deleted
  await driver.send(() => driver.api.groups.delete(home))
  await driver.frame(['identities', 'roleBindings'], home)
}

/** Lists groups by the names that a race gave them. */
async function askBothNames(driver: Driver, { one, other }: Subjects): Promise<void> {
  const scope = childrenOf(driver.homeOf(one, 'groups'))
  for (const { name } of [one, other]) await driver.list('groups', { ...scope, name: `${name} new` })
}

/** Deletes one thing in a group, and the group, which still holds others; then those, at once, and the group. */
async function emptyInParts(driver: Driver, { one }: Subjects): Promise<void> {
  const remove = (uid: string) => driver.send(() => driver.api.groups.delete(uid))
  const [first, ...others] = driver.living('groups', one.uid)
  if (first === undefined || others.length === 0) return
  await remove(first)
  await remove(one.uid)
  await Promise.all(others.map(remove))
  await remove(one.uid)
}
