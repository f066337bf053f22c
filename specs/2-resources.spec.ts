import { expect } from 'vitest'
import { instant } from '../helpers/api/instant.ts'
import { isReceived, uids } from '../helpers/api/received.ts'
import { below } from '../helpers/arrange/listings.ts'
import { same } from '../helpers/assertions/equal.ts'
import { outcomeOf } from '../helpers/assertions/refused.ts'
import { hasShape } from '../helpers/assertions/schema.ts'
import { clockApart, mostApart } from '../helpers/assertions/timestamps.ts'
import { requirement } from '../helpers/case/requirement.ts'

requirement(
  {
    id: 'group.create.shape',
    level: 'must',
    statement: 'S2.5, S2.6, S2.7, S2.8, S2.9, S2.4, R8, R46',
    quote: 'A member that the contract names must have its type',
    says: 'Create answers a group with the members and types of the contract',
  },
  async ({ api, scratch, names }) => {
    const created = await api.groups.create(scratch.uid, { name: names.fresh(), description: 'a group' })

    hasShape(created, 'group')
  },
)

requirement(
  {
    id: 'group.get.shape',
    level: 'must',
    statement: 'S2.5, S2.4, S2.8, R8, R46',
    quote: 'A member that the contract names must have its type',
    says: 'Get answers a group with the members and types of the contract',
  },
  async ({ api, scratch }) => {
    hasShape(await api.groups.get(scratch.uid), 'group')
  },
)

requirement(
  {
    id: 'group.list.shape',
    level: 'must',
    statement: 'S4.16, S4.17, S4.18, S4.19, R8, R13, R23, R46',
    quote: 'A member that the contract names must have its type',
    says: 'List answers groups, a total and a token with the types of the contract',
  },
  async ({ api, scratch, atLeast }) => {
    await scratch.makeGroups(3)

    const page = await api.groups.list({ ...scratch.children, page_size: 2 })

    hasShape(page.body, 'group-list')
    atLeast(1, 'groups', page.items.length)
  },
)

requirement(
  {
    id: 'group.update.shape',
    level: 'must',
    statement: 'S4.28, S2.4, S2.8, R8, R46',
    quote: 'A member that the contract names must have its type',
    says: 'Update answers a group with the members and types of the contract',
  },
  async ({ api, scratch }) => {
    hasShape(await api.groups.update(scratch.uid, { description: 'another' }), 'group')
  },
)

requirement(
  {
    id: 'group.get.same',
    level: 'must',
    statement: 'S4.1, R55',
    quote: 'A resource must be the same wherever it shows',
    says: 'Get answers the group as Create did, member for member',
  },
  async ({ api, scratch, names, settled }) => {
    const created = await api.groups.create(scratch.uid, {
      name: names.fresh(),
      description: 'one and the same',
    })

    await settled(async () => same(await api.groups.get(created.uid), created))
  },
)

requirement(
  {
    id: 'group.list.same',
    level: 'must',
    statement: 'S4.1, S4.16, R55',
    quote:
      'A resource must be the same wherever it shows (in the answer to its create, in Get, in every list, embedded)',
    says: 'Every list shows the group as Create answered it, member for member',
  },
  async ({ api, scratch, names }) => {
    const name = names.fresh()
    const made = await scratch.makeGroup({ name, description: 'one and the same' })

    const queries = [
      scratch.children,
      scratch.descendants,
      { ...scratch.descendants, name },
      { ...scratch.children, order_by: 'name' },
    ]
    const pages = await Promise.all(queries.map((query) => api.groups.list(query)))

    for (const page of pages) {
      expect(below(page, scratch.uid).uids, 'the groups in the list').toEqual([made.uid])
      same(page.items.find(({ uid }) => uid === made.uid)!, made)
    }
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
  async ({ scratch }) => {
    const child = await scratch.makeGroup()
    const grandchild = await scratch.makeGroup({}, child.uid)
    const below = await scratch.makeGroup({}, grandchild.uid)

    const parents = [scratch.uid, child.uid, grandchild.uid]
    const segments = [child, grandchild, below].map(({ uid }, depth) => uid.replace(`${parents[depth]}/`, ''))

    expect(segments, 'what each uid adds to that of its parent').toEqual(
      segments.map(() => expect.stringMatching(/^[0-9a-fA-F]+$/)),
    )
  },
)

requirement(
  {
    id: 'group.uid.distinct',
    level: 'must',
    statement: 'S2.1',
    quote: 'Every resource has a unique string `uid`',
    says: 'Each of many groups created at once is listed under its own uid',
  },
  async ({ api, scratch, names, settled }) => {
    const sent = names.several(20)

    const made = await Promise.all(sent.map((name) => api.groups.create(scratch.uid, { name })))
    expect(new Set(uids(made)).size, 'how many uids 20 groups have').toBe(20)
    await settled(async () => {
      const { items } = await api.groups.list({ ...scratch.children, page_size: 200 })
      expect(uids(items).sort(), 'the uids in the list').toEqual(uids(made).sort())
      expect(items.map(({ name }) => name).sort(), 'the names in the list').toEqual([...sent].sort())
    })
  },
)

requirement(
  {
    id: 'group.uid.unchosen',
    level: 'must',
    statement: 'S2.5, S4.2, R5',
    quote: 'the server assigns the `uid`',
    says: 'A client can choose neither the uid nor the parent in the body of Create',
  },
  async ({ api, scratch, names }) => {
    const elsewhere = await scratch.makeGroup()
    const chosenUid = `${scratch.uid}/00000000000000aa`

    const answer = await api.attempt.groups.create(scratch.uid, {
      name: names.fresh(),
      uid: chosenUid,
      parent: elsewhere.uid,
    })
    const inside = await api.groups.list({ 'uidp.children_of': elsewhere.uid })

    expect(answer.json, 'the group in the answer to Create').not.toMatchObject({ uid: chosenUid })
    expect(uids(inside.items), 'the children of the parent in the body').toEqual([])
  },
)

requirement(
  {
    id: 'group.verified.new',
    level: 'must',
    statement: 'S2.9, R46',
    quote: 'a new group has false',
    says: 'A new group is not verified',
  },
  async ({ api, scratch }) => {
    const got = await api.groups.get(scratch.uid)

    expect([scratch.group.verified ?? false, got.verified ?? false], 'verified in Create and in Get').toEqual([
      false,
      false,
    ])
  },
)

requirement(
  {
    id: 'group.verified.shown',
    level: 'should',
    statement: 'S2.9, R46',
    quote: 'A new group without `verified`: warning',
    says: 'A new group shows verified as false',
  },
  async ({ scratch }) => {
    expect(scratch.group.verified ?? 'absent', 'verified of a new group').toBe(false)
  },
)

requirement(
  {
    id: 'group.verified.unchosen',
    level: 'must',
    statement: 'S2.9, R5',
    quote: 'may be refused or ignored when a client sends it; it must have no effect',
    says: 'A client cannot make a group verified by Create or Update',
  },
  async ({ api, scratch, names }) => {
    const verified = true
    const name = names.fresh()
    await api.attempt.groups.create(scratch.uid, { name, verified })
    await api.attempt.groups.update(scratch.uid, { verified, description: 'changed' })
    await api.attempt.groups.update(scratch.uid, { verified }, { query: { updateMask: 'verified' } })

    const page = await api.groups.list({ ...scratch.children, name })
    const shown = [await api.groups.get(scratch.uid), ...page.items]

    expect(
      shown.map((group) => group.verified ?? false),
      'verified of the groups',
    ).toEqual(shown.map(() => false))
  },
)

requirement(
  {
    id: 'group.times.unchosen',
    level: 'must',
    statement: 'S2.4, R5',
    quote: 'may be refused or ignored when a client sends it; it must have no effect',
    says: 'A client cannot set createTime or updateTime of a group',
  },
  async ({ api, scratch, names }) => {
    const chosen = '2001-02-03T04:05:06.007Z'
    const times = { createTime: chosen, updateTime: chosen }
    const name = names.fresh()
    await api.attempt.groups.create(scratch.uid, { name, ...times })
    await api.attempt.groups.update(scratch.uid, { description: 'changed', ...times })

    const page = await api.groups.list({ ...scratch.children, name })
    const shown = [await api.groups.get(scratch.uid), ...page.items]

    for (const { createTime, updateTime } of shown) {
      expect([instant(createTime), instant(updateTime)], `the times of a group, sent as ${chosen}`).not.toContain(
        instant(chosen),
      )
    }
  },
)

const descriptions = [
  `Ada's "R&D" <team> \\ 100% {x}`,
  'Zürich, Ελλάδα, 東京',
  'CAPITALS and  two blanks',
  '<b>&amp;</b>',
  `a 😀 in the middle, and %41 %2B $\{HOME} {{ x }} $1 -- \\n \\u0041 it''s, or an é`,
  'null',
  '0012',
  'Two hundred characters are ordinary. '.repeat(6).slice(0, 199).trimEnd().padEnd(200, '.'),
]

/** Another text of the same length, to stay within the 200 bytes of an ordinary description (R54). */
const changed = (text: string | undefined) => `${text?.slice(0, -1)}!`

requirement(
  {
    id: 'group.description.kept',
    level: 'must',
    statement: 'S2.7, R6',
    quote: 'A description or a `claimMatch` that was accepted must come back as sent, character for character',
    says: 'Every operation shows an accepted description as sent, character for character',
  },
  async ({ api, scratch, names, settled, atLeast }) => {
    const create = (description: string) => api.attempt.groups.create(scratch.uid, { name: names.fresh(), description })
    const answers = await Promise.all(descriptions.map(create))
    const taken = answers.flatMap(({ json }, index) =>
      isReceived(json) ? [{ uid: json.uid, made: json.description, sent: descriptions[index] }] : [],
    )
    atLeast(1, 'descriptions that were accepted', taken.length)

    const sent = taken.map((one) => one.sent)
    expect(
      taken.map(({ made }) => made),
      'the descriptions in the answers to Create',
    ).toEqual(sent)
    await settled(async () => {
      const got = await Promise.all(taken.map(({ uid }) => api.groups.get(uid)))
      expect(
        got.map(({ description }) => description),
        'the descriptions in the answers to Get',
      ).toEqual(sent)
    })

    const updated = await Promise.all(
      taken.map(({ uid, sent }) => api.groups.update(uid, { description: changed(sent) })),
    )

    expect(
      updated.map(({ description }) => description),
      'the descriptions in the answers to Update',
    ).toEqual(sent.map((text) => changed(text)))
    await settled(async () => {
      const { items } = await api.groups.list({ ...scratch.children, page_size: 200 })
      const listed = taken.map(({ uid }) => items.find((item) => item.uid === uid)?.description)
      expect(listed, 'the descriptions in the list').toEqual(sent.map((text) => changed(text)))
    })
  },
)

requirement(
  {
    id: 'group.description.foreign',
    level: 'observe',
    statement: 'S2.7, R6',
    quote: 'tried with `&`, `<`, quotes, capitals and letters beyond ASCII',
    says: 'Which characters a description may hold',
  },
  async ({ api, scratch, names, observe }) => {
    const create = (description: string) => api.attempt.groups.create(scratch.uid, { name: names.fresh(), description })

    const answers = await Promise.all(descriptions.map(create))

    observe(answers.map((answer, index) => `${descriptions[index]?.slice(0, 30)}: ${outcomeOf(answer)}`).join('; '))
  },
)

requirement(
  {
    id: 'group.description.optional',
    level: 'must',
    statement: 'S2.7, R6',
    quote: '`description` is a string and optional',
    says: 'A group created without a description has none, even after a rename',
  },
  async ({ api, scratch, names, settled }) => {
    await api.groups.create(scratch.uid, { name: names.fresh(), description: 'of the one before' })

    const bare = await api.groups.create(scratch.uid, { name: names.fresh() })
    const got = await settled(() => api.groups.get(bare.uid))

    const renamed = await api.groups.update(bare.uid, { name: names.fresh() })

    const shown = [bare, got, renamed].map(({ description }) => description ?? '')
    expect(shown, 'the descriptions in the answers to Create, Get and Update').toEqual(['', '', ''])
  },
)

requirement(
  {
    id: 'group.limits.new',
    level: 'must',
    statement: 'S2.8, R46',
    quote: 'empty as long as no limits are set',
    says: 'A new group has empty resourceLimits, or limits set by default',
  },
  async ({ scratch }) => {
    const { resourceLimits = 'absent' } = scratch.group
    const limits = Object.values(scratch.group.resourceLimits ?? {})

    expect(resourceLimits, 'the resourceLimits of a new group').toEqual(expect.any(Object))
    const fits = limits.length === 0 || limits.some((limit) => limit !== 0 && limit !== '0')
    expect(fits ? 'empty or a limit above zero' : 'only limits of zero', 'the resourceLimits of a new group').toBe(
      'empty or a limit above zero',
    )
  },
)

requirement(
  {
    id: 'time.clock',
    level: 'must',
    statement: 'S2.4, R2',
    quote: "has a `createTime` within 20 minutes of the target's own clock",
    says: "A new createTime is within 20 minutes of the target's own clock",
  },
  async ({ api, scratch, names, toldNow, atLeast }) => {
    const answer = await api.attempt.groups.create(scratch.uid, { name: names.fresh() })

    const minutes = clockApart(answer, await toldNow())
    atLeast(1, 'answers with a createTime and a clock to compare it with', minutes === undefined ? 0 : 1)

    expect(minutes, "minutes between the new createTime and the target's clock").toBeLessThan(mostApart)
  },
)
