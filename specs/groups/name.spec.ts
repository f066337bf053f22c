import { expect } from 'vitest'
import { isForName, isSoftRefusal } from '../../helpers/api/soft-refusal.ts'
import { listedItems } from '../../helpers/arrange/listings.ts'
import { deleteGroup } from '../../helpers/arrange/scratch.ts'
import { accepted, outcomeOf, refused } from '../../helpers/assertions/refused.ts'
import { type Context, requirement } from '../../helpers/case/requirement.ts'
import { type Answer, succeeded } from '../../helpers/http/call.ts'
import { badNames, judged, longNames, type NamesToTry, ordinaryNames, outsideCharacters, secondOf } from './names.ts'

const restsOn: Record<string, string[]> = {
  'every-class': ['space', 'dot', 'underscore', 'hyphen'].map((one) => `group.name.accepts.${one}`),
  words: ['group.name.accepts.digits'],
}

for (const [what, { phrase, quote, namesFrom, level = 'must' }] of Object.entries<NamesToTry>({
  ...ordinaryNames,
  ...longNames,
})) {
  requirement(
    {
      id: `group.name.accepts.${what}`,
      level,
      statement: 'S2.6, R3',
      quote,
      restsOn: restsOn[what] ?? [],
      says: `${phrase} is kept as sent`,
    },
    async ({ api, scratch, names, atLeast }) => {
      const sent = namesFrom(names.fresh())

      const answers = await Promise.all(sent.map((name) => api.attempt.groups.create(scratch.uid, { name })))
      const free = await judged(sent, answers, names, secondOf({ api, scratch, names }))
      atLeast(1, 'names that are not taken', free.length)

      for (const [name, answer] of free) {
        accepted(answer, `creating a group named '${name}'`)
        expect(answer.json, 'the group in the answer to Create').toMatchObject({ name })
      }
    },
  )
}

/** What refused Creates left in the scratch group: groups with a refused name, or without one. */
async function leftIn({ api, scratch }: Pick<Context, 'api' | 'scratch'>, ...refusedNames: unknown[]) {
  const after = await api.attempt.groups.list({ ...scratch.children, page_size: 200 })
  return listedItems('groups', after).filter(({ name }) => !name || refusedNames.includes(name))
}

const nameRule = 'a create needs a `name`, and it matches `^[a-z0-9 ._-]{1,}$`'

/** The name in the answer to a Create, or how that was refused. */
const keptIn = (answer: Answer) => (succeeded(answer) ? nameIn(answer.json) : `refused: ${outcomeOf(answer)}`)

const nameIn = (json: unknown) => (json as { name?: unknown } | null | undefined)?.name

requirement(
  {
    id: 'group.name.accepts.unusual',
    level: 'should',
    statement: 'S2.6, R3',
    quote: 'of punctuation alone, with punctuation at either end or doubled',
    restsOn: [
      'group.name.accepts.space',
      'group.name.accepts.dot',
      'group.name.accepts.underscore',
      'group.name.accepts.hyphen',
    ],
    says: 'A very short name, or one with punctuation at an end or doubled, is kept as sent',
  },
  async ({ api, scratch, names, atLeast }) => {
    const fresh = names.fresh()
    const sent = [
      'a',
      '0',
      '-',
      'z9',
      `${fresh} `,
      ` ${fresh}`,
      `-${fresh}`,
      `${fresh}.`,
      `${fresh}  b`,
      `${fresh}__b`,
      '__proto__',
    ]

    const answers = await Promise.all(sent.map((name) => api.attempt.groups.create(scratch.uid, { name })))

    const isOpen = answers.map((answer) => isSoftRefusal(answer) && !isForName(answer))
    atLeast(1, 'names that are refused for nothing else', isOpen.filter((open) => !open).length)
    const kept = answers.map((answer, index) => (isOpen[index] ? sent[index] : keptIn(answer)))
    expect(kept, 'the names in the answers to Create').toEqual(sent)
  },
)

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

/** What the refusal of a bad name rests on: the empty name, and for newlines the one with a bad line after it. */
const plainerRefusals = (what: string) => [
  ...(what === 'empty' ? ['list.scope.children'] : ['group.name.refuses.empty']),
  ...(/^newline-(?!and-more)/.test(what) ? ['group.name.refuses.newline-and-more'] : []),
]

for (const [what, { phrase, nameFrom }] of Object.entries(badNames)) {
  requirement(
    {
      id: `group.name.refuses.${what}`,
      level: 'must',
      statement: 'S2.6, S7.5, R3, R29',
      quote: what === 'null' ? '`null` is not a name and must be refused' : nameRule,
      restsOn: plainerRefusals(what),
      says: `Create with ${phrase} is refused without effect`,
    },
    async ({ api, scratch, names }) => {
      const name = nameFrom(names.fresh())
      await scratch.makeGroup()

      const answer = await api.attempt.groups.create(scratch.uid, { name })
      const left = await leftIn({ api, scratch }, name)

      refused(answer, `creating a group named ${JSON.stringify(name)}`)
      expect(left, 'the groups left behind by a refused Create').toEqual([])
    },
  )
}

requirement(
  {
    id: 'group.name.refuses.any-other',
    level: 'must',
    statement: 'S2.6, S7.5, R3, R29',
    quote: nameRule,
    restsOn: [
      'group.name.refuses.newline-and-more',
      'group.name.refuses.upper-case',
      'group.name.refuses.non-ascii',
      'group.name.refuses.emoji',
      'group.name.refuses.other-punctuation',
    ],
    says: 'Create with any character outside the rule in the name is refused without effect',
  },
  async ({ api, scratch, names }) => {
    const sent = outsideCharacters.map((character) => `${names.fresh()}${character}b`)
    await scratch.makeGroup()

    const answers = await Promise.all(sent.map((name) => api.attempt.groups.create(scratch.uid, { name })))
    const left = await leftIn({ api, scratch }, ...sent)

    for (const [index, answer] of answers.entries())
      refused(answer, `creating a group named ${JSON.stringify(sent[index])}`)
    expect(left, 'the groups left behind by a refused Create').toEqual([])
  },
)

requirement(
  {
    id: 'group.name.refuses.missing',
    level: 'must',
    statement: 'S2.6, S7.5, R29',
    quote: 'a create needs a `name`',
    restsOn: ['group.name.refuses.empty', 'list.scope.children'],
    says: 'A Create body without a name is refused without effect, empty or not',
  },
  async ({ api, scratch }) => {
    await scratch.makeGroup({ description: 'named' })

    const answers = [
      await api.attempt.groups.create(scratch.uid, { description: 'nameless' }),
      await api.attempt.groups.create(scratch.uid, {}),
    ]
    const left = await leftIn({ api, scratch })

    for (const answer of answers) refused(answer, 'creating a group without a name')
    expect(left, 'the groups left behind by a refused Create').toEqual([])
  },
)

requirement(
  {
    id: 'group.name.refuses.other-types',
    level: 'should',
    statement: 'S2.6, R3',
    quote: 'a number or an array instead of a name _should_ be refused',
    restsOn: ['group.name.refuses.empty'],
    says: 'A number, array, object or boolean as the name is refused',
  },
  async ({ api, scratch, names }) => {
    const sent = [7, [names.fresh()], { name: names.fresh() }, true]
    await scratch.makeGroup()

    const answers = await Promise.all(sent.map((name) => api.attempt.groups.create(scratch.uid, { name })))

    for (const [index, answer] of answers.entries())
      refused(answer, `creating a group with the name ${JSON.stringify(sent[index])}`)
  },
)

requirement(
  {
    id: 'group.name.twice',
    level: 'observe',
    statement: 'S2.6, R3',
    quote: 'A name may be refused as taken, under the same parent or in the whole organization',
    says: 'How a name that a sibling or a cousin already has is answered',
  },
  async ({ api, scratch, names, observe }) => {
    const name = names.fresh()
    const elsewhere = await scratch.makeGroup()
    await scratch.makeGroup({ name })

    const sibling = await api.attempt.groups.create(scratch.uid, { name })
    const cousin = await api.attempt.groups.create(elsewhere.uid, { name })

    observe(`of a sibling: ${outcomeOf(sibling)}; of a cousin: ${outcomeOf(cousin)}`)
  },
)

requirement(
  {
    id: 'group.name.again',
    level: 'observe',
    statement: 'S2.6, R3, R28',
    quote: 'even by something that was deleted',
    says: 'How a new group with the name of a deleted one is answered',
  },
  async ({ api, scratch, observe }) => {
    const gone = await scratch.makeGroup()
    await deleteGroup(api, scratch, gone.uid)

    observe(outcomeOf(await api.attempt.groups.create(scratch.uid, { name: gone.name })))
  },
)
