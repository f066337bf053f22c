import { uids } from '../../helpers/api/received.ts'
import { accepted } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { agrees, hasItems, holdsOnce, inBoth, sameTimes } from '../../helpers/v1/v1-assertions.ts'

requirement(
  {
    id: 'v1.repo.list.answers',
    level: 'must',
    statement: 'S9.1, S2.17, R44',
    quote: 'v1 stays available beside v2',
    says: 'The v1 list of repos works alongside the v2 list',
  },
  async ({ v1, registryGroup, atLeast }) => {
    const { items = [], answer } = await v1.listRepos(registryGroup)

    accepted(answer, 'the v1 list of repos')
    atLeast(1, 'repos', items.length)
  },
)

requirement(
  {
    id: 'v1.repo.items',
    level: 'must',
    statement: 'S9.3, S2.17',
    quote: 'A v1 list holds its array under `items`',
    restsOn: ['list.scope.descendants', 'list.page-size.asked'],
    says: 'A v1 list of repos holds its array under items',
  },
  async ({ overV1Repos }) => overV1Repos((list) => hasItems(list)),
)

requirement(
  {
    id: 'v1.repo.id',
    level: 'must',
    statement: 'S2.17, S2.1, S9.2, R44',
    quote: 'v1 calls the same thing `id`',
    restsOn: ['list.scope.descendants', 'list.page-size.asked'],
    says: 'The v1 list shows each v2 repo once, with its uid as id',
  },
  async ({ overV1Repos }) => overV1Repos((list, repos) => holdsOnce(list, uids(repos))),
)

requirement(
  {
    id: 'v1.repo.agrees',
    level: 'must',
    statement: 'S2.17, S2.16, S9.2, R44, R55',
    quote: 'A resource must be the same wherever it shows',
    restsOn: ['list.scope.descendants', 'list.page-size.asked'],
    says: 'A repo has the same name in v1 and v2',
  },
  async ({ overV1Repos }) =>
    overV1Repos((list, repos) => {
      for (const [item, repo] of inBoth(list, repos)) agrees(item, repo, list.answer, ['name'])
    }),
)

requirement(
  {
    id: 'v1.repo.times',
    level: 'must',
    statement: 'S2.17, S2.16, S9.2, R44',
    quote: 'its `createdAt` and `updatedAt` name the same instants as the times of v2',
    restsOn: ['list.scope.descendants', 'list.page-size.asked'],
    says: 'The createdAt and updatedAt of a v1 repo equal its times in v2',
  },
  async ({ overV1Repos }) =>
    overV1Repos((list, repos) => {
      for (const [item, repo] of inBoth(list, repos)) sameTimes(item, repo, list.answer)
    }),
)
