import { expect } from 'vitest'
import { instant } from '../../helpers/api/instant.ts'
import { describedKinds } from '../../helpers/api/kinds.ts'
import { got, updated } from '../../helpers/arrange/optional-operations.ts'
import { makeOne } from '../../helpers/arrange/populations.ts'
import { same } from '../../helpers/assertions/equal.ts'
import { refused } from '../../helpers/assertions/refused.ts'
import { apart } from '../../helpers/assertions/timestamps.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

requirementOnEach(
  describedKinds,
  {
    id: 'update.keeps-omitted',
    level: 'must',
    statement: 'S4.26, S4.28, S1.2, R25, R49',
    quote: 'a PATCH without `updateMask` changes only the fields that its body has',
    restsOn: ['group.update.time.advances'],
    says: 'Update of {a} without a mask changes only the field in its body',
  },
  (kind) =>
    async ({ api, scratch, names, eventually }) => {
      const before = await makeOne(scratch, kind, scratch.uid)
      const renamed = names.fresh()
      const description = 'changed, and described at length '.repeat(3).trim()

      const described = await eventually(() => updated(api, kind, before.uid, { description }))
      same(described, { ...before, description }, 'updateTime')
      await eventually(async () => same(await got(api, kind, before.uid), described))

      const named = await eventually(() => updated(api, kind, before.uid, { name: renamed }))
      same(named, { ...described, name: renamed }, 'updateTime')
      await eventually(async () => same(await got(api, kind, before.uid), named))
    },
)

for (const [listed, ignored] of [
  ['name', 'description'],
  ['description', 'name'],
] as const) {
  requirementOnEach(
    describedKinds,
    {
      id: `update.mask.${listed}`,
      level: 'must',
      statement: 'S4.27, S1.2, R49',
      quote: 'a PATCH with `updateMask` changes only the fields that the mask lists and ignores all others in the body',
      restsOn: ['group.update.mask.description'],
      says: `Update of {a} with updateMask=${listed} changes only its ${listed}, despite a ${ignored} in the body`,
    },
    (kind) =>
      async ({ api, scratch, names, eventually }) => {
        const before = await makeOne(scratch, kind, scratch.uid)
        const body = { name: names.fresh(), description: 'changed' }

        await eventually(() => updated(api, kind, before.uid, body, listed))

        await eventually(async () =>
          same(await got(api, kind, before.uid), { ...before, [listed]: body[listed] }, 'updateTime'),
        )
      },
  )
}

requirementOnEach(
  describedKinds,
  {
    id: 'update.mask.several',
    level: 'should',
    statement: 'S4.27, S1.2, R31, R49',
    quote: 'Several fields separated by commas',
    restsOn: ['update.mask.description', 'group.update.mask.several'],
    says: 'Update of {a} with a mask of two fields separated by a comma changes both',
  },
  (kind) =>
    async ({ api, scratch, names, eventually }) => {
      const before = await makeOne(scratch, kind, scratch.uid)
      const body = { name: names.fresh(), description: 'changed' }

      await eventually(() => updated(api, kind, before.uid, body, 'name,description'))

      await eventually(async () => same(await got(api, kind, before.uid), { ...before, ...body }, 'updateTime'))
    },
)

requirementOnEach(
  describedKinds,
  {
    id: 'update.immutable',
    level: 'must',
    statement: 'S2.1, S2.4, S1.2, R5, R26, R49',
    quote:
      '`createTime` and `uid` must never change. `updateTime` must not go back, and it must advance on a real change',
    restsOn: ['group.update.time.advances'],
    says: 'Update of {a} advances its updateTime and changes neither uid nor createTime',
  },
  (kind) =>
    async ({ api, scratch, eventually }) => {
      const before = await makeOne(scratch, kind, scratch.uid)
      const chosen = { uid: `${scratch.uid}/00000000000000aa`, createTime: '2001-02-03T04:05:06.007Z' }
      await apart(before)

      await eventually(() => updated(api, kind, before.uid, { description: 'changed' }))
      await api.attempt[kind].update(before.uid, { ...chosen, description: 'again' })

      await eventually(async () => {
        const after = await got(api, kind, before.uid)
        expect(instant(after.createTime), 'createTime in milliseconds').toBe(instant(before.createTime))
        expect(instant(after.updateTime) <= instant(before.updateTime), 'updateTime did not advance').toBe(false)
      })
      refused(await api.attempt[kind].get(chosen.uid), 'Get of the uid in the body of the Update')
    },
)

requirementOnEach(
  describedKinds,
  {
    id: 'update.neighbours',
    level: 'must',
    statement: 'S4.26, S1.2, R49',
    quote: 'a PATCH without `updateMask` changes only the fields that its body has',
    restsOn: ['group.update.time.advances'],
    says: 'Update of {a} changes no {one} in another group',
  },
  (kind) =>
    async ({ api, scratch, eventually }) => {
      const named = await makeOne(scratch, kind, scratch.uid)
      const other = await makeOne(scratch, kind, (await scratch.makeGroup()).uid)

      await eventually(() => updated(api, kind, named.uid, { description: 'changed' }))

      await eventually(async () => same(await got(api, kind, other.uid), other, 'updateTime'))
    },
)

requirementOnEach(
  describedKinds,
  {
    id: 'update.missing',
    level: 'must',
    statement: 'S2.1, S1.2, R38, R49',
    quote: 'A missing resource (in Get, Update, Create below it; Delete is in R28) must not be answered with 2xx',
    restsOn: ['group.update.time.advances'],
    says: 'Get and Update of an unknown {one} uid are refused',
  },
  (kind) =>
    async ({ api, scratch, run, eventually }) => {
      const unknownUid = run.journal.lend(`${scratch.uid}/00000000000000af`)
      const made = await makeOne(scratch, kind, scratch.uid)
      await eventually(() => got(api, kind, made.uid))
      await eventually(() => updated(api, kind, made.uid, { description: 'there is one' }))

      refused(await api.attempt[kind].get(unknownUid), 'Get of an unknown uid')
      refused(
        await api.attempt[kind].update(unknownUid, { description: 'for no resource' }),
        'Update of an unknown uid',
      )
    },
)

requirement(
  {
    id: 'update.mask.clears@identities',
    level: 'must',
    statement: 'S4.27, S2.10, R6',
    quote: 'A PATCH to `""` with the mask must clear it',
    restsOn: ['group.update.mask.clears'],
    says: 'An empty description with updateMask=description clears the description of an identity',
  },
  async ({ api, scratch, eventually }) => {
    const { uid } = await scratch.makeIdentity()

    await eventually(() => updated(api, 'identities', uid, { description: '' }, 'description'))

    await eventually(async () =>
      expect((await got(api, 'identities', uid)).description ?? '', 'the description').toBe(''),
    )
  },
)

requirement(
  {
    id: 'update.concurrent@identities',
    level: 'must',
    statement: 'S4.26, R31',
    quote: 'Two PATCHes of different fields at the same moment, both answered with 2xx, must both hold',
    restsOn: ['group.update.concurrent'],
    says: 'Two accepted Updates of different fields of an identity at the same moment both hold',
  },
  async ({ api, scratch, names, eventually }) => {
    const made = await Promise.all(Array.from({ length: 8 }, () => scratch.makeIdentity()))
    await eventually(() => updated(api, 'identities', made[0]!.uid, { description: 'may be updated' }))

    const rounds = made.map(async ({ uid }) => {
      const bodies = [{ name: names.fresh() }, { description: `for ${uid.slice(-6)}` }]
      const answers = await Promise.all(bodies.map((body) => api.attempt.identities.update(uid, body)))
      const acceptedBodies = bodies.filter((_, index) => succeeded(answers[index]!))
      await eventually(async () =>
        expect(await got(api, 'identities', uid), 'the identity after both Updates').toMatchObject(
          Object.assign({}, ...acceptedBodies),
        ),
      )
    })
    await Promise.all(rounds)
  },
)
