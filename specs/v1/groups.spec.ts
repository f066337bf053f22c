import { expect } from 'vitest'
import { isObject } from '../../helpers/api/received.ts'
import { accepted, outcomeOf } from '../../helpers/assertions/refused.ts'
import { hasShapeAt } from '../../helpers/assertions/schema.ts'
import { apart } from '../../helpers/assertions/timestamps.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { noCredential } from '../../helpers/http/call.ts'
import { taken } from '../../helpers/v1/v1-api.ts'
import { agrees, holdsOnce, itemIn, readGroup, sameInstant, untilShown } from '../../helpers/v1/v1-assertions.ts'

// v1 compared with v2
requirement(
  {
    id: 'v1.group.list.answers',
    level: 'must',
    statement: 'S9.1, S2.17, R44',
    quote: 'v1 stays available beside v2',
    says: 'The v1 list of groups works alongside the v2 list',
  },
  async ({ v1, scratch }) => {
    await scratch.makeGroup()

    const { answer } = await v1.list(scratch.uid)

    accepted(answer, 'the v1 list of groups')
  },
)

requirement(
  {
    id: 'v1.group.id',
    level: 'must',
    statement: 'S2.17, S2.1, S9.2, R44',
    quote: 'v1 calls the same thing `id`',
    restsOn: ['list.scope.children'],
    says: 'The v1 list shows each v2 group once, with its uid as id',
  },
  async ({ v1, scratch, eventually }) => {
    const groups = await scratch.makeGroups(3)

    await eventually(async () =>
      holdsOnce(
        await v1.list(scratch.uid),
        groups.map(({ uid }) => uid),
      ),
    )
  },
)

requirement(
  {
    id: 'v1.group.agrees',
    level: 'must',
    statement: 'S9.2, S2.17, R44',
    quote: 'One group read through both versions must agree',
    restsOn: ['list.scope.children'],
    says: 'A group has the same name and description in v1 and v2',
  },
  async ({ v1, scratch, eventually }) => {
    const groups = [
      await scratch.makeKnown({ description: 'Made through v2, read through v1 and by others. '.repeat(2).trim() }),
      await scratch.makeKnown(),
    ]

    for (const { uid } of groups) await untilShown(eventually, () => v1.list(scratch.uid), uid)
    await eventually(async () => {
      const list = await v1.list(scratch.uid)
      for (const group of groups) agrees(itemIn(list, group.uid), group, list.answer)
    })
  },
)

for (const [v1Member, member] of [
  ['createdAt', 'createTime'],
  ['updatedAt', 'updateTime'],
] as const) {
  requirement(
    {
      id: `v1.group.${v1Member === 'createdAt' ? 'created' : 'updated'}-at`,
      level: 'must',
      statement: 'S2.17, S9.2, R44',
      quote: 'its `createdAt` and `updatedAt` name the same instants as the times of v2',
      restsOn: ['list.scope.children'],
      says: `The v1 ${v1Member} of an updated group equals its v2 ${member}`,
    },
    async ({ v1, api, scratch, eventually }) => {
      const { uid } = await scratch.makeGroup()
      await apart(scratch.group)
      const shown = [(await api.groups.update(uid, { description: 'updated' }))[member]]

      await untilShown(eventually, () => v1.list(scratch.uid), uid)
      await eventually(async () => {
        shown.push((await api.groups.get(uid))[member])
        const list = await v1.list(scratch.uid)
        shown.push((await api.groups.get(uid))[member])
        sameInstant(itemIn(list, uid)[v1Member], shown, v1Member, list.answer)
      })
    },
  )
}

requirement(
  {
    id: 'v1.group.follows',
    level: 'must',
    statement: 'S9.2, S2.17, R44',
    quote: 'One group read through both versions must agree',
    restsOn: ['list.scope.children'],
    says: 'A name and description changed through v2 appear in the v1 list',
  },
  async ({ v1, api, scratch, names, eventually }) => {
    const { uid } = await scratch.makeGroup({ description: 'first' })
    await untilShown(eventually, () => v1.list(scratch.uid), uid)

    const changed = { name: names.fresh(), description: 'second' }
    await api.groups.update(uid, changed)

    await eventually(async () => {
      const list = await v1.list(scratch.uid)
      agrees(itemIn(list, uid), { uid, ...changed }, list.answer)
    })
  },
)

requirement(
  {
    id: 'v1.group.limits',
    level: 'must',
    statement: 'S2.17, R44',
    quote: 'its `resourceLimits` has the integer members `clusters`, `idps` and `repositories`',
    restsOn: ['list.scope.children'],
    says: 'clusters, idps and repositories in v1 resourceLimits are integers where present',
  },
  async ({ v1, scratch, eventually }) => {
    const { uid } = await scratch.makeGroup()

    await untilShown(eventually, () => v1.list(scratch.uid), uid)
    await eventually(async () => hasShapeAt('/resourceLimits', itemIn(await v1.list(scratch.uid), uid), 'v1-group'))
  },
)

// v1 operations on a single group, whose paths the contract does not show
requirement(
  {
    id: 'v1.group.get',
    level: 'should',
    statement: 'S2.17, S9.2, R44, R49',
    quote: 'One group read through both versions must agree',
    says: 'A v1 Get of a group shows what v2 shows',
  },
  async ({ v1, api, scratch, eventually }) => {
    const { uid } = await scratch.makeKnown({ description: 'as it was made' })

    const updates: unknown[] = []
    await eventually(async () => {
      updates.push((await api.groups.get(uid)).updateTime)
      const answer = taken(await v1.attempt.get(uid))
      const group = await api.groups.get(uid)
      updates.push(group.updateTime)
      const item = readGroup(answer, uid)
      agrees(item, group, answer)
      sameInstant(item.createdAt, [group.createTime], 'createdAt', answer)
      sameInstant(item.updatedAt, updates, 'updatedAt', answer)
    })
  },
)

requirement(
  {
    id: 'v1.group.create',
    level: 'should',
    statement: 'S2.17, S9.2, R44, R49',
    quote: 'One group read through both versions must agree',
    restsOn: ['list.scope.children'],
    says: 'A group made by a v1 Create is visible in v2',
  },
  async ({ v1, api, scratch, names, eventually }) => {
    const sent = { name: names.fresh(), description: 'made through v1' }

    taken(await v1.attempt.create(scratch.uid, sent))

    await eventually(async () =>
      expect((await api.groups.list(scratch.children)).items, 'the groups in v2').toContainEqual(
        expect.objectContaining(sent),
      ),
    )
  },
)

requirement(
  {
    id: 'v1.errors',
    level: 'observe',
    statement: 'S9.1, S7.1',
    quote: 'v1 stays available beside v2',
    says: 'How v1 refuses a missing group, a bad name and a missing token',
  },
  async ({ v1, scratch, observe }) => {
    const { uid } = await scratch.makeGroup()
    const shape = ({ json }: { json: unknown }) =>
      isObject(json) ? `{${Object.keys(json).sort().join(', ')}}` : 'no object'

    const answers = {
      missing: await v1.attempt.get(`${uid}/0000000000000000`),
      'bad name': await v1.attempt.create(uid, { name: 'Bad@Name' }),
      'no token': await v1.attempt.list(scratch.children, noCredential),
    }

    observe(
      Object.entries(answers)
        .map(([what, answer]) => `${what}: ${outcomeOf(answer)} ${shape(answer)}`)
        .join('; '),
    )
  },
)
