import { expect } from 'vitest'
import { isReceived } from '../../helpers/api/received.ts'
import { keptAs } from '../../helpers/arrange/observed.ts'
import { resourceIn } from '../../helpers/assertions/both-protocols.ts'
import { accepted, outcomeOf } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

requirement(
  {
    id: 'group.description.longest',
    level: 'observe',
    statement: 'S2.7, R54',
    quote: 'longer ones, of up to 200 characters: _should_',
    says: 'How a description of more than 200 characters is answered',
  },
  async ({ api, scratch, names, observe }) => {
    const lengths = [201, 1_000, 10_000, 100_000]
    const describe = async (length: number) => {
      const description = 'd'.repeat(length)
      const answer = await api.attempt.groups.create(scratch.uid, { name: names.fresh(), description })
      return [String(length), succeeded(answer) ? keptAs('description', description)(answer) : outcomeOf(answer)]
    }

    const results = await Promise.all(lengths.map(describe))

    observe(results.map((pair) => pair.join(': ')).join('; '))
  },
)

/** Descriptions that are not ordinary (R54), by what is unusual about them. */
const unusual = {
  'a line break': 'two\nlines',
  'a tab': 'a\ttab',
  'a zero': 'a\u0000zero',
  'half a surrogate pair': 'half \ud83d',
  'an emoji': 'a 🙂',
  'a decomposed accent': 'cafe\u0301',
  'outer blanks': '  outer  ',
  'a blank': ' ',
}

requirement(
  {
    id: 'group.description.odd',
    level: 'observe',
    statement: 'S2.7, R6, R54',
    quote: 'descriptions of 1 to 100 printable characters (100 bytes at most, NFC, no white space at the ends)',
    says: 'How an unusual description is answered and kept',
  },
  async ({ api, scratch, names, observe }) => {
    const describe = async ([what, description]: [string, string]) => {
      const answer = await api.attempt.groups.create(scratch.uid, { name: names.fresh(), description })
      const made = [answer].filter(succeeded).map((one) => resourceIn(one, 'Create'))
      // a list over gRPC cannot show each of them
      await Promise.all(made.map(({ uid }) => api.attempt.groups.delete(uid)))
      return [what, made.length > 0 ? keptAs('description', description)(answer) : outcomeOf(answer)]
    }

    const results = await Promise.all(Object.entries(unusual).map(describe))

    observe(results.map((pair) => pair.join(': ')).join('; '))
  },
)

/** A text of plain words. */
function textOf(length: number): string {
  return 'Plain words and nothing else in it. '
    .repeat(6)
    .slice(0, length - 1)
    .trimEnd()
    .padEnd(length, '.')
}

requirement(
  {
    id: 'group.description.ordinary',
    level: 'must',
    statement: 'S2.7, R54',
    quote: '`description` is a string and optional',
    says: 'A description of 1 to 100 plain characters is accepted and kept as sent',
  },
  async ({ api, scratch, names, eventually }) => {
    const sent = ['a', 'A group', textOf(100)]

    const made = await Promise.all(
      sent.map((description) => api.groups.create(scratch.uid, { name: names.fresh(), description })),
    )

    expect(
      made.map(({ description }) => description),
      'the descriptions in the answers to Create',
    ).toEqual(sent)
    await eventually(async () => {
      const got = await Promise.all(made.map(({ uid }) => api.groups.get(uid)))
      expect(
        got.map(({ description }) => description),
        'the descriptions in the answers to Get',
      ).toEqual(sent)
    })
  },
)

requirement(
  {
    id: 'group.description.long',
    level: 'should',
    statement: 'S2.7, R54',
    quote: '`description` is a string and optional',
    says: 'A description of up to 200 plain characters is accepted and kept as sent',
  },
  async ({ api, scratch, names }) => {
    const sent = { name: names.fresh(), description: textOf(200) }
    await scratch.makeGroup()

    const answer = await api.attempt.groups.create(scratch.uid, sent)

    accepted(answer, 'creating a group with a description of 200 characters')
    expect(answer.json, 'the group in the answer to Create').toMatchObject(sent)
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
  textOf(100),
  textOf(200),
]

/** Another text of the same length, because a server may not accept a longer one (R54). */
const changed = (text: string | undefined) => `${text?.slice(0, -1)}!`

requirement(
  {
    id: 'group.description.kept',
    level: 'must',
    statement: 'S2.7, R6',
    quote: 'A description or a `claimMatch` that was accepted must come back as sent, character for character',
    restsOn: ['list.page-size.maximum'],
    says: 'Every operation shows an accepted description as sent, character for character',
  },
  async ({ api, scratch, names, eventually, atLeast }) => {
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
    await eventually(async () => {
      const got = await Promise.all(taken.map(({ uid }) => api.groups.get(uid)))
      expect(
        got.map(({ description }) => description),
        'the descriptions in the answers to Get',
      ).toEqual(sent)
    })

    const updates = await Promise.all(
      taken.map(({ uid, sent }) => api.attempt.groups.update(uid, { description: changed(sent) })),
    )

    const updated = updates.flatMap((answer, index) =>
      succeeded(answer) ? [{ json: answer.json, uid: taken[index]!.uid, sent: changed(sent[index]) }] : [],
    )
    for (const { json, sent } of updated)
      expect(json, 'the group in the answer to Update').toMatchObject({ description: sent })
    await eventually(async () => {
      const { items } = await api.groups.list({ ...scratch.children, page_size: 200 })
      const listed = updated.map(({ uid }) => items.find((item) => item.uid === uid)?.description)
      expect(listed, 'the descriptions in the list').toEqual(updated.map(({ sent }) => sent))
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
  async ({ api, scratch, names, eventually }) => {
    await scratch.makeGroup({ description: 'of the one before' })

    const bare = await api.groups.create(scratch.uid, { name: names.fresh() })
    const got = await eventually(() => api.groups.get(bare.uid))

    const renamed = await api.groups.update(bare.uid, { name: names.fresh() })

    const shown = [bare, got, renamed].map(({ description }) => description ?? '')
    expect(shown, 'the descriptions in the answers to Create, Get and Update').toEqual(['', '', ''])
  },
)
