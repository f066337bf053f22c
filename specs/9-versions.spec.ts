import { expect } from 'vitest'
import { kinds } from '../helpers/api/kinds.ts'
import { isObject } from '../helpers/api/received.ts'
import { deleteGroup } from '../helpers/arrange/scratch.ts'
import { outcomeOf } from '../helpers/assertions/refused.ts'
import { hasShapeAt } from '../helpers/assertions/schema.ts'
import { apart } from '../helpers/assertions/timestamps.ts'
import { type BadCredentialName, badCredentials } from '../helpers/auth/invalid-credentials.ts'
import { trespass } from '../helpers/auth/unauthorized-calls.ts'
import { requirement } from '../helpers/case/requirement.ts'
import { taken } from '../helpers/v1/v1-api.ts'
import {
  agrees,
  hasItems,
  holdsOnce,
  itemIn,
  readGroup,
  sameInstant,
  showsNoLonger,
} from '../helpers/v1/v1-assertions.ts'

// what v1 shows, against v2

requirement(
  {
    id: 'v1.group.list.answers',
    level: 'must',
    statement: 'S9.1, S2.17, R44',
    says: 'The list of groups of v1 answers beside the one of v2',
    profile: 'v1',
  },
  async ({ v1, scratch }) => {
    await scratch.makeGroup()

    await v1.list(scratch.uid)
  },
)

requirement(
  {
    id: 'v1.list.items',
    level: 'must',
    statement: 'S9.3, S2.17',
    says: 'A list of v1 holds its array under items',
    profile: 'v1',
  },
  async ({ v1, scratch }) => {
    await scratch.makeGroup()

    hasItems(await v1.list(scratch.uid))
  },
)

requirement(
  {
    id: 'v1.group.id',
    level: 'must',
    statement: 'S2.17, S2.1, S9.2, R44',
    says: 'The v1 list shows the groups of v2, each once, with its uid as id',
    profile: 'v1',
  },
  async ({ v1, scratch, settled }) => {
    const groups = await scratch.makeGroups(3)

    await settled(async () =>
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
    says: 'A group has the same name and description through v1 and v2',
    profile: 'v1',
  },
  async ({ v1, scratch, settled }) => {
    const groups = [
      await scratch.makeKnown({
        description: 'Made through v2, read through v1 & by "others": '.repeat(3).trim(),
      }),
      await scratch.makeKnown(),
    ]

    await settled(async () => {
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
      says: `On a group that was updated, ${v1Member} of v1 names the same instant as ${member} of v2`,
      profile: 'v1',
    },
    async ({ v1, api, scratch, settled }) => {
      const { uid } = await scratch.makeGroup()
      await apart()
      await api.groups.update(uid, { description: 'updated' })

      await settled(async () => {
        const list = await v1.list(scratch.uid)
        sameInstant(itemIn(list, uid)[v1Member], (await api.groups.get(uid))[member], v1Member, list.answer)
      })
    },
  )
}

requirement(
  {
    id: 'v1.group.follows',
    level: 'must',
    statement: 'S9.2, S2.17, R44',
    says: 'A name and a description that are changed through v2 show in the v1 list',
    profile: 'v1',
  },
  async ({ v1, api, scratch, names, settled }) => {
    const { uid } = await scratch.makeGroup({ description: 'first' })
    await settled(async () => itemIn(await v1.list(scratch.uid), uid))

    const changed = { name: names.fresh(), description: 'second' }
    await api.groups.update(uid, changed)

    await settled(async () => {
      const list = await v1.list(scratch.uid)
      agrees(itemIn(list, uid), { uid, ...changed }, list.answer)
    })
  },
)

requirement(
  {
    id: 'v1.list.deleted',
    level: 'must',
    statement: 'S9.2, S4.1, R28, R44',
    says: 'A group that is deleted through v2 is gone from the v1 list',
    profile: 'v1',
  },
  async ({ v1, api, scratch, settled }) => {
    const [{ uid }, kept] = [await scratch.makeGroup(), await scratch.makeGroup()]
    await settled(async () => itemIn(await v1.list(scratch.uid), uid))

    await deleteGroup(api, scratch, uid)

    await settled(async () => {
      const list = await v1.list(scratch.uid)
      itemIn(list, kept.uid)
      showsNoLonger(list, uid)
    })
  },
)

requirement(
  {
    id: 'v1.group.limits',
    level: 'must',
    statement: 'S2.17, R44',
    says: 'Of the resourceLimits of v1, clusters, idps and repositories are integers where they are present',
    profile: 'v1',
  },
  async ({ v1, scratch }) => {
    const { uid } = await scratch.makeGroup()

    const item = itemIn(await v1.list(scratch.uid), uid)

    hasShapeAt('/resourceLimits', item, 'v1-group')
  },
)

// the paths of single groups in v1 are not shown

requirement(
  {
    id: 'v1.group.get',
    level: 'should',
    statement: 'S2.17, S9.2, R49',
    says: 'Where v1 has a Get of a group, it shows what v2 shows',
    profile: 'v1',
  },
  async ({ v1, scratch, settled }) => {
    const group = await scratch.makeKnown({ description: 'as it was made' })

    await settled(async () => {
      const answer = taken(await v1.attempt.get(group.uid))
      const item = readGroup(answer, group.uid)
      agrees(item, group, answer)
      sameInstant(item.createdAt, group.createTime, 'createdAt', answer)
      sameInstant(item.updatedAt, group.updateTime, 'updatedAt', answer)
    })
  },
)

requirement(
  {
    id: 'v1.group.create',
    level: 'should',
    statement: 'S2.17, S9.2, R49',
    says: 'Where v1 has a Create of a group, v2 shows what it made',
    profile: 'v1',
  },
  async ({ v1, api, scratch, names, settled }) => {
    const sent = { name: names.fresh(), description: 'made through v1' }

    taken(await v1.attempt.create(scratch.uid, sent))

    await settled(async () =>
      expect((await api.groups.list(scratch.children)).items).toEqual([expect.objectContaining(sent)]),
    )
  },
)

requirement(
  {
    id: 'v1.update.shown',
    level: 'should',
    statement: 'S9.4, S9.2, R45',
    says: 'What an update through v1 sends in full shows in v2',
    profile: 'v1',
  },
  async ({ v1, api, scratch, names, settled }) => {
    const { uid } = await scratch.makeGroup({ description: 'first' })
    const form = await settled(async () => itemIn(await v1.list(scratch.uid), uid))
    const changed = { name: names.fresh(), description: 'second' }

    taken(await v1.attempt.replace(uid, { ...form, ...changed }))

    await settled(async () => expect(await api.groups.get(uid)).toMatchObject(changed))
  },
)

requirement(
  {
    id: 'v1.update.resets',
    level: 'should',
    statement: 'S9.4, R45',
    says: 'An update through v1 resets what it leaves out: a description that is not sent is empty afterwards',
    profile: 'v1',
  },
  async ({ v1, api, scratch, settled }) => {
    const { uid } = await scratch.makeGroup({ description: 'to be reset' })
    const { description: _, ...rest } = await settled(async () => itemIn(await v1.list(scratch.uid), uid))

    taken(await v1.attempt.replace(uid, rest))

    await settled(async () => {
      const { name, description } = await api.groups.get(uid)
      expect({ name, description: description ?? '' }).toEqual({ name: rest.name, description: '' })
    })
  },
)

requirement(
  {
    id: 'v1.update.then-partial',
    level: 'must',
    statement: 'S9.4, S4.26, R45',
    says: 'A group that was last updated through v1 keeps what an Update of v2 leaves out',
    profile: 'v1',
  },
  async ({ v1, api, scratch, names, settled, skip }) => {
    const [one, twin] = [
      await scratch.makeGroup({ description: 'first' }),
      await scratch.makeGroup({ description: 'first' }),
    ]
    const form = await settled(async () => itemIn(await v1.list(scratch.uid), one.uid))
    taken(await v1.attempt.replace(one.uid, { ...form, description: 'second' }))

    for (const { uid } of [one, twin]) await api.groups.update(uid, { name: names.fresh() })

    await settled(async () => {
      const [after, afterTwin] = [await api.groups.get(one.uid), await api.groups.get(twin.uid)]
      skip(afterTwin.description !== 'first', 'an Update keeps nothing at all, see group.update.keeps-omitted')
      // an update through v1 without effect is v1.update.shown's
      expect(['first', 'second']).toContain(after.description)
    })
  },
)

// what the contract leaves open in v1

requirement(
  {
    id: 'v1.list.parameters',
    level: 'observe',
    statement: 'S2.17, R44',
    says: 'What a list of v1 makes of a scope and of page_size, and what it holds beside its items',
    profile: 'v1',
  },
  async ({ v1, scratch, observe }) => {
    await scratch.makeGroups(3)
    const count = ({ json }: { json: unknown }) =>
      isObject(json) && Array.isArray(json.items) ? json.items.length : 'no'

    const scoped = await v1.attempt.list(scratch.children)
    const paged = await v1.attempt.list({ ...scratch.children, page_size: 1 })

    const beside = isObject(scoped.json) ? Object.keys(scoped.json).filter((key) => key !== 'items') : []
    observe(
      `of a group with 3 in it: ${outcomeOf(scoped)} with ${count(scoped) === 3 ? 3 : 'other than 3'} items, beside them ${beside.sort().join(', ') || 'nothing'}; with page_size=1: ${outcomeOf(paged)} with ${count(paged)} items`,
    )
  },
)

requirement(
  {
    id: 'v1.operations',
    level: 'observe',
    statement: 'S9.4, S2.17, R45, R49',
    says: 'What v1 answers to Get, Create, Update by PUT, and Delete of a group',
    profile: 'v1',
  },
  async ({ v1, scratch, names, observe }) => {
    const [{ uid, name }, doomed] = [await scratch.makeGroup(), await scratch.makeGroup()]

    const answers = {
      get: await v1.attempt.get(uid),
      create: await v1.attempt.create(uid, { name: names.fresh() }),
      update: await v1.attempt.replace(uid, { name: String(name), description: 'put' }),
      delete: await v1.attempt.delete(doomed.uid),
    }

    observe(
      Object.entries(answers)
        .map(([operation, answer]) => `${operation}: ${outcomeOf(answer)}`)
        .join(', '),
    )
  },
)

requirement(
  {
    id: 'v1.errors',
    level: 'observe',
    statement: 'S9.1, S7.1',
    says: 'How v1 refuses a group that is not there, a bad name, and a missing token',
    profile: 'v1',
  },
  async ({ v1, scratch, observe }) => {
    const { uid } = await scratch.makeGroup()
    const shape = ({ json }: { json: unknown }) =>
      isObject(json) ? `{${Object.keys(json).sort().join(', ')}}` : 'no object'

    const answers = {
      missing: await v1.attempt.get(`${uid}/0000000000000000`),
      'bad name': await v1.attempt.create(uid, { name: 'Bad@Name' }),
      'no token': await v1.attempt.list(scratch.children, { shown: 'none' }),
    }

    observe(
      Object.entries(answers)
        .map(([what, answer]) => `${what}: ${outcomeOf(answer)} ${shape(answer)}`)
        .join('; '),
    )
  },
)

requirement(
  {
    id: 'service.other-segment',
    level: 'observe',
    statement: 'S9.1',
    says: 'Whether the other version segment of v2 answers too',
  },
  async ({ run, scratch, trespassing, observe }) => {
    const other = run.config.target.apiVersion === 'v2' ? 'v2beta1' : 'v2'

    const answer = await run.client.send(
      {
        operation: 'group.other-segment',
        method: 'GET',
        path: run.paths.of(kinds.groups, scratch.uid, other),
      },
      trespassing.log,
    )

    observe(`${other}: ${outcomeOf(answer)}`)
  },
)

// calls to v1 need the same header

for (const operation of ['list', 'get', 'create', 'update', 'delete'] as const) {
  requirement(
    {
      id: `auth.required.${operation}@v1`,
      level: 'must',
      statement: 'S5.9, S5.1, R39',
      says: `Without an Authorization header ${operation} in v1 is refused, shows nothing and does nothing`,
      profile: 'v1',
    },
    async ({ v1Premises, trespassing, atLeast }) => {
      const twins = await trespass({ ...trespassing, premises: await v1Premises(), reopen: v1Premises }, 'no-header', [
        operation,
      ])

      atLeast(1, 'calls that the good token may make and that nobody may make without one', twins)
    },
  )
}

for (const name of Object.keys(badCredentials).filter((bad) => bad !== 'no-header') as BadCredentialName[]) {
  requirement(
    {
      id: `auth.refuses.${name}@v1`,
      level: 'must',
      statement: 'S5.9, S5.1, R39',
      says: `A bad credential is refused by every operation of v1, shows nothing and does nothing: ${name.replaceAll('-', ' ')}`,
      profile: 'v1',
    },
    async ({ v1Premises, trespassing, atLeast }) => {
      const twins = await trespass({ ...trespassing, premises: await v1Premises(), reopen: v1Premises }, name)

      atLeast(1, 'calls that the good token may make and that nobody may make without one', twins)
    },
  )
}
