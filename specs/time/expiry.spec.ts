import { expect } from 'vitest'
import { uids } from '../../helpers/api/received.ts'
import { accepted, refused } from '../../helpers/assertions/refused.ts'
import { minutesApart, mostApart } from '../../helpers/assertions/timestamps.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import type { ExpiringQuery } from '../../helpers/expiry/expiring-lists.ts'

const time = { profile: 'time', alone: true } as const

requirement(
  {
    id: 'sts.token.hour.lives',
    level: 'must',
    statement: 'S5.5, S8.5, R40',
    quote: 'The API token from an exchange is valid for one hour',
    says: 'An exchanged token still works after 59 minutes',
    ...time,
  },
  async ({ hourOld }) => {
    accepted(hourOld.first.at59(), 'an API token that was exchanged 59 minutes ago')
  },
)

requirement(
  {
    id: 'sts.token.hour.ends',
    level: 'must',
    statement: 'S5.5, S8.5, R40',
    quote: 'be refused after 61, no matter what was exchanged before',
    says: 'An exchanged token is refused after 61 minutes, even if its identity has a newer one',
    ...time,
  },
  async ({ hourOld }) => {
    refused(hourOld.first.at61(), 'an API token that was exchanged 61 minutes ago')
  },
)

requirement(
  {
    id: 'sts.token.hour.own',
    level: 'must',
    statement: 'S5.5, S8.5, R40',
    quote: 'it must work 59 minutes after its own exchange',
    says: 'A second token for an identity still works 59 minutes after its own exchange',
    ...time,
  },
  async ({ hourOld }) => {
    accepted(hourOld.second.at59(), 'an API token that was exchanged 59 minutes ago, after another one')
  },
)

requirement(
  {
    id: 'sts.token.hour.own-ends',
    level: 'must',
    statement: 'S5.5, S8.5, R40',
    quote: 'be refused after 61, no matter what was exchanged before',
    says: 'A second token for an identity is refused 61 minutes after its own exchange',
    ...time,
  },
  async ({ hourOld }) => {
    refused(hourOld.second.at61(), 'an API token that was exchanged 61 minutes ago, after another one')
  },
)

const agedKinds = ['groups', 'identities', 'roles', 'roleBindings'] as const satisfies ExpiringQuery[]

requirementOnEach(
  agedKinds,
  {
    id: 'list.token.lives',
    level: 'must',
    statement: 'S8.3, S4.12, R42',
    quote: 'A page token lives for 3 days',
    says: 'A page token of {many} continues its list just before three days have passed',
    ...time,
  },
  (kind) =>
    async ({ expiringTokens }) => {
      const { wanted, page } = expiringTokens(kind).justBefore()

      expect(uids(page.items).slice(0, 1), 'the first uid of the next page').toEqual(wanted)
    },
)

requirementOnEach(
  agedKinds,
  {
    id: 'list.token.restarts',
    level: 'must',
    statement: 'S8.3, R42',
    quote: 'used later, it restarts the query from the beginning and gives no error',
    says: 'A page token of {many} older than three days restarts the query without an error',
    ...time,
  },
  (kind) =>
    async ({ expiringTokens }) => {
      const { wanted, page } = expiringTokens(kind).justAfter()

      expect(uids(page.items), 'the uids of the first page').toEqual(wanted)
    },
)

requirement(
  {
    id: 'list.token.restarts.ordered',
    level: 'must',
    statement: 'S8.3, S4.21, R42',
    quote: 'the answer must equal the first page of the same query, with the same scope, filter and order',
    says: 'A list restarted by an old page token keeps its order',
    ...time,
  },
  async ({ expiringTokens }) => {
    const { wanted, page } = expiringTokens('ordered').justAfter()

    expect(uids(page.items), 'the uids of the first page').toEqual(wanted)
  },
)

requirement(
  {
    id: 'list.token.restarts.filtered',
    level: 'must',
    statement: 'S8.3, S4.10, R42',
    quote: 'the answer must equal the first page of the same query, with the same scope, filter and order',
    says: 'A list restarted by an old page token keeps its filter',
    ...time,
  },
  async ({ expiringTokens }) => {
    const { wanted, page } = expiringTokens('filtered').justAfter()

    expect(uids(page.items), 'the uids of the first page').toEqual(wanted)
  },
)

requirementOnEach(
  ['groups', 'identities', 'roleBindings'] as const,
  {
    id: 'time.follows',
    level: 'must',
    statement: 'S2.4, R2',
    quote: "What was just made has a `createTime` within 20 minutes of the target's own clock",
    says: 'The createTime of {a} follows the moved clock within 20 minutes',
    ...time,
  },
  (kind) =>
    async ({ later, atLeast }) => {
      const minutes = minutesApart(later.made[kind]().createTime, later.now)
      atLeast(1, 'createTimes that can be compared with the clock', minutes === undefined ? 0 : 1)

      expect(minutes, 'minutes between the new createTime and the moved clock').toBeLessThan(mostApart)
    },
)

requirement(
  {
    id: 'time.follows.updates',
    level: 'should',
    statement: 'S2.4, R2, R26',
    quote: '`updateTime` must not go back, and it must advance on a real change',
    says: 'The updateTime of a changed group follows the moved clock within 20 minutes',
    ...time,
  },
  async ({ later, atLeast }) => {
    const minutes = minutesApart(later.stamped(), later.now)
    atLeast(1, 'changed updateTimes that can be compared with the clock', minutes === undefined ? 0 : 1)

    expect(minutes, 'minutes between the new updateTime and the moved clock').toBeLessThan(mostApart)
  },
)
