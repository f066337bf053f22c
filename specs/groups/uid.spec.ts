import { expect } from 'vitest'
import { ownUids } from '../../helpers/api/own-items.ts'
import { uids } from '../../helpers/api/received.ts'
import { childrenOf, deleteGroup } from '../../helpers/arrange/scratch.ts'
import { goneFromGet, stillShow, viewsOf } from '../../helpers/assertions/gone.ts'
import { accepted, refused } from '../../helpers/assertions/refused.ts'
import { makeLine } from '../../helpers/auth/control-calls.ts'
import { requirement } from '../../helpers/case/requirement.ts'

requirement(
  {
    id: 'group.uid.form',
    level: 'observe',
    statement: 'S2.2, R10',
    quote: 'A uid may be written in lower-case or upper-case hexadecimal',
    says: 'How a group uid is written: segment length and letter case',
  },
  async ({ crowd, observe }) => {
    const own = crowd.siblings.map(({ uid }) => uid.slice(uid.lastIndexOf('/') + 1))
    const root = crowd.siblings[0]!.uid.split('/')[0] ?? ''

    const lengths = new Set(own.map(({ length }) => length))
    const each = lengths.size === 1 ? `${[...lengths]} digits` : 'different lengths'
    const letters = own.join('').replace(/[^a-z]/gi, '')
    const written = letters === letters.toLowerCase() ? 'small' : 'capital or mixed'
    observe(`first ${root.length} digits; then ${each}; letters ${written}`)
  },
)

requirement(
  {
    id: 'group.uid.path',
    level: 'must',
    statement: 'S2.2, R10',
    quote: 'a child group has the uid of its parent and one segment more',
    says: "The uid of a child group adds one hexadecimal segment to its parent's, at every depth",
  },
  async ({ scratch, atLeast }) => {
    const line = await makeLine(scratch, scratch.group, 4)
    atLeast(1, 'levels of groups', line.length)

    const parents = [scratch.group, ...line]
    const segments = line.map(({ uid }, depth) => uid.replace(`${parents[depth]!.uid}/`, ''))

    expect(segments, 'what each uid adds to that of its parent').toEqual(
      segments.map(() => expect.stringMatching(/^[0-9a-fA-F]+$/)),
    )
  },
)

requirement(
  {
    id: 'group.uid.unchosen',
    level: 'must',
    statement: 'S2.5, S4.2, R5',
    quote: 'the server assigns the `uid`',
    restsOn: ['list.scope.children'],
    says: 'A client can choose neither the uid nor the parent in the body of Create',
  },
  async ({ api, scratch, run, names }) => {
    const elsewhere = await scratch.makeGroup()
    const chosenUid = `${scratch.uid}/00000000000000aa`

    const answer = await api.attempt.groups.create(scratch.uid, {
      name: names.fresh(),
      uid: chosenUid,
      parent: elsewhere.uid,
    })
    const inside = await api.groups.list({ 'uidp.children_of': elsewhere.uid })

    expect(answer.json, 'the group in the answer to Create').not.toMatchObject({ uid: chosenUid })
    expect(ownUids(inside.items, run), 'the children of the parent in the body').toEqual([])
  },
)

requirement(
  {
    id: 'group.far-down',
    level: 'must',
    statement: 'S4.1, S4.8, S4.26, S2.2',
    quote: 'Groups have List, Get, Create (under the parent named in the path), Update (by PATCH) and Delete',
    restsOn: ['group.delete.gone-from-lists'],
    says: 'Every operation works on a group far down, five levels where the target allows them',
  },
  async ({ api, scratch, run, eventually, atLeast }) => {
    const line = [scratch.group, ...(await makeLine(scratch, scratch.group, 5))]
    atLeast(1, 'levels of groups', line.length - 1)
    const [parent, deepest] = [line.at(-2)!, line.at(-1)!]

    await api.groups.update(deepest.uid, { description: 'far down' })

    await eventually(async () => {
      expect(await api.groups.get(deepest.uid), 'the group in the answer to Get').toMatchObject({
        name: deepest.name,
        description: 'far down',
      })
      const below = await api.groups.list(scratch.descendants)
      expect(uids(below.items), 'the groups below the scratch group').toEqual(
        expect.arrayContaining(uids(line.slice(1))),
      )
      const children = await api.groups.list(childrenOf(parent.uid))
      expect(ownUids(children.items, run), 'the children of the parent').toEqual([deepest.uid])
      const named = await api.groups.list({ ...scratch.descendants, name: String(deepest.name) })
      expect(ownUids(named.items, run), 'the groups found by name').toEqual([deepest.uid])
    })
    accepted(await deleteGroup(api, scratch, deepest.uid), 'Delete of the deepest group')
    await eventually(async () => goneFromGet(await api.attempt.groups.get(deepest.uid), 'Get of a deleted group'))
  },
)

requirement(
  {
    id: 'group.wrong-kind',
    level: 'should',
    statement: 'S4.1, S2.1',
    quote: 'Every resource has a unique string `uid`',
    restsOn: ['group.delete.gone-from-lists'],
    says: "Get of a group with an identity's uid is refused, and Delete has no effect",
    profile: 'identities',
  },
  async ({ api, scratch, eventually }) => {
    const identity = await scratch.makeIdentity()
    const views = await eventually(() => viewsOf(api, 'identities', scratch.children, identity))

    const got = await api.attempt.groups.get(identity.uid)
    // the answer is open (R28)
    await api.attempt.groups.delete(identity.uid)

    refused(got, 'Get of a group with the uid of an identity')
    await eventually(() => stillShow(views, identity))
  },
)
