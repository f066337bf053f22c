import { expect } from 'vitest'
import { instant } from '../../helpers/api/instant.ts'
import { got } from '../../helpers/arrange/optional-operations.ts'
import { same } from '../../helpers/assertions/equal.ts'
import { accepted, refused } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'

const profile = 'sts'
const matching = 'anyone who holds a token with matching claims may assume the identity'

for (const [id, level, says, when, beside] of [
  [
    'sts.match.updated',
    'must',
    'An updated claim match accepts the new subject and refuses the old one',
    'in time',
    {},
  ],
  ['sts.match.updated.at-once', 'should', 'An updated claim match takes effect at once', 'at once', {}],
  [
    'sts.match.updated.together',
    'must',
    'A claim match that is updated together with the name accepts the new subject and refuses the old one',
    'in time',
    { name: 'renewed-together', description: 'renewed together' },
  ],
] as const) {
  requirement(
    {
      id,
      level,
      statement: 'S2.11, S5.3, R41',
      quote: matching,
      restsOn: ['sts.refuses.subject-other'],
      says,
      profile,
    },
    async ({ sts }) => {
      const subject = `renewed-${sts.match.subject}`
      accepted(await sts.exchange(), 'the subject of the claim match before its update')
      await sts.rematch(subject, beside)

      await sts.takesEffect(when, async () => {
        const [old, renewed] = await Promise.all([
          sts.exchange(),
          sts.exchange({ token: await sts.sign({ sub: subject }) }),
        ])
        refused(old, 'the subject of the claim match before its update')
        accepted(renewed, 'the subject of the claim match after its update')
      })
    },
  )
}

for (const [id, level, says, when] of [
  ['sts.refuses.deleted-identity', 'must', 'A deleted identity cannot be assumed', 'in time'],
  [
    'sts.refuses.deleted-identity.at-once',
    'should',
    'A deleted identity cannot be assumed from that moment',
    'at once',
  ],
] as const) {
  requirement(
    { id, level, statement: 'S2.11, S5.3, R41', quote: matching, restsOn: ['sts.refuses.other-key'], says, profile },
    async ({ api, sts }) => {
      accepted(await sts.exchange(), 'a matching identity token, before its identity is deleted')

      await api.identities.delete(sts.uid)

      await sts.takesEffect(when, async () => refused(await sts.exchange(), 'the token of a deleted identity'))
    },
  )
}

requirement(
  {
    id: 'sts.exchange.changes-nothing',
    level: 'must',
    statement: 'S2.12, S5.3, R41',
    quote: '`lastSeenTime` is a timestamp and is set when the identity is created',
    says: 'An exchange changes nothing of the identity except lastSeenTime, which never goes back',
    profile,
  },
  async ({ api, sts, eventually }) => {
    const before = await eventually(() => got(api, 'identities', sts.uid))

    accepted(await sts.exchange(), 'a matching identity token')
    await sts.exchange({ token: await sts.sign({ sub: 'somebody' }) })

    const after = await got(api, 'identities', sts.uid)
    same(after, before)
    expect(instant(after.lastSeenTime), 'lastSeenTime in milliseconds').toBeGreaterThanOrEqual(
      instant(before.lastSeenTime),
    )
  },
)
