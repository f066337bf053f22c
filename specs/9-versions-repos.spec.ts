import { uids } from '../helpers/api/received.ts'
import { requirement } from '../helpers/case/requirement.ts'
import { agrees, hasItems, holdsOnce, inBoth, sameTimes } from '../helpers/v1/v1-assertions.ts'

requirement(
  {
    id: 'v1.repo.list.answers',
    level: 'must',
    statement: 'S9.1, S2.17, R44',
    says: 'The list of repos of v1 answers beside the one of v2',
    profile: 'v1',
  },
  async ({ v1, registryGroup, atLeast }) => {
    const { items = [] } = await v1.listRepos(registryGroup)

    atLeast(1, 'repos', items.length)
  },
)

requirement(
  {
    id: 'v1.repo.items',
    level: 'must',
    statement: 'S9.3, S2.17',
    says: 'A list of repos in v1 holds its array under items, too',
    profile: 'v1',
  },
  async ({ overV1Repos }) => overV1Repos((list) => hasItems(list)),
)

requirement(
  {
    id: 'v1.repo.id',
    level: 'must',
    statement: 'S2.17, S2.1, S9.2, R44',
    says: 'The v1 list shows the repos of v2, each once, with its uid as id',
    profile: 'v1',
  },
  async ({ overV1Repos }) => overV1Repos((list, repos) => holdsOnce(list, uids(repos))),
)

requirement(
  {
    id: 'v1.repo.agrees',
    level: 'must',
    statement: 'S2.17, S2.16, S9.2, R44',
    says: 'A repo has the same name through v1 and v2',
    profile: 'v1',
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
    says: 'The createdAt of a repo in v1 names the same instant as its createTime, and updatedAt as an updateTime',
    profile: 'v1',
  },
  async ({ overV1Repos }) =>
    overV1Repos((list, repos) => {
      for (const [item, repo] of inBoth(list, repos)) sameTimes(item, repo, list.answer)
    }),
)
