import { expect } from 'vitest'
import { uids } from '../helpers/api/received.ts'
import { accepted, refused } from '../helpers/assertions/refused.ts'
import { minutesApart, mostApart } from '../helpers/assertions/timestamps.ts'
import { requirement, requirementOnEach } from '../helpers/case/requirement.ts'
import type { AgedQuery } from '../helpers/expiry/expiring-lists.ts'

const time = { profile: 'time', alone: true } as const
const agedKinds = ['groups', 'identities', 'roles', 'roleBindings'] as const satisfies AgedQuery[]

requirement(
  {
    id: 'sts.token.hour.lives',
    level: 'must',
    statement: 'S5.5, S8.5, R40',
    says: 'The token of an exchange still works 59 minutes later',
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
    says: 'The token of an exchange is refused 61 minutes later, although its identity has a younger one',
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
    says: 'Each token of an exchange has an hour of its own: a second one works when the first has ended',
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
    says: 'A second token of an identity ends an hour after its own exchange, too',
    ...time,
  },
  async ({ hourOld }) => {
    refused(hourOld.second.at61(), 'an API token that was exchanged 61 minutes ago, after another one')
  },
)

requirementOnEach(
  agedKinds,
  {
    id: 'list.token.lives',
    level: 'must',
    statement: 'S8.3, S4.12, R42',
    says: 'A page token goes on where its page ended, until it is three days old',
    ...time,
  },
  (kind) =>
    async ({ aged }) => {
      const { wanted, page } = aged(kind).justBefore()

      expect(uids(page.items).slice(0, 1)).toEqual(wanted)
    },
)

requirementOnEach(
  agedKinds,
  {
    id: 'list.token.restarts',
    level: 'must',
    statement: 'S8.3, R42',
    says: 'A page token that is more than three days old starts over: the first page of the same scope, and no error',
    ...time,
  },
  (kind) =>
    async ({ aged }) => {
      const { wanted, page } = aged(kind).justAfter()

      expect(uids(page.items)).toEqual(wanted)
    },
)

requirement(
  {
    id: 'list.token.restarts.ordered',
    level: 'must',
    statement: 'S8.3, S4.21, R42',
    says: 'A list that starts over after three days keeps its order',
    ...time,
  },
  async ({ aged }) => {
    const { wanted, page } = aged('ordered').justAfter()

    expect(uids(page.items)).toEqual(wanted)
  },
)

requirement(
  {
    id: 'list.token.restarts.filtered',
    level: 'must',
    statement: 'S8.3, S4.10, R42',
    says: 'A list that starts over after three days keeps its filter',
    ...time,
  },
  async ({ aged }) => {
    const { wanted, page } = aged('filtered').justAfter()

    expect(uids(page.items)).toEqual(wanted)
  },
)

requirementOnEach(
  ['groups', 'identities', 'roleBindings'] as const,
  {
    id: 'time.follows',
    level: 'must',
    statement: 'S2.4, R2',
    says: 'When the clock has moved by days, the createTime of what is made then lies within 20 minutes of it',
    ...time,
  },
  (kind) =>
    async ({ later, atLeast }) => {
      const minutes = minutesApart(later.made[kind]().createTime, later.now)
      atLeast(1, 'createTimes beside a time that the hook tells', minutes === undefined ? 0 : 1)

      expect(minutes, 'minutes between the new createTime and the moved clock').toBeLessThan(mostApart)
    },
)

requirement(
  {
    id: 'time.follows.updates',
    level: 'should',
    statement: 'S2.4, R2, R26',
    says: 'When the clock has moved by days, the updateTime of what is changed then lies within 20 minutes of it',
    ...time,
  },
  async ({ later, atLeast }) => {
    const minutes = minutesApart(later.stamped(), later.now)
    atLeast(1, 'updateTimes that moved, beside a time that the hook tells', minutes === undefined ? 0 : 1)

    expect(minutes).toBeLessThan(mostApart)
  },
)
