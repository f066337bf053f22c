import { randomInt } from 'node:crypto'
import { expect } from 'vitest'
import { listedUids } from '../helpers/arrange/listings.ts'
import { accepted, clientsMistake, detailOf, outcomeOf, refused, taken } from '../helpers/assertions/refused.ts'
import { plainUpdates } from '../helpers/auth/control-calls.ts'
import { requirement } from '../helpers/case/requirement.ts'

const threeCharacters = () => Array.from({ length: 3 }, () => randomInt(10, 36).toString(36)).join('')

/** The letters of a fresh name as digits, unique to it. */
const inDigits = (fresh: string) => [...fresh].map((letter) => letter.charCodeAt(0) - 97).join('')

const lengthRule = '_Ordinary_ names lie inside it, have 3 to 63 characters'
const endRule = 'begin and end with a letter or a digit'
const punctuationRule =
  'they must be accepted, with each of the allowed punctuation characters (space, `.`, `_`, `-`) between letters'

/** Ordinary names by what they test; letters of the run make each unique (R3). */
const ordinary = {
  'three-characters': {
    phrase: 'A name of three characters',
    quote: lengthRule,
    namesFrom: () => [threeCharacters()],
  },
  'sixty-three-characters': {
    phrase: 'A name of 63 characters',
    quote: lengthRule,
    namesFrom: (fresh: string) => [fresh.padEnd(63, 'x')],
  },
  digits: {
    phrase: 'A name with digits in any position',
    quote: endRule,
    namesFrom: (fresh: string) => [`7${fresh}`, `${fresh}42`, `${fresh.slice(0, 8)}0123456789${fresh.slice(8)}`],
  },
  space: {
    phrase: 'A name with a space between letters',
    quote: punctuationRule,
    namesFrom: (fresh: string) => [`${fresh} b`],
  },
  dot: {
    phrase: 'A name with a dot between letters',
    quote: punctuationRule,
    namesFrom: (fresh: string) => [`${fresh}.b`],
  },
  underscore: {
    phrase: 'A name with an underscore between letters',
    quote: punctuationRule,
    namesFrom: (fresh: string) => [`${fresh}_b`],
  },
  hyphen: {
    phrase: 'A name with a hyphen between letters',
    quote: punctuationRule,
    namesFrom: (fresh: string) => [`${fresh}-b`],
  },
  'every-class': {
    phrase: 'A name with every class of allowed character',
    quote: punctuationRule,
    namesFrom: (fresh: string) => [`a ${fresh}.9_z-0`],
  },
  // loosely typed code mistakes these for other types
  words: {
    phrase: 'A name that resembles null, a boolean or a number',
    quote: 'must come back as sent',
    namesFrom: (fresh: string) => ['null', 'undefined', 'true', 'nan', `00${inDigits(fresh)}`, `1e${inDigits(fresh)}`],
  },
}

for (const [what, { phrase, quote, namesFrom }] of Object.entries(ordinary)) {
  requirement(
    {
      id: `group.name.accepts.${what}`,
      level: 'must',
      statement: 'S2.6, R3',
      quote,
      says: `${phrase} is kept as sent`,
    },
    async ({ api, scratch, names, atLeast }) => {
      const sent = namesFrom(names.fresh())

      const answers = await Promise.all(sent.map((name) => api.attempt.groups.create(scratch.uid, { name })))
      atLeast(sent.length, 'names that are not taken', answers.filter((answer) => !taken(answer)).length)

      for (const [index, answer] of answers.entries()) {
        accepted(answer, `creating a group named '${sent[index]}'`)
        expect(answer.json, 'the group in the answer to Create').toMatchObject({ name: sent[index] })
      }
    },
  )
}

requirement(
  {
    id: 'group.name.accepts.unusual',
    level: 'should',
    statement: 'S2.6, R3',
    quote: 'of 1 or 2 characters, of punctuation alone, with punctuation at either end or doubled',
    says: 'A very short name, or one with punctuation at an end or doubled, is kept as sent',
  },
  async ({ api, scratch, names }) => {
    const fresh = names.fresh()
    const sent = ['a', '0', '-', 'z9', `${fresh} `, ` ${fresh}`, `-${fresh}`, `${fresh}.`, `${fresh}  b`, `${fresh}__b`]

    const answers = await Promise.all(sent.map((name) => api.attempt.groups.create(scratch.uid, { name })))

    const kept = answers.map((answer, index) => (taken(answer) ? sent[index] : nameIn(answer.json)))
    expect(kept, 'the names in the answers to Create').toEqual(sent)
  },
)

const nameIn = (json: unknown) => (json as { name?: unknown } | null | undefined)?.name

requirement(
  {
    id: 'group.name.longest',
    level: 'observe',
    statement: 'S2.6, R3',
    quote: 'Longer than 63 characters: _observe_',
    says: 'How a name of more than 63 characters is answered',
  },
  async ({ api, scratch, names, observe }) => {
    const lengths = [64, 128, 256, 1024]

    const answers = await Promise.all(
      lengths.map((length) => api.attempt.groups.create(scratch.uid, { name: names.fresh().padEnd(length, 'x') })),
    )

    observe(answers.map((answer, index) => `${lengths[index]}: ${outcomeOf(answer)}`).join(', '))
  },
)

/** Names outside the rule, each differing from a good name in one respect. */
export const badNames = {
  empty: () => '',
  'upper-case': (fresh: string) => `A${fresh}`,
  'upper-case-inside': (fresh: string) => `${fresh}Bc`,
  slash: (fresh: string) => `${fresh}/b`,
  at: (fresh: string) => `${fresh}@b`,
  tab: (fresh: string) => `${fresh}\tb`,
  'non-ascii': (fresh: string) => `${fresh}é`,
  'wide-digit': (fresh: string) => `${fresh}１`,
  'no-break-space': (fresh: string) => `${fresh}\u00a0b`,
  emoji: (fresh: string) => `${fresh}😀`,
  'other-punctuation': (fresh: string) => `${fresh}+b`,
  'newline-at-end': (fresh: string) => `${fresh}\n`,
  'newline-and-more': (fresh: string) => `${fresh}\nX`,
  'newline-first': (fresh: string) => `X\n${fresh}`,
  null: () => null,
} as const

const nameRule = 'a create needs a `name`, and it matches `^[a-z0-9 ._-]{1,}$`'

const badNamePhrases: Record<keyof typeof badNames, string> = {
  empty: 'an empty name',
  'upper-case': 'an upper-case letter first in the name',
  'upper-case-inside': 'an upper-case letter inside the name',
  slash: 'a slash in the name',
  at: 'an at sign in the name',
  tab: 'a tab in the name',
  'non-ascii': 'a non-ASCII letter in the name',
  'wide-digit': 'a full-width digit in the name',
  'no-break-space': 'a no-break space in the name',
  emoji: 'an emoji in the name',
  'other-punctuation': 'a plus sign in the name',
  'newline-at-end': 'a newline at the end of the name',
  'newline-and-more': 'a bad line after a good one in the name',
  'newline-first': 'a bad line before a good one in the name',
  null: 'null as the name',
}

for (const [what, nameFrom] of Object.entries(badNames)) {
  requirement(
    {
      id: `group.name.refuses.${what}`,
      level: 'must',
      statement: 'S2.6, S7.5, R3, R29',
      quote: what === 'null' ? '`null` is not a name and must be refused' : nameRule,
      says: `Create with ${badNamePhrases[what as keyof typeof badNames]} is refused without effect`,
    },
    async ({ api, scratch, names }) => {
      const name = nameFrom(names.fresh())

      const answer = await api.attempt.groups.create(scratch.uid, { name })
      const after = await api.attempt.groups.list(scratch.children)

      refused(answer, `creating a group named ${JSON.stringify(name)}`)
      expect(listedUids('groups', after), 'the groups left behind by a refused Create').toEqual([])
    },
  )
}

/** Every printable ASCII character outside the rule, and some that are invisible or look like allowed ones. */
const outside = [
  ...'!"#$%&\'()*+,:;<=>?[\\]^`{|}~',
  ...['\u0000', '\u0001', '\r', '\u000b', '\u007f', '\u00ad', '\u0301', '\u200b', '\u2028', '\ufeff'],
  ...'ſKвªß',
]

requirement(
  {
    id: 'group.name.refuses.any-other',
    level: 'must',
    statement: 'S2.6, S7.5, R3, R29',
    quote: nameRule,
    says: 'Create with any character outside the rule in the name is refused without effect',
  },
  async ({ api, scratch, names }) => {
    const sent = outside.map((character) => `${names.fresh()}${character}b`)

    const answers = await Promise.all(sent.map((name) => api.attempt.groups.create(scratch.uid, { name })))
    const after = await api.attempt.groups.list(scratch.children)

    for (const [index, answer] of answers.entries())
      refused(answer, `creating a group named ${JSON.stringify(sent[index])}`)
    expect(listedUids('groups', after), 'the groups left behind by a refused Create').toEqual([])
  },
)

requirement(
  {
    id: 'group.update.name.any-other',
    level: 'must',
    statement: 'S2.6, R4, R29',
    quote: 'An update is held to the same rule: a bad name must be refused',
    says: 'Update with any character outside the rule in the name is refused without effect',
  },
  async ({ api, scratch, names, atLeast }) => {
    atLeast(1, 'plain updates that take effect', await plainUpdates({ api, scratch }))
    const { uid, name } = await scratch.makeGroup()
    const sent = outside.map((character) => `${names.fresh()}${character}b`)

    const answers = await Promise.all(sent.map((bad) => api.attempt.groups.update(uid, { name: bad })))

    for (const [index, answer] of answers.entries())
      refused(answer, `renaming a group to ${JSON.stringify(sent[index])}`)
    expect((await api.groups.get(uid)).name, 'the name after refused updates').toBe(name)
  },
)

requirement(
  {
    id: 'group.name.refuses.missing',
    level: 'must',
    statement: 'S2.6, S7.5, R29',
    quote: 'a create needs a `name`',
    says: 'A Create body without a name is refused without effect, empty or not',
  },
  async ({ api, scratch }) => {
    const answers = [
      await api.attempt.groups.create(scratch.uid, { description: 'nameless' }),
      await api.attempt.groups.create(scratch.uid, {}),
    ]
    const after = await api.attempt.groups.list(scratch.children)

    for (const answer of answers) refused(answer, 'creating a group without a name')
    expect(listedUids('groups', after), 'the groups left behind by a refused Create').toEqual([])
  },
)

requirement(
  {
    id: 'group.name.refuses.other-types',
    level: 'should',
    statement: 'S2.6, R3',
    quote: 'a number or an array instead of a name _should_ be refused',
    says: 'A number, array, object or boolean as the name is refused',
  },
  async ({ api, scratch, names }) => {
    const sent = [7, [names.fresh()], { name: names.fresh() }, true]

    const answers = await Promise.all(sent.map((name) => api.attempt.groups.create(scratch.uid, { name })))

    for (const [index, answer] of answers.entries())
      refused(answer, `creating a group with the name ${JSON.stringify(sent[index])}`)
  },
)

requirement(
  {
    id: 'group.update.name.refused',
    level: 'must',
    statement: 'S2.6, R4',
    quote: 'An update is held to the same rule: a bad name must be refused',
    says: 'Update with a bad name is refused without effect, with or without a mask',
  },
  async ({ api, scratch, names, atLeast }) => {
    atLeast(1, 'plain updates that take effect', await plainUpdates({ api, scratch }))
    const bad = Object.values(badNames).map((nameFrom) => nameFrom(names.fresh()))
    const groups = await scratch.makeGroups(bad.length)

    const update = (query: { updateMask?: string }) =>
      Promise.all(bad.map((name, index) => api.attempt.groups.update(groups[index]!.uid, { name }, { query })))
    const answers = [await update({ updateMask: 'name' }), await update({})]
    const after = await Promise.all(groups.map(({ uid }) => api.groups.get(uid)))

    const oldNames = groups.map(({ name }) => name)
    expect(
      after.map(({ name }) => name),
      'the names after refused updates',
    ).toEqual(oldNames)
    // null and '' may mean not populated, so only the old name is required there (R6, R31)
    for (const [index, name] of [...bad.entries()].filter(([, bad]) => Boolean(bad))) {
      refused(answers[0]![index]!, `renaming a group to ${JSON.stringify(name)} with a mask`)
      refused(answers[1]![index]!, `renaming a group to ${JSON.stringify(name)} without a mask`)
    }
  },
)

requirement(
  {
    id: 'group.update.name.accepts',
    level: 'must',
    statement: 'S2.6, S4.26, R4',
    quote: 'An update is held to the same rule',
    says: 'Update keeps every ordinary name as sent',
  },
  async ({ api, scratch, names, atLeast }) => {
    const sent = Object.values(ordinary).flatMap(({ namesFrom }) => namesFrom(names.fresh()))
    const groups = await scratch.makeGroups(sent.length)

    const updated = await Promise.all(
      sent.map((name, index) => api.attempt.groups.update(groups[index]!.uid, { name })),
    )

    atLeast(1, 'names that are not taken', updated.filter((answer) => !taken(answer)).length)
    for (const [index, answer] of [...updated.entries()].filter(([, answer]) => !taken(answer))) {
      accepted(answer, `renaming a group to '${sent[index]}'`)
      expect(answer.json, 'the group in the answer to Update').toMatchObject({ name: sent[index] })
    }
  },
)

requirement(
  {
    id: 'error.name.update',
    level: 'should',
    statement: 'S7.5, R4, R33',
    quote: 'That the error body is the one of create is _should_',
    says: 'Update with a bad name gets the 4xx error of Create',
  },
  async ({ api, scratch, names, atLeast }) => {
    atLeast(1, 'plain updates that take effect', await plainUpdates({ api, scratch }))
    const answer = await api.attempt.groups.update(scratch.uid, { name: `${names.fresh()}@` })

    clientsMistake(answer, 'renaming a group to a bad name')
    expect(answer.json, 'the error body').toMatchObject({
      code: 3,
      message: expect.stringMatching(/^Invalid argument: name: /),
    })
    expect(detailOf(answer, 'BadRequest')?.fieldViolations ?? [], 'the field violations').toMatchObject([
      { field: 'name' },
    ])
  },
)
