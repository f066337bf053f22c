import { expect } from 'vitest'
import { instant, minute } from '../../helpers/api/instant.ts'
import { got, updated } from '../../helpers/arrange/optional-operations.ts'
import { requirement } from '../../helpers/case/requirement.ts'

requirement(
  {
    id: 'identity.last-seen.new',
    level: 'must',
    statement: 'S2.12, R46',
    quote: '`lastSeenTime` is a timestamp and is set when the identity is created',
    says: 'A new identity has a lastSeenTime within ten minutes of its createTime',
  },
  async ({ scratch }) => {
    const { lastSeenTime, createTime } = await scratch.makeIdentity()

    const apart = Math.abs(instant(lastSeenTime) - instant(createTime)) / minute
    expect(apart, `minutes between lastSeenTime ${lastSeenTime} and createTime ${createTime}`).toBeLessThan(10)
  },
)

requirement(
  {
    id: 'identity.last-seen.stays',
    level: 'must',
    statement: 'S2.12, S4.26, R55',
    quote: 'a PATCH without `updateMask` changes only the fields that its body has',
    says: 'An Update of an identity does not move lastSeenTime back',
  },
  async ({ api, scratch, eventually }) => {
    const { uid, lastSeenTime } = await scratch.makeIdentity()

    await eventually(() => updated(api, 'identities', uid, { description: 'changed' }))

    await eventually(async () => {
      const after = await got(api, 'identities', uid)
      expect(instant(after.lastSeenTime), 'lastSeenTime in milliseconds').toBeGreaterThanOrEqual(instant(lastSeenTime))
    })
  },
)
