import { present } from '../../../schemas/present.ts'
import { type KindName, kinds, type OwnKind, type PublishedKind, publishedKinds } from '../../api/kinds.ts'
import { childrenOf } from '../../arrange/scratch.ts'
import type { Answer } from '../../http/call.ts'
import type { Driver } from '../driver.ts'
import { make } from '../world.ts'
import type { Pair, Subject, Subjects } from './race.ts'

/** On how many resources each is sent at once. */
const width = 3

type Sent = () => Promise<Answer>

/** A Delete beside other calls, and then what shows whether anything is left. */
const deletion = (
  needs: readonly Subject[],
  writes: (driver: Driver, subjects: Subjects) => readonly Sent[],
  after?: Pair['after'],
  before?: Pair['before'],
): Pair => ({ needs, width, writes, ...present({ before, after }) })

/** One of a kind is made in a group that is deleted at the same moment: one of both calls is refused (S7.6, R38). */
const madeIn = (kind: PublishedKind): Pair =>
  deletion(
    ['one'],
    (driver, { one }) => [
      () => driver.api.groups.delete(one.uid),
      async () => driver.api[kind].create(one.uid, (await driver.bodyOf(kind)) ?? {}),
    ],
    undefined,
    // whether such a thing keeps its group is open until it does
    async (driver, { one }) => {
      const made = await driver.offered(kind, one.uid)
      if (made === undefined) return
      await driver.send(() => driver.api.groups.delete(one.uid))
      await driver.send(() => driver.api[kind].delete(made.uid))
    },
  )

/** What can be changed, and the kind that it is of. */
const changed = {
  binding: 'roleBindings',
  provider: 'identityProviders',
  association: 'accountAssociations',
} as const satisfies Partial<Record<Subject, KindName>>

/** Reads what was deleted: it is in no list, and does not come back (R28). */
const lookFor =
  (subject: Subject, kind: KindName): NonNullable<Pair['after']> =>
  async (driver, { [subject]: { uid } }) => {
    await driver.list(kind, { ...childrenOf(driver.homeOf({ uid }, kind)), page_size: 200 })
    await driver.send(() => driver.api[kind].get(uid))
  }

/** Makes another one beside it, which stays: what is counted twice shows in the total. */
const withAnother =
  (subject: Subject, kind: OwnKind): NonNullable<Pair['before']> =>
  (driver, { [subject]: { uid } }) =>
    make(driver, kind, driver.homeOf({ uid }, kind))

const change = (driver: Driver, kind: (typeof changed)[keyof typeof changed], uid: string): Promise<Answer> =>
  kinds[kind].named
    ? driver.api[kind].update(uid, { name: driver.name(), description: `late ${driver.name()}` })
    : driver.api[kind].update(uid, { roleUid: driver.knownRoles.at(2)?.uid })

/** Deletes of one thing, of neighbours, of what is above and below, and beside what would need it (R28, S7.6). */
export const deletePairs: readonly Pair[] = [
  ...publishedKinds.map(madeIn),
  deletion(['one'], (driver, { one }) => [
    () => driver.api.groups.delete(one.uid),
    () => {
      const claimMatch = { issuer: 'https://issuer.example/late', subject: `late ${driver.name()}` }
      return driver.api.identities.create(one.uid, { name: driver.name(), claimMatch })
    },
  ]),
  // whose identity lives above
  deletion(['one', 'identity'], (driver, { one, identity }) => [
    () => driver.api.groups.delete(one.uid),
    () => driver.api.roleBindings.create(one.uid, { identityUid: identity.uid, roleUid: driver.knownRoles[0]?.uid }),
  ]),
  ...(Object.keys(changed) as (keyof typeof changed)[]).flatMap((subject) => {
    const kind = changed[subject]
    const remove = (driver: Driver, uid: string) => () => driver.api[kind].delete(uid)
    return [
      deletion(
        [subject],
        (driver, { [subject]: { uid } }) => [() => change(driver, kind, uid), remove(driver, uid)],
        lookFor(subject, kind),
      ),
      deletion(
        [subject],
        (driver, { [subject]: { uid } }) => [remove(driver, uid), remove(driver, uid)],
        lookFor(subject, kind),
        withAnother(subject, kind),
      ),
    ]
  }),
  deletion(
    ['identity'],
    ({ api }, { identity: { uid } }) => [() => api.identities.delete(uid), () => api.identities.delete(uid)],
    lookFor('identity', 'identities'),
    withAnother('identity', 'identities'),
  ),
  // a group that holds nothing but this one
  deletion(
    ['inner'],
    (driver, { inner: { uid } }) => [
      () => driver.api.groups.delete(driver.homeOf({ uid }, 'groups')),
      () => driver.api.groups.delete(uid),
    ],
    lookFor('inner', 'groups'),
    // what was shown once is known everywhere (R52)
    lookFor('inner', 'groups'),
  ),
  deletion(
    ['one'],
    ({ api, v1 }, { one: { uid } }) => [() => v1.delete(uid), () => api.groups.delete(uid)],
    lookFor('one', 'groups'),
  ),
]
