import { expect } from 'vitest'
import { ownUids } from '../../helpers/api/own-items.ts'
import { uids } from '../../helpers/api/received.ts'
import { childrenOf } from '../../helpers/arrange/scratch.ts'
import { same } from '../../helpers/assertions/equal.ts'
import { stillShow, viewsOf } from '../../helpers/assertions/gone.ts'
import {
  accepted,
  clientsMistake,
  detailOf,
  partOfError,
  refused,
  saysNotEmpty,
} from '../../helpers/assertions/refused.ts'
import { conforms } from '../../helpers/assertions/schema.ts'
import { controlDeletes, deleteFull, makeLine } from '../../helpers/auth/control-calls.ts'
import { type Context, requirement } from '../../helpers/case/requirement.ts'

requirement(
  {
    id: 'group.delete.not-empty.contents',
    level: 'must',
    statement: 'S7.6, R29, R30',
    quote: 'A failed delete of a group that is not empty must leave the group and its children',
    restsOn: ['group.delete.not-empty.refused'],
    says: 'A refused Delete of a group keeps its identities and role bindings',
  },
  async ({ api, scratch, eventually, atLeast }) => {
    atLeast(1, 'plain deletes that succeed', await controlDeletes({ api, scratch }))
    const parent = await scratch.makeGroup()
    const [, identity] = [await scratch.makeGroup({}, parent.uid), await scratch.makeIdentity({}, parent.uid)]
    const binding = await scratch.makeBinding(identity, parent.uid)
    const scope = childrenOf(parent.uid)
    const toIdentity = await eventually(() => viewsOf(api, 'identities', scope, identity))
    const toBinding = await eventually(() => viewsOf(api, 'roleBindings', scope, binding))

    refused(await api.attempt.groups.delete(parent.uid), 'deleting a group that has a child')

    await eventually(async () => {
      await stillShow(toIdentity, identity)
      await stillShow(toBinding, binding)
    })
  },
)

requirement(
  {
    id: 'group.delete.not-empty.at-once',
    level: 'should',
    long: true,
    statement: 'S7.6, R30',
    quote: 'Deleting a group that has child resources gives code 9',
    restsOn: ['group.delete.not-empty.refused'],
    says: 'Delete of a group is refused right after a child was made in it',
  },
  async ({ api, scratch, names, atLeast }) => {
    atLeast(1, 'plain deletes that succeed', await controlDeletes({ api, scratch }))
    const parent = await scratch.makeGroup()

    await api.groups.create(parent.uid, { name: names.fresh() })
    const answer = await deleteFull({ api }, parent)

    refused(answer, 'deleting a group whose child was just made')
  },
)

requirement(
  {
    id: 'group.delete.not-empty.several',
    level: 'must',
    statement: 'S7.1, S7.4, S7.6, R29, R30',
    quote: 'Deleting a group that has child resources gives code 9',
    restsOn: [
      'group.delete.not-empty.code',
      'group.delete.not-empty.message',
      'group.delete.not-empty.violation',
      'group.delete.not-empty.shape',
      'group.delete.not-empty.refused',
    ],
    says: 'Delete of a group with several empty children is refused without effect',
  },
  async ({ api, scratch, run, eventually, atLeast }) => {
    atLeast(1, 'plain deletes that succeed', await controlDeletes({ api, scratch }))
    const parent = await scratch.makeGroup()
    const children = await scratch.makeGroups(4, parent.uid)

    const answer = await deleteFull({ api }, parent)

    refused(answer, 'deleting a group that has four children')
    saysNotEmpty(answer)
    await eventually(async () => {
      const { items } = await api.groups.list(childrenOf(parent.uid))
      expect(ownUids(items, run).sort(), 'the children after the refused delete').toEqual(uids(children).sort())
    })
  },
)

requirement(
  {
    id: 'group.delete.not-empty.refused',
    level: 'must',
    statement: 'S7.6, R29, R30',
    quote: 'A failed delete of a group that is not empty must leave the group and its children',
    restsOn: ['group.delete.gone-from-lists'],
    says: 'Delete of a group with a child group is refused and leaves both unchanged and usable',
  },
  async ({ api, scratch, run, eventually, atLeast }) => {
    atLeast(1, 'plain deletes that succeed', await controlDeletes({ api, scratch }))
    const parent = await scratch.makeKnown({ description: 'a parent' })
    const child = await scratch.makeKnown({ description: 'a child' }, parent.uid)
    const below = await makeLine(scratch, child, 1)

    refused(await api.attempt.groups.delete(parent.uid), 'deleting a group that has a child')

    // a create below a group may move its updateTime
    await eventually(async () => {
      for (const { uid, name } of below) expect(await api.groups.get(uid), 'a grandchild').toMatchObject({ uid, name })
      same(await api.groups.get(parent.uid), parent, 'updateTime')
      same(await api.groups.get(child.uid), child, 'updateTime')
      const { items } = await api.groups.list(childrenOf(parent.uid))
      expect(ownUids(items, run), 'the children after the refused delete').toEqual([child.uid])
    })
    accepted(
      await api.attempt.groups.update(parent.uid, { description: 'still here' }),
      'an update of the parent after the refused delete',
    )
    accepted(
      await api.attempt.groups.update(child.uid, { description: 'still here' }),
      'an update of the child after the refused delete',
    )
  },
)

/** Tries to delete a group that has a child, where a plain Delete succeeds. */
async function deleteParent({ api, scratch, atLeast }: Pick<Context, 'api' | 'scratch' | 'atLeast'>) {
  atLeast(1, 'plain deletes that succeed', await controlDeletes({ api, scratch }))
  const parent = await scratch.makeGroup({ description: 'a parent' })
  await scratch.makeGroup({ description: 'a child' }, parent.uid)
  return { answer: await deleteFull({ api }, parent) }
}

requirement(
  {
    id: 'group.delete.not-empty.shape',
    level: 'must',
    statement: 'S7.1, S7.2, S7.4, S7.6, R34',
    quote: 'a JSON object with the integer `code` (the RPC status), the string `message` and the array `details`',
    restsOn: ['group.delete.gone-from-lists'],
    says: 'The error for deleting a group with children has code, message and typed details',
  },
  async ({ api, scratch, atLeast }) => {
    const { answer } = await deleteParent({ api, scratch, atLeast })

    conforms(answer.json, 'error')
  },
)

/** Members of the error for a group that is not empty. */
const notEmpty = {
  code: {
    says: 'The error for deleting a group with children has code 9',
    quote: 'Deleting a group that has child resources gives code 9',
    wanted: { code: 9 },
  },
  message: {
    says: "The message for deleting a group with children begins 'Precondition failed: '",
    quote: 'a message that begins with `Precondition failed: `',
    wanted: { message: expect.stringMatching(/^Precondition failed: /) },
  },
} as const

for (const [member, { says, quote, wanted }] of Object.entries(notEmpty)) {
  requirement(
    {
      id: `group.delete.not-empty.${member}`,
      level: 'must',
      statement: 'S7.6',
      restsOn: ['group.delete.gone-from-lists'],
      quote,
      says,
    },
    async ({ api, scratch, atLeast }) => {
      const { answer } = await deleteParent({ api, scratch, atLeast })

      expect(answer.json, 'the error').toEqual(expect.objectContaining(wanted))
    },
  )
}

requirement(
  {
    id: 'group.delete.not-empty.reason',
    level: 'must',
    statement: 'S7.2, S7.6',
    quote: 'gives code 9, the reason `FAILED_PRECONDITION`',
    restsOn: ['group.delete.not-empty.refused'],
    says: 'The error for deleting a group with children has reason FAILED_PRECONDITION and a domain',
  },
  async ({ api, scratch, atLeast }) => {
    const { answer } = await deleteParent({ api, scratch, atLeast })

    const wanted = { reason: 'FAILED_PRECONDITION', domain: expect.stringMatching(/./) }
    expect(detailOf(answer, 'ErrorInfo'), partOfError('the ErrorInfo', answer)).toEqual(expect.objectContaining(wanted))
  },
)

requirement(
  {
    id: 'group.delete.not-empty.violation',
    level: 'must',
    statement: 'S7.4, S7.6',
    quote: 'a PreconditionFailure of type `RESOURCE_NOT_EMPTY`',
    restsOn: ['group.delete.gone-from-lists'],
    says: 'The error for deleting a group with children has a RESOURCE_NOT_EMPTY violation',
  },
  async ({ api, scratch, atLeast }) => {
    const { answer } = await deleteParent({ api, scratch, atLeast })

    const violation = expect.objectContaining({ type: 'RESOURCE_NOT_EMPTY' })
    const about = partOfError('the violations of the PreconditionFailure', answer)
    expect(detailOf(answer, 'PreconditionFailure')?.violations, about).toEqual(expect.arrayContaining([violation]))
  },
)

requirement(
  {
    id: 'group.delete.not-empty.status',
    level: 'should',
    statement: 'S7.6, R33',
    quote: '4xx for mistakes of the client is _should_',
    restsOn: ['group.delete.not-empty.refused'],
    says: 'Deleting a group with children gets a 4xx status',
  },
  async ({ api, scratch, atLeast }) => {
    const { answer } = await deleteParent({ api, scratch, atLeast })

    clientsMistake(answer, 'deleting a group that has a child')
  },
)
