import { type Fault, fault } from '../../fault.ts'
import { during, inV1, on, type Replacement } from '../../replace.ts'
import { foundByModel, watching } from '../run/histories.ts'

/** The replacement in Gets of groups in v1. */
const getsOfGroups = (change: Replacement) => inV1(on('groups', during('get', change)))

/** Where a uid is not there, Get in v1 shows a group whose uid is near it. */
const showing = (isNear: (uid: string, asked: string) => boolean) =>
  getsOfGroups((contract) => ({
    found: (asked, kind, at) =>
      contract.found(asked, kind, at) ?? [...at.world.store.all('groups')].find(({ uid }) => isNear(uid, asked)),
  }))

/** True where one uid goes on in the last segment of another. */
const goesOn = (longer: string, uid: string) => longer.startsWith(uid) && !longer.slice(uid.length).includes('/')

/** Faults in Gets of v1 where there is no such group, and in what v1 answers of a new one (R38, R44). */
export const v1NearbyFaults: readonly Fault[] = [
  fault(
    'Get in v1 finds a group by the beginning of its last segment',
    foundByModel,
    showing((uid, asked) => asked.includes('/') && goesOn(uid, asked)),
  ),
  fault(
    'Get in v1 shows a group whose uid goes on',
    foundByModel,
    showing((uid, asked) => goesOn(asked, uid)),
  ),
  fault(
    'Get in v1 of what is not there shows a group without anything',
    foundByModel,
    getsOfGroups((contract) => ({
      errorStatus: (refusal, at) => (refusal.problem === 'missing' ? 200 : contract.errorStatus(refusal, at)),
      render(answer, at) {
        const rendered = contract.render(answer, at)
        const isMade = typeof rendered.body === 'object' && rendered.body !== null && 'id' in rendered.body
        return rendered.status !== 200 || isMade ? rendered : { ...rendered, body: { id: '', name: '' } }
      },
    })),
  ),
  fault('Get in v1 does not find a group that was renamed', foundByModel, (contract) => {
    const renamed = new Set<string>()
    return {
      ...watching(contract, (old, next) => {
        if (old.name !== next.name) renamed.add(next.uid)
      }),
      ...getsOfGroups(() => ({
        found: (asked, kind, at) => (renamed.has(asked) ? undefined : contract.found(asked, kind, at)),
      }))(contract),
    }
  }),
  fault(
    'a Create in v1 answers the description of the group above',
    foundByModel,
    inV1(
      during('create', (contract) => ({
        v1Group(item, time, at) {
          const above = at.world.store.get('groups', item.parent)
          return contract.v1Group({ ...item, description: above?.description ?? '' }, time, at)
        },
      })),
    ),
  ),
]
