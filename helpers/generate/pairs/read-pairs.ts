import type { KindName } from '../../api/kinds.ts'
import { childrenOf } from '../../arrange/scratch.ts'
import type { Answer } from '../../http/call.ts'
import type { Driver } from '../driver.ts'
import type { Pair, Subject, Subjects } from './race.ts'

/** On how many resources it is done at once, and how often each door is used at most while an Update is under way. */
const [width, most] = [2, 4]

/** The readings of one thing through every door, each with what lives beside it. */
function readings(driver: Driver, kind: KindName, uid: string): (() => Promise<Answer>)[] {
  const { api, v1 } = driver
  const home = childrenOf(driver.homeOf({ uid }, kind))
  return [
    () => api[kind].get(uid),
    () => api[kind].list(home),
    ...(kind === 'groups' ? [() => v1.get(uid), () => v1.list(home)] : []),
  ]
}

/** Readings of a subject before an Update of it, for as long as it is under way, and afterwards: none goes back (R52). */
function beside(
  subject: Subject,
  kind: KindName,
  update: (driver: Driver, one: { uid: string }) => Promise<Answer>,
): Pair {
  const read = async (driver: Driver, { [subject]: { uid } }: Subjects) =>
    Promise.all(readings(driver, kind, uid).map((each) => driver.send(each)))
  return {
    needs: [subject],
    width,
    before: read,
    writes: (driver, subjects) => [
      async () => {
        const { [subject]: one } = subjects
        let underWay = true
        const meanwhile = async (each: () => Promise<Answer>) => {
          for (let times = 0; times < most && underWay; times++) await driver.send(each)
        }
        // readings go out first: what one of them read before the change it may keep
        const reads = readings(driver, kind, one.uid).map(meanwhile)
        const answer = await update(driver, one).finally(() => {
          underWay = false
        })
        await Promise.all(reads)
        return answer
      },
    ],
    after: read,
  }
}

/** A name and a description at once. */
const both = (driver: Driver) => ({ name: driver.name(), description: `both of ${driver.name()}` })

/** Updates of each kind with readings at the same moment. */
export const readPairs: readonly Pair[] = [
  beside('one', 'groups', (driver, { uid }) => driver.api.groups.update(uid, both(driver))),
  beside('one', 'groups', (driver, { uid }) => driver.v1.replace(uid, both(driver))),
  beside('identity', 'identities', (driver, { uid }) => driver.api.identities.update(uid, both(driver))),
  beside('binding', 'roleBindings', (driver, { uid }) =>
    driver.api.roleBindings.update(uid, { roleUid: driver.knownRoles.at(2)?.uid }),
  ),
  beside('provider', 'identityProviders', (driver, { uid }) => driver.api.identityProviders.update(uid, both(driver))),
  beside('association', 'accountAssociations', (driver, { uid }) =>
    driver.api.accountAssociations.update(uid, both(driver)),
  ),
]
