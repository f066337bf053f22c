import { randomInt } from 'node:crypto'
import { expect } from 'vitest'
import { listedUids } from '../helpers/arrange/listings.ts'
import { accepted, clientsMistake, detailOf, outcomeOf, refused, taken } from '../helpers/assertions/refused.ts'
import { plainUpdates } from '../helpers/auth/control-calls.ts'
import { requirement } from '../helpers/case/requirement.ts'

const threeCharacters = () => Array.from({ length: 3 }, () => randomInt(10, 36).toString(36)).join('')

/** Digits that only this name stands for. */
const inDigits = (fresh: string) => [...fresh].map((letter) => letter.charCodeAt(0) - 97).join('')

/** Ordinary names by what they show; each is made unlike any other by letters of the run (R3). */
const ordinary = {
  'three-characters': () => [threeCharacters()],
  'sixty-three-characters': (fresh: string) => [fresh.padEnd(63, 'x')],
  digits: (fresh: string) => [`7${fresh}`, `${fresh}42`, `${fresh.slice(0, 8)}0123456789${fresh.slice(8)}`],
  space: (fresh: string) => [`${fresh} b`],
  dot: (fresh: string) => [`${fresh}.b`],
  underscore: (fresh: string) => [`${fresh}_b`],
  hyphen: (fresh: string) => [`${fresh}-b`],
  'every-class': (fresh: string) => [`a ${fresh}.9_z-0`],
  // what loosely typed code takes for something else than text
  words: (fresh: string) => ['null', 'undefined', 'true', 'nan', `00${inDigits(fresh)}`, `1e${inDigits(fresh)}`],
}

for (const [what, namesFrom] of Object.entries(ordinary)) {
  requirement(
    {
      id: `group.name.accepts.${what}`,
      level: 'must',
      statement: 'S2.6, R3',
      says: `A name with ${what.replaceAll('-', ' ')} is accepted and kept as sent`,
    },
    async ({ api, scratch, names, atLeast }) => {
      const sent = namesFrom(names.fresh())

      const answers = await Promise.all(sent.map((name) => api.attempt.groups.create(scratch.uid, { name })))
      atLeast(sent.length, 'names that are not taken', answers.filter((answer) => !taken(answer)).length)

      for (const [index, answer] of answers.entries()) {
        accepted(answer, `creating a group named '${sent[index]}'`)
        expect(answer.json).toMatchObject({ name: sent[index] })
      }
    },
  )
}

requirement(
  {
    id: 'group.name.accepts.unusual',
    level: 'should',
    statement: 'S2.6, R3',
    says: 'A short name, or one with punctuation at an end or doubled, is accepted and kept as sent',
  },
  async ({ api, scratch, names }) => {
    const fresh = names.fresh()
    const sent = ['a', '0', '-', 'z9', `${fresh} `, ` ${fresh}`, `-${fresh}`, `${fresh}.`, `${fresh}  b`, `${fresh}__b`]

    const answers = await Promise.all(sent.map((name) => api.attempt.groups.create(scratch.uid, { name })))

    const kept = answers.map((answer, index) => (taken(answer) ? sent[index] : nameIn(answer.json)))
    expect(kept).toEqual(sent)
  },
)

const nameIn = (json: unknown) => (json as { name?: unknown } | null | undefined)?.name

requirement(
  {
    id: 'group.name.longest',
    level: 'observe',
    statement: 'S2.6, R3',
    says: 'How long a name may be beyond 63 characters',
  },
  async ({ api, scratch, names, observe }) => {
    const lengths = [64, 128, 256, 1024]

    const answers = await Promise.all(
      lengths.map((length) => api.attempt.groups.create(scratch.uid, { name: names.fresh().padEnd(length, 'x') })),
    )

    observe(answers.map((answer, index) => `${lengths[index]}: ${outcomeOf(answer)}`).join(', '))
  },
)

/** Names outside the rule, each one step from a good one. */
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

for (const [what, nameFrom] of Object.entries(badNames)) {
  requirement(
    {
      id: `group.name.refuses.${what}`,
      level: 'must',
      statement: 'S2.6, S7.5, R3, R29',
      says: `Create with a name outside the rule is refused and makes nothing: ${what.replaceAll('-', ' ')}`,
    },
    async ({ api, scratch, names }) => {
      const name = nameFrom(names.fresh())

      const answer = await api.attempt.groups.create(scratch.uid, { name })
      const after = await api.attempt.groups.list(scratch.children)

      refused(answer, `creating a group named ${JSON.stringify(name)}`)
      expect(listedUids('groups', after)).toEqual([])
    },
  )
}

/** Every printable ASCII character outside the rule, and some that are not seen or look like good ones. */
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
    says: 'Create with any one character outside the rule in the name is refused and makes nothing',
  },
  async ({ api, scratch, names }) => {
    const sent = outside.map((character) => `${names.fresh()}${character}b`)

    const answers = await Promise.all(sent.map((name) => api.attempt.groups.create(scratch.uid, { name })))
    const after = await api.attempt.groups.list(scratch.children)

    for (const [index, answer] of answers.entries())
      refused(answer, `creating a group named ${JSON.stringify(sent[index])}`)
    expect(listedUids('groups', after)).toEqual([])
  },
)

requirement(
  {
    id: 'group.update.name.any-other',
    level: 'must',
    statement: 'S2.6, R4, R29',
    says: 'Update with any one character outside the rule in the name is refused and keeps the old one',
  },
  async ({ api, scratch, names, atLeast }) => {
    atLeast(1, 'plain updates that are taken', await plainUpdates({ api, scratch }))
    const { uid, name } = await scratch.makeGroup()
    const sent = outside.map((character) => `${names.fresh()}${character}b`)

    const answers = await Promise.all(sent.map((bad) => api.attempt.groups.update(uid, { name: bad })))

    for (const [index, answer] of answers.entries())
      refused(answer, `renaming a group to ${JSON.stringify(sent[index])}`)
    expect((await api.groups.get(uid)).name).toBe(name)
  },
)

requirement(
  {
    id: 'group.name.refuses.missing',
    level: 'must',
    statement: 'S2.6, S7.5, R29',
    says: 'Create without a name is refused and makes nothing, with a description or an empty body',
  },
  async ({ api, scratch }) => {
    const answers = [
      await api.attempt.groups.create(scratch.uid, { description: 'nameless' }),
      await api.attempt.groups.create(scratch.uid, {}),
    ]
    const after = await api.attempt.groups.list(scratch.children)

    for (const answer of answers) refused(answer, 'creating a group without a name')
    expect(listedUids('groups', after)).toEqual([])
  },
)

requirement(
  {
    id: 'group.name.refuses.other-types',
    level: 'should',
    statement: 'S2.6, R3',
    says: 'Create with a number, an array, an object or a boolean in place of the name is refused',
  },
  async ({ api, scratch, names }) => {
    const sent = [7, [names.fresh()], { name: names.fresh() }, true]

    const answers = await Promise.all(sent.map((name) => api.attempt.groups.create(scratch.uid, { name })))

    for (const [index, answer] of answers.entries()) refused(answer, `the name ${JSON.stringify(sent[index])}`)
  },
)

requirement(
  {
    id: 'group.update.name.refused',
    level: 'must',
    statement: 'S2.6, R4',
    says: 'Update refuses the names that Create refuses, with and without a mask, and keeps the old one',
  },
  async ({ api, scratch, names, atLeast }) => {
    atLeast(1, 'plain updates that are taken', await plainUpdates({ api, scratch }))
    const bad = Object.values(badNames).map((nameFrom) => nameFrom(names.fresh()))
    const groups = await scratch.makeGroups(bad.length)

    const update = (query: { updateMask?: string }) =>
      Promise.all(bad.map((name, index) => api.attempt.groups.update(groups[index]!.uid, { name }, { query })))
    const answers = [await update({ updateMask: 'name' }), await update({})]
    const after = await Promise.all(groups.map(({ uid }) => api.groups.get(uid)))

    expect(after.map(({ name }) => name)).toEqual(groups.map(({ name }) => name))
    // null and '' may be read as not populated: there it is enough that the name stays (R6, R31)
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
    statement: 'S2.6, S4.26',
    says: 'Update takes every ordinary name',
  },
  async ({ api, scratch, names, atLeast }) => {
    const sent = Object.values(ordinary).flatMap((namesFrom) => namesFrom(names.fresh()))
    const groups = await scratch.makeGroups(sent.length)

    const updated = await Promise.all(
      sent.map((name, index) => api.attempt.groups.update(groups[index]!.uid, { name })),
    )

    atLeast(1, 'names that are not taken', updated.filter((answer) => !taken(answer)).length)
    for (const [index, answer] of [...updated.entries()].filter(([, answer]) => !taken(answer))) {
      accepted(answer, `renaming a group to '${sent[index]}'`)
      expect(answer.json).toMatchObject({ name: sent[index] })
    }
  },
)

requirement(
  {
    id: 'error.name.update',
    level: 'should',
    statement: 'S7.5, R4, R33',
    says: 'A bad name in Update is answered 4xx with the error of Create',
  },
  async ({ api, scratch, names, atLeast }) => {
    atLeast(1, 'plain updates that are taken', await plainUpdates({ api, scratch }))
    const answer = await api.attempt.groups.update(scratch.uid, { name: `${names.fresh()}@` })

    clientsMistake(answer, 'renaming a group to a bad name')
    expect(answer.json).toMatchObject({
      code: 3,
      message: expect.stringMatching(/^Invalid argument: name: /),
    })
    expect(detailOf(answer, 'BadRequest')?.fieldViolations).toMatchObject([{ field: 'name' }])
  },
)
