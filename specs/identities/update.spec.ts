import { expect } from 'vitest'
import { instant } from '../../helpers/api/instant.ts'
import { aroundCall } from '../../helpers/arrange/confirmed-by-rereading.ts'
import { got, mustBePresent } from '../../helpers/arrange/optional-operations.ts'
import { same } from '../../helpers/assertions/equal.ts'
import { apart } from '../../helpers/assertions/timestamps.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { type Answer, succeeded } from '../../helpers/http/call.ts'

requirement(
  {
    id: 'identity.update.answers',
    level: 'must',
    statement: 'S4.3, S1.2, R49, R55',
    quote: 'their List, Get and Update follow the pattern of the groups',
    says: 'Update answers the changed identity',
  },
  async ({ api, scratch, names, eventually }) => {
    const { uid } = await scratch.makeIdentity()
    const update = () => api.attempt.identities.update(uid, { description: 'changed' })
    await eventually(async () => mustBePresent('identities', 'update', await update()))

    await eventually(async () => {
      // another one each time, because a late answer may show the state before
      const description = `again ${names.fresh()}`
      const updated = await api.identities.update(uid, { description })
      expect(updated, 'the identity in the answer to Update').toMatchObject({ uid, description })
    })
  },
)

requirement(
  {
    id: 'identity.update.atomic',
    level: 'must',
    statement: 'S4.26, S4.3, R29',
    quote: 'A refused PATCH must change no field',
    says: 'A refused Update of an identity changes nothing',
  },
  async ({ api, scratch, eventually, atLeast }) => {
    const bodies = [{ name: '' }, { name: 5 }, { claimMatch: 'text' }, { claimMatch: [] }]
    const made = await Promise.all(bodies.map(() => scratch.makeIdentity()))
    const before = await eventually(() => Promise.all(made.map(({ uid }) => got(api, 'identities', uid))))

    const answers = await Promise.all(
      bodies.map((body, index) =>
        api.attempt.identities.update(made[index]!.uid, { description: 'half done', ...body }),
      ),
    )
    const kept = before.filter((_, index) => !succeeded(answers[index]!))
    atLeast(1, 'refused updates', kept.length)

    await eventually(async () => {
      for (const identity of kept) same(await got(api, 'identities', identity.uid), identity, 'updateTime')
    })
  },
)

requirement(
  {
    id: 'identity.update.atomic.time',
    level: 'should',
    statement: 'S2.4, S4.3, R29',
    quote: 'A refused PATCH must change no field (nor `updateTime`: _should_)',
    restsOn: ['group.update.atomic.time'],
    says: 'A refused Update of an identity does not move updateTime',
  },
  async ({ api, scratch, eventually, atLeast }) => {
    const { uid } = await scratch.makeIdentity()
    const answers: Answer[] = []
    const look = async () => instant((await got(api, 'identities', uid)).updateTime)
    const update = async () => answers.push(await api.attempt.identities.update(uid, { claimMatch: 'text' }))

    // repeated, because the target itself may move it once more
    await eventually(async () => {
      await apart(await got(api, 'identities', uid))
      const { before, after } = await aroundCall(look, update, scratch.patience.readings)
      atLeast(answers.length, 'refused updates', answers.filter((answer) => !succeeded(answer)).length)
      expect(after, 'updateTime in milliseconds').toBe(before)
    })
  },
)
