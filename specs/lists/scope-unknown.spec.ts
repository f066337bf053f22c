import { expect } from 'vitest'
import { registryKinds } from '../../helpers/api/kinds.ts'
import { ownUids } from '../../helpers/api/own-items.ts'
import { uids } from '../../helpers/api/received.ts'
import { listedUids } from '../../helpers/arrange/listings.ts'
import { descendantsOf } from '../../helpers/arrange/scratch.ts'
import { alikeTo, stillUnissued } from '../../helpers/arrange/unknown-uids.ts'
import { foundAll, only, walk } from '../../helpers/assertions/page-walk.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import type { Answer } from '../../helpers/http/call.ts'

requirementOnEach(
  registryKinds,
  {
    id: 'list.scope.descendants.never-issued',
    level: 'must',
    statement: 'S4.8, S4.15, R15',
    quote:
      'A scope that does not exist (an unknown uid, or a real one with one digit more or fewer) is refused or empty',
    restsOn: ['list.scope.descendants'],
    says: 'descendants_of with an unknown uid lists no {many}, even if it resembles a real uid',
  },
  (kind) =>
    async ({ api, over, registryGroup }) => {
      await over(kind, async ({ items }) => {
        const above = registryGroup.slice(0, Math.max(0, registryGroup.lastIndexOf('/')))
        const unknown = alikeTo({ uid: registryGroup }, above)

        const answers = await Promise.all(
          unknown.map((uid) => api.attempt[kind].list({ ...descendantsOf(uid), page_size: 200 })),
        )

        const shows = (answer: Answer) => listedUids(kind, answer).some((uid) => uids(items).includes(String(uid)))
        const showing = unknown.filter((_, index) => shows(answers[index]!))
        expect(await stillUnissued(api, showing), 'unknown uids that list something').toEqual([])
      })
    },
)

requirement(
  {
    id: 'list.scope.crowd',
    level: 'must',
    statement: 'S4.8, S4.24, S4.25',
    quote: 'With `uidp.descendants_of` a List holds only resources that are anywhere below the group',
    restsOn: ['list.scope.descendants.never-issued', 'list.total.crowd'],
    says: 'descendants_of finds hundreds of groups, in a walk and by name',
  },
  async ({ api, run, crowd }) => {
    const scope = descendantsOf(String(crowd.scope['uidp.children_of']))
    const sought = [crowd.siblings[101]!, crowd.siblings.at(-1)!]

    const found = await walk(api.groups.list, { ...scope, page_size: 80 }, crowd.siblings.length + 1)
    const named = await Promise.all(sought.map(({ name }) => api.groups.list({ ...scope, name: String(name) })))

    // R15 leaves open whether the list includes the group itself
    foundAll(only(found, crowd.siblings), crowd.siblings)
    expect(
      named.map(({ items }) => ownUids(items, run)),
      'uids found by name',
    ).toEqual(sought.map(({ uid }) => [uid]))
  },
)
