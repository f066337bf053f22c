import { expect } from 'vitest'
import { instant } from '../../helpers/api/instant.ts'
import { aroundCall } from '../../helpers/arrange/confirmed-by-rereading.ts'
import { same } from '../../helpers/assertions/equal.ts'
import { refused } from '../../helpers/assertions/refused.ts'
import { apart } from '../../helpers/assertions/timestamps.ts'
import { controlUpdates, makeLine } from '../../helpers/auth/control-calls.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

requirement(
  {
    id: 'group.update.atomic',
    level: 'must',
    statement: 'S4.26, R29',
    quote: 'A refused PATCH must change no field',
    restsOn: ['group.update.time.advances'],
    says: 'A refused Update changes nothing, not even a good description beside a bad name',
  },
  async ({ api, scratch, names, eventually, atLeast }) => {
    atLeast(1, 'plain Updates that take effect', await controlUpdates({ api, scratch }))
    const before = await scratch.makeKnown({ description: 'kept' })
    const body = { description: 'half done', name: `${names.fresh()}@B` }

    const answers = [
      await api.attempt.groups.update(before.uid, body),
      await api.attempt.groups.update(before.uid, body, { query: { updateMask: 'name' } }),
    ]

    for (const answer of answers) refused(answer, 'an Update with a bad name')
    await eventually(async () => same(await api.groups.get(before.uid), before, 'updateTime'))
  },
)

requirement(
  {
    id: 'group.update.atomic.time',
    level: 'should',
    statement: 'S2.4, R29',
    quote: 'A refused PATCH must change no field (nor `updateTime`: _should_)',
    restsOn: ['group.update.time.advances'],
    says: 'A refused Update does not move updateTime',
  },
  async ({ api, scratch, names, eventually, atLeast }) => {
    atLeast(1, 'plain Updates that take effect', await controlUpdates({ api, scratch }))
    const { uid } = await scratch.makeKnown({ description: 'kept' })

    const look = async () => instant((await api.groups.get(uid)).updateTime)

    // repeated, because what the target itself puts into a new group may move it
    await eventually(async () => {
      await apart(await api.groups.get(uid))
      const update = () => api.attempt.groups.update(uid, { name: `${names.fresh()}@B` })
      const { before, after } = await aroundCall(look, update, scratch.patience.readings)
      expect(after, 'updateTime in milliseconds').toBe(before)
    })
  },
)

requirement(
  {
    id: 'group.update.neighbours',
    level: 'must',
    statement: 'S4.26, S4.1',
    quote: 'a PATCH without `updateMask` changes only the fields that its body has',
    restsOn: ['group.update.time.advances'],
    says: 'An Update changes only the group in its path, not its parent, sibling or child',
  },
  async ({ api, scratch, names, eventually }) => {
    const [one, sibling] = await scratch.makeGroups(2)
    const children = await makeLine(scratch, one!, 1)
    const others = await eventually(() =>
      Promise.all([scratch.group, sibling!, ...children].map(({ uid }) => api.groups.get(uid))),
    )

    await api.groups.update(one!.uid, { name: names.fresh(), description: 'changed' })

    await eventually(async () => {
      for (const group of others) same(await api.groups.get(group.uid), group, 'updateTime')
    })
  },
)

requirement(
  {
    id: 'group.update.path-wins',
    level: 'must',
    statement: 'S4.1, S2.5, R5',
    quote: 'may be refused or ignored when a client sends it; it must have no effect',
    restsOn: ['group.update.time.advances'],
    says: 'A uid in the body of an Update has no effect',
  },
  async ({ api, scratch, eventually, atLeast }) => {
    atLeast(1, 'plain Updates that take effect', await controlUpdates({ api, scratch }))
    const [named, other] = [await scratch.makeKnown(), await scratch.makeKnown()]

    await api.attempt.groups.update(named.uid, { uid: other.uid, description: 'changed' })

    await eventually(async () => {
      same(await api.groups.get(other.uid), other, 'updateTime')
      expect(await api.groups.get(named.uid), 'the group in the path').toMatchObject({
        uid: named.uid,
        name: named.name,
      })
    })
  },
)

requirement(
  {
    id: 'group.update.many',
    level: 'must',
    statement: 'S4.26, S4.28, R55',
    quote: 'a PATCH answers the resource as it is after the update',
    restsOn: ['group.update.time.advances'],
    says: 'Of many groups updated at the same moment each keeps its own accepted change',
  },
  async ({ api, scratch, eventually, atLeast }) => {
    const made = (await scratch.makeGroups(22)).slice(0, 12)
    const described = (uid: string) => ({ uid, description: `of ${uid.slice(-8)}` })

    const answers = await Promise.all(
      made.map(({ uid }) => api.attempt.groups.update(uid, { description: described(uid).description })),
    )

    const changed = made.filter((_, index) => succeeded(answers[index]!))
    atLeast(1, 'Updates that were accepted', changed.length)
    const wanted = changed.map(({ uid, name }) => expect.objectContaining({ ...described(uid), name }))
    const updated = answers.filter(succeeded).map(({ json }) => json)
    expect(updated, 'the answers to the Updates').toEqual(wanted)
    await eventually(async () =>
      expect(await Promise.all(changed.map(({ uid }) => api.groups.get(uid))), 'the groups afterwards').toEqual(wanted),
    )
  },
)

requirement(
  {
    id: 'group.update.concurrent',
    level: 'must',
    statement: 'S4.26, R31',
    quote: 'Two PATCHes of different fields at the same moment, both answered with 2xx, must both hold',
    restsOn: ['group.update.time.advances'],
    says: 'Two accepted Updates of different fields at the same moment both hold',
  },
  async ({ api, scratch, names, eventually }) => {
    const rounds = (await scratch.makeGroups(8)).map(async (group, index) => {
      const sent = { name: names.fresh(), description: `for ${group.uid.slice(-6)}` }

      const bodies = [{ name: sent.name }, { description: sent.description }]
      const inTurn = index % 2 === 0 ? bodies : bodies.reverse()
      const answers = await Promise.all(inTurn.map((body) => api.attempt.groups.update(group.uid, body)))

      const acceptedChange = Object.assign({}, ...inTurn.filter((_, which) => succeeded(answers[which]!)))
      await eventually(async () =>
        expect(await api.groups.get(group.uid), 'the group after both Updates').toMatchObject(acceptedChange),
      )
    })
    await Promise.all(rounds)
  },
)
