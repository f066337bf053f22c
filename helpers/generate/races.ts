import type { Received } from '../api/received.ts'
import type { Answer } from '../http/call.ts'
import type { Driver } from './driver.ts'

/** What a pair of writes is about. */
interface Subjects {
  home: Received
  one: Received
  other: Received
  identity: Received | undefined
}

type Pair = (driver: Driver, subjects: Subjects) => readonly (() => Promise<Answer>)[]

/** Writes on one resource or on neighbours, sent at the same moment (R31). */
const pairs: readonly Pair[] = [
  ({ api }, { one }) => [
    () => api.groups.update(one.uid, { description: `first ${one.name}` }),
    () => api.groups.update(one.uid, { name: `${one.name} race` }),
  ],
  ({ api }, { one, other }) => [
    () => api.groups.update(one.uid, { description: `one ${one.name}` }),
    () => api.groups.update(other.uid, { description: `other ${one.name}` }),
  ],
  ({ api }, { home }) =>
    ['a', 'b', 'c'].map((end) => () => api.groups.create(home.uid, { name: `${home.name}${end}` })),
  ({ api }, { home }) => ['same', 'same'].map(() => () => api.groups.create(home.uid, { name: `${home.name} twice` })),
  ({ api }, { one, other }) => [
    () => api.groups.delete(one.uid),
    () => api.groups.update(other.uid, { description: `beside ${one.name}` }),
  ],
  ({ api }, { one }) => [() => api.groups.delete(one.uid), () => api.groups.delete(one.uid)],
  ({ api }, { one }) => [
    () => api.groups.delete(one.uid),
    () => api.groups.create(one.uid, { name: `${one.name} in` }),
  ],
  ({ api }, { one }) => [
    () => api.groups.update(one.uid, { description: `mask ${one.name}` }, { query: { updateMask: 'description' } }),
    () => api.groups.update(one.uid, { name: `${one.name} m` }, { query: { updateMask: 'name' } }),
  ],
  ({ api }, { home }) =>
    ['k', 'l'].map(
      (end) => () =>
        api.identities.create(home.uid, {
          name: `${home.name}${end}`,
          claimMatch: { issuer: 'https://issuer.example/r', subject: `${home.name} ${end}` },
        }),
    ),
  ({ api }, { identity }) => [
    () => api.identities.update(identity!.uid, { description: `race ${identity!.name}` }),
    () => api.identities.update(identity!.uid, { name: `${identity!.name}r` }),
  ],
  ({ api }, { identity }) => [
    () =>
      api.identities.update(identity!.uid, {
        claimMatch: { issuer: 'https://issuer.example/r', subject: identity!.name },
      }),
    () => api.identities.update(identity!.uid, { name: `${identity!.name}n` }),
  ],
  ({ api }, { identity }) => [
    () => api.identities.update(identity!.uid, { description: `late ${identity!.name}` }),
    () => api.identities.delete(identity!.uid),
  ],
  ({ api }, { one }) => [
    () => api.groups.update(one.uid, { description: `late ${one.name}` }),
    () => api.groups.delete(one.uid),
  ],
  ({ api }, { one }) => [
    () => api.groups.delete(one.uid),
    () => api.groups.update(one.uid, { name: `${one.name} late` }),
  ],
  ({ api, v1 }, { one }) => [
    () => api.groups.update(one.uid, { description: `v2 ${one.name}` }),
    () => v1.replace(one.uid, { name: String(one.name), description: `v1 ${one.name}` }),
  ],
  ({ api }, { home, other }) => [
    () => api.groups.create(home.uid, { name: `Bad@${home.name}` }),
    () => api.groups.create(home.uid, { name: `${other.name} ok` }),
  ],
]

/** On how many resources a pair of writes is sent at once: what goes wrong may do so once in some times. */
const atOnce = 4

/** Sends pairs of writes together, and then reads everything: any order explains it, or none does; gives how many. */
export async function askRaces(driver: Driver, rounds: number): Promise<number> {
  for (let round = 0; round < rounds; round++) {
    for (const pair of pairs) {
      const home = await driver.group(driver.scope)
      if (home === undefined) return 0
      const all = await Promise.all(Array.from({ length: atOnce }, () => subjectsIn(driver, home)))
      const writes = all.flatMap((subjects) => (subjects === undefined ? [] : pair(driver, subjects)))
      await Promise.all(writes.map((write) => driver.send(write)))
      await driver.frame(['groups', 'identities'], home.uid)
      await Promise.all(
        all.map(
          (subjects) => subjects?.identity && driver.send(() => driver.api.identities.get(subjects.identity!.uid)),
        ),
      )
    }
  }
  return rounds * pairs.length * atOnce
}

async function subjectsIn(driver: Driver, above: Received): Promise<Subjects | undefined> {
  const home = await driver.group(above.uid)
  if (home === undefined) return undefined
  const [one, other, identity] = await Promise.all([
    driver.group(home.uid),
    driver.group(home.uid),
    driver.identity(home.uid),
  ])
  return one && other ? { home, one, other, identity } : undefined
}
