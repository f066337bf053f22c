import { expect } from 'vitest'
import { clockApart, mostApart } from '../../helpers/assertions/timestamps.ts'
import { requirement } from '../../helpers/case/requirement.ts'

requirement(
  {
    id: 'time.clock',
    level: 'must',
    statement: 'S2.4, R2',
    quote: "has a `createTime` within 20 minutes of the target's own clock",
    says: "A new createTime is within 20 minutes of the target's own clock",
  },
  async ({ api, scratch, names, hookTime, atLeast }) => {
    const answer = await api.attempt.groups.create(scratch.uid, { name: names.fresh() })

    const minutes = clockApart(answer, await hookTime('date' in answer.headers))
    atLeast(1, 'answers with a createTime and a clock to compare it with', minutes === undefined ? 0 : 1)

    expect(minutes, "minutes between the new createTime and the target's clock").toBeLessThan(mostApart)
  },
)
