import { expect } from 'vitest'
import { instant } from '../../helpers/api/instant.ts'
import { keptAs, sideBySide } from '../../helpers/arrange/observed.ts'
import { stillUnissued } from '../../helpers/arrange/unknown-uids.ts'
import { outcomeOf, refused } from '../../helpers/assertions/refused.ts'
import { apart } from '../../helpers/assertions/timestamps.ts'
import { controlUpdates } from '../../helpers/auth/control-calls.ts'
import { requirement } from '../../helpers/case/requirement.ts'

requirement(
  {
    id: 'group.update.server-owned',
    level: 'observe',
    statement: 'S4.26, S2.5, R5',
    quote: 'may be refused or ignored when a client sends it',
    says: 'How an Update with fields that the server owns is answered',
  },
  async ({ api, scratch, observe }) => {
    const owned = {
      uid: 'x',
      verified: true,
      createTime: '2001-02-03T04:05:06.007Z',
      resourceLimits: { a: 1 },
    }
    const update = ([member, value]: [string, unknown]) =>
      [member, api.attempt.groups.update(scratch.uid, { [member]: value })] as const

    observe(
      await sideBySide(Object.fromEntries(Object.entries(owned).map(update)), (answer, member) => {
        const sent = owned[member as keyof typeof owned]
        return keptAs(member, sent)(answer) === 'kept' ? 'taken' : 'ignored'
      }),
    )
  },
)

requirement(
  {
    id: 'group.update.immutable',
    level: 'must',
    statement: 'S2.5, S2.4, R5, R26',
    quote: '`createTime` and `uid` must never change',
    restsOn: ['group.update.time.advances'],
    says: 'The uid and createTime of a group never change, whatever the body and the mask say',
  },
  async ({ api, scratch, eventually, atLeast }) => {
    atLeast(1, 'plain Updates that take effect', await controlUpdates({ api, scratch }))
    const before = await scratch.makeKnown({ description: 'first' })
    const body = {
      uid: `${scratch.uid}/00000000000000aa`,
      createTime: '2001-02-03T04:05:06.007Z',
      description: 'second',
    }
    atLeast(1, 'uids that were never issued', (await stillUnissued(api, [body.uid])).length)

    for (const updateMask of [undefined, 'uid', 'createTime', 'uid,createTime', '*']) {
      await api.attempt.groups.update(before.uid, body, { query: { updateMask } })
    }

    await eventually(async () => {
      const got = await api.groups.get(before.uid)
      expect([got.uid, instant(got.createTime)], 'uid and createTime').toEqual([before.uid, instant(before.createTime)])
    })
    refused(await api.attempt.groups.get(body.uid), 'Get of the uid in the body of the Update')
  },
)

requirement(
  {
    id: 'group.update.time.advances',
    level: 'must',
    statement: 'S2.4, R26',
    quote: '`updateTime` must not go back, and it must advance on a real change',
    says: 'A change advances updateTime and leaves createTime alone',
  },
  async ({ api, scratch, names, eventually }) => {
    const changes = [
      { body: { description: 'second' } },
      { body: { name: names.fresh() } },
      { body: { description: 'second' }, updateMask: 'description' },
      { body: { name: names.fresh() }, updateMask: 'name' },
    ]
    const before = await Promise.all(changes.map(() => scratch.makeKnown({ description: 'first' })))
    await apart(...before)

    await Promise.all(
      changes.map(({ body, updateMask }, index) =>
        api.groups.update(before[index]!.uid, body, updateMask ? { updateMask } : undefined),
      ),
    )

    await eventually(async () => {
      for (const { uid, createTime, updateTime } of before) {
        const after = await api.groups.get(uid)
        expect(instant(after.updateTime), `updateTime of ${uid} in milliseconds`).toBeGreaterThan(instant(updateTime))
        expect(instant(after.createTime), `createTime of ${uid} in milliseconds`).toBe(instant(createTime))
      }
    })
  },
)

requirement(
  {
    id: 'group.update.time.of-nothing',
    level: 'observe',
    statement: 'S4.26, R26',
    quote: 'What a PATCH of nothing does (`{}`, or the value that is there already) is _observe_',
    says: 'How an Update that changes nothing is answered, and its effect on updateTime',
  },
  async ({ api, scratch, observe }) => {
    const before = await scratch.makeKnown({ description: 'first' })

    const empty = await api.attempt.groups.update(before.uid, {})
    const equal = await api.attempt.groups.update(before.uid, { description: 'first' })
    const after = await api.groups.get(before.uid)

    const moved = instant(after.updateTime) > instant(before.updateTime) ? 'moved' : 'stayed'
    observe(`{}: ${outcomeOf(empty)}; the same value: ${outcomeOf(equal)}; updateTime ${moved}`)
  },
)
