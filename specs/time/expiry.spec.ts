import { expect } from 'vitest'
import { kinds, listedKinds, madeKinds } from '../../helpers/api/kinds.ts'
import { uids } from '../../helpers/api/received.ts'
import { handOut } from '../../helpers/arrange/shared.ts'
import { accepted, refused } from '../../helpers/assertions/refused.ts'
import { minutesApart, mostApart } from '../../helpers/assertions/timestamps.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import type { ExpiringQuery } from '../../helpers/expiry/expiring-lists.ts'

const time = { profile: 'time', alone: true } as const

const tokens = {
  first: { words: 'An exchanged token', ends: 'sts.token.hour.ends', over: 'sts.token.hour.over' },
  second: {
    words: 'A second token for an identity',
    ends: 'sts.token.hour.own-ends',
    over: 'sts.token.hour.own-over',
  },
} as const
const hour = {
  statement: 'S5.5, S8.5, R40',
  quote: 'The API token from an exchange is valid for one hour',
  restsOn: ['auth.refuses.other-signer'],
  ...time,
}

for (const [token, id, says] of [
  ['first', 'sts.token.hour.lives', 'An exchanged token still works after 59 minutes'],
  ['second', 'sts.token.hour.own', 'A second token for an identity still works 59 minutes after its own exchange'],
] as const) {
  requirement({ id, level: 'must', says, ...hour }, async ({ hourOld }) => {
    accepted(hourOld[token].at59(), 'an API token that was exchanged 59 minutes ago')
  })
}

for (const [token, { words, ends, over }] of Object.entries(tokens) as ['first' | 'second', typeof tokens.first][]) {
  requirement(
    { id: ends, level: 'should', says: `${words} is refused 61 minutes after its own exchange`, ...hour },
    async ({ hourOld }) => {
      refused(hourOld[token].at61(), 'an API token that was exchanged 61 minutes ago')
    },
  )

  requirement(
    { id: over, level: 'must', says: `${words} is refused 70 minutes after its own exchange`, ...hour },
    async ({ hourOld }) => {
      refused(hourOld[token].at70(), 'an API token that was exchanged 70 minutes ago')
    },
  )
}

for (const kind of [...listedKinds, 'v1'] as const) {
  const what = kind === 'v1' ? 'v1' : kinds[kind].label.many
  requirement(
    {
      id: `auth.refuses.expired-token${kind === 'groups' ? '' : `@${kind}`}`,
      level: 'must',
      says: `Every operation on ${what} refuses a token 70 minutes after its exchange, without effect`,
      ...hour,
    },
    async ({ hourOld, evidence, atLeast }) => {
      const controlCalls = handOut(hourOld.ended[kind], evidence)()

      atLeast(1, 'calls that succeed with the good token and fail with the ended one', controlCalls)
    },
  )
}

requirement(
  {
    id: 'grpc.auth.refuses.expired-token',
    level: 'must',
    says: 'Every operation over gRPC on groups refuses a token 70 minutes after its exchange, without effect',
    ...hour,
    statement: 'S1.5, S5.5, S8.5, R40, R60',
  },
  async ({ hourOld, evidence, atLeast }) => {
    const controlCalls = handOut(hourOld.ended.grpc, evidence)()

    atLeast(1, 'calls over gRPC that succeed with the good token and fail with the ended one', controlCalls)
  },
)

requirement(
  {
    id: 'sts.key.another',
    level: 'should',
    statement: 'S5.3, R41',
    quote: 'A workload exchanges the token of its identity provider',
    says: 'The exchange accepts a key that its issuer published ten minutes before',
    ...time,
  },
  async ({ hourOld: { anotherKey }, atLeast }) => {
    atLeast(1, "issuers of the suite's own", anotherKey === undefined ? 0 : 1)

    accepted(anotherKey!, 'an identity token that is signed by a key published ten minutes before')
  },
)

const restarts = { quote: 'used later, it restarts the query from the beginning and gives no error', ...time }
const agedKinds = ['groups', 'identities', 'roles', 'roleBindings'] as const satisfies ExpiringQuery[]

requirementOnEach(
  agedKinds,
  {
    id: 'list.token.lives',
    level: 'must',
    statement: 'S8.3, S4.12, R42',
    quote: 'A page token lives for 3 days',
    restsOn: ['list.order.stable', 'list.walk.complete'],
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
    ...restarts,
    restsOn: ['list.order.stable', 'list.walk.complete'],
    says: 'A page token of {many} older than three days restarts the query without an error',
  },
  (kind) =>
    async ({ expiringTokens }) => {
      const { wanted, page } = expiringTokens(kind).justAfter()

      expect(uids(page.items), 'the uids of the first page').toEqual(wanted)
    },
)

const kept = [
  ['ordered', 'S8.3, S4.21, R42', ['list.order.name', 'list.walk.complete'], 'keeps its order'],
  ['filtered', 'S8.3, S4.10, R42', ['list.walk.filter'], 'keeps its filter'],
] satisfies [ExpiringQuery, string, string[], string][]

for (const [query, statement, restsOn, says] of kept) {
  requirement(
    {
      id: `list.token.restarts.${query}`,
      level: 'must',
      statement,
      ...restarts,
      restsOn,
      says: `A list restarted by an old page token ${says}`,
    },
    async ({ expiringTokens }) => {
      const { wanted, page } = expiringTokens(query).justAfter()

      expect(uids(page.items), 'the uids of the first page').toEqual(wanted)
    },
  )
}

requirementOnEach(
  agedKinds,
  {
    id: 'list.token.after-use',
    level: 'should',
    statement: 'S8.3, R14, R42',
    ...restarts,
    restsOn: ['list.token.twice', 'list.token.restarts'],
    says: 'A page token of {many} restarts the query after three days, also if it was used before',
  },
  (kind) =>
    async ({ expiringTokens }) => {
      const { wanted, page } = expiringTokens(kind).again()

      expect(uids(page.items), 'the uids of the first page').toEqual(wanted)
    },
)

requirement(
  {
    id: 'grpc.list.token.lives',
    level: 'must',
    statement: 'S1.5, S8.3, S4.12, R42, R60',
    quote: 'A page token lives for 3 days',
    restsOn: ['list.token.lives', 'grpc.list.walk.order'],
    says: 'A page token over gRPC continues its list just before three days have passed',
    ...time,
  },
  async ({ expiringTokens }) => {
    const { wanted, page } = expiringTokens('overGrpc').justBefore()

    expect(uids(page.items).slice(0, 1), 'the first uid of the next page').toEqual(wanted)
  },
)

requirement(
  {
    id: 'grpc.list.token.restarts',
    level: 'must',
    statement: 'S1.5, S8.3, R42, R60',
    ...restarts,
    restsOn: ['list.token.restarts', 'list.token.restarts.ordered', 'grpc.list.walk.order'],
    says: 'A page token over gRPC older than three days restarts the query without an error',
  },
  async ({ expiringTokens }) => {
    const { wanted, page } = expiringTokens('overGrpc').justAfter()

    expect(uids(page.items), 'the uids of the first page').toEqual(wanted)
  },
)

requirementOnEach(
  madeKinds,
  {
    id: 'time.follows',
    level: 'must',
    statement: 'S2.4, R2',
    quote: 'RFC 3339 timestamps in UTC with a precision of milliseconds',
    restsOn: ['time.clock'],
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
    quote: 'RFC 3339 timestamps in UTC with a precision of milliseconds',
    restsOn: ['time.clock'],
    says: 'The updateTime of a changed group follows the moved clock within 20 minutes',
    ...time,
  },
  async ({ later, atLeast }) => {
    const minutes = minutesApart(later.stamped(), later.now)
    atLeast(1, 'changed updateTimes that can be compared with the clock', minutes === undefined ? 0 : 1)

    expect(minutes, 'minutes between the new updateTime and the moved clock').toBeLessThan(mostApart)
  },
)
