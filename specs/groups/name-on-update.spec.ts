import { expect } from 'vitest'
import { names as namesOf } from '../../helpers/api/received.ts'
import { accepted, refused } from '../../helpers/assertions/refused.ts'
import { controlRenames } from '../../helpers/auth/control-calls.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import type { Answer } from '../../helpers/http/call.ts'
import { badNames, judged, longNames, type NamesToTry, ordinaryRenames, outsideCharacters, secondOf } from './names.ts'

/** Names that are neither null nor an empty string, which may mean that nothing is populated. */
const namesOfSomeLength = Object.values(badNames).filter(({ nameFrom }) => nameFrom('a'))

requirement(
  {
    id: 'group.update.name.any-other',
    level: 'must',
    statement: 'S2.6, R4, R29',
    quote: 'An update is held to the same rule: a bad name must be refused',
    restsOn: ['group.name.refuses.any-other', 'group.update.name.refused', 'group.update.time.advances'],
    says: 'Update with any character outside the rule in the name is refused without effect',
  },
  async ({ api, scratch, names, eventually, atLeast }) => {
    atLeast(1, 'plain renames that take effect', await controlRenames({ api, scratch, names }))
    const { uid, name } = await scratch.makeGroup()
    const sent = outsideCharacters.map((character) => `${names.fresh()}${character}b`)

    const answers = await Promise.all(sent.map((bad) => api.attempt.groups.update(uid, { name: bad })))

    for (const [index, answer] of answers.entries())
      refused(answer, `renaming a group to ${JSON.stringify(sent[index])}`)
    await eventually(async () => expect((await api.groups.get(uid)).name, 'the name after refused updates').toBe(name))
  },
)

requirement(
  {
    id: 'group.update.name.refused',
    level: 'must',
    statement: 'S2.6, R4',
    quote: 'An update is held to the same rule: a bad name must be refused',
    restsOn: ['group.name.refuses.newline-and-more'],
    says: 'Update with a bad name is refused without effect, with or without a mask',
  },
  async ({ api, scratch, names, eventually, atLeast }) => {
    atLeast(1, 'plain renames that take effect', await controlRenames({ api, scratch, names }))
    const bad = namesOfSomeLength.map(({ nameFrom }) => nameFrom(names.fresh()))
    const { uid, name: before } = await scratch.makeKnown()

    const update = (query: { updateMask?: string }) =>
      Promise.all(bad.map((name) => api.attempt.groups.update(uid, { name }, { query })))
    const answers = [await update({ updateMask: 'name' }), await update({})]

    await eventually(async () =>
      expect((await api.groups.get(uid)).name, 'the name after refused updates').toBe(before),
    )
    for (const [index, name] of bad.entries()) {
      refused(answers[0]![index]!, `renaming a group to ${JSON.stringify(name)} with a mask`)
      refused(answers[1]![index]!, `renaming a group to ${JSON.stringify(name)} without a mask`)
    }
  },
)

requirement(
  {
    id: 'group.update.name.empty',
    level: 'must',
    statement: 'S2.6, R4',
    quote: 'a create needs a `name`, and it matches `^[a-z0-9 ._-]{1,}$`',
    says: 'Update with an empty name or null leaves the name as it was',
  },
  async ({ api, scratch, names, eventually, atLeast }) => {
    atLeast(1, 'plain renames that take effect', await controlRenames({ api, scratch, names }))
    const sent = [{ name: '' }, { name: '', description: 'beside it' }, { name: null }]
    const groups = await Promise.all(sent.map(() => scratch.makeKnown()))

    // null and '' may mean not populated, so they may be ignored as well as refused (R6, R31)
    for (const updateMask of ['name', undefined]) {
      const query = { updateMask }
      await Promise.all(sent.map((body, index) => api.attempt.groups.update(groups[index]!.uid, body, { query })))
    }

    await eventually(async () => {
      const after = await Promise.all(groups.map(({ uid }) => api.groups.get(uid)))
      expect(namesOf(after), 'the names after updates without a good one').toEqual(namesOf(groups))
    })
  },
)

for (const { id, level, statement, quote, restsOn, says, tried } of [
  {
    id: 'group.update.name.accepts',
    level: 'must',
    statement: 'S2.6, S4.26, R4',
    quote: 'An update is held to the same rule',
    restsOn: [
      'group.name.refuses.newline-and-more',
      ...['space', 'dot', 'underscore', 'hyphen'].map((one) => `group.name.accepts.${one}`),
      'group.update.time.advances',
    ],
    says: 'Update keeps every ordinary name as sent',
    tried: ordinaryRenames,
  },
  {
    id: 'group.update.name.accepts-long',
    level: 'should',
    statement: 'S2.6, S4.26, R3, R4',
    quote: 'those of 1 or 2 characters, of 31 to 63 characters',
    restsOn: [],
    says: 'Update keeps a name of 31 to 63 characters as sent',
    tried: longNames,
  },
] as const) {
  requirement(
    { id, level, statement, quote, restsOn: [...restsOn], says },
    async ({ api, scratch, names, atLeast }) => {
      const sent = Object.values<NamesToTry>(tried).flatMap(({ namesFrom }) => namesFrom(names.fresh()))
      const { uid } = await scratch.makeKnown()

      const updated: Answer[] = []
      for (const name of sent) updated.push(await api.attempt.groups.update(uid, { name }))

      const free = await judged(sent, updated, names, secondOf({ api, scratch, names }))
      atLeast(1, 'names that are not taken', free.length)
      for (const [name, answer] of free) {
        accepted(answer, `renaming a group to '${name}'`)
        expect(answer.json, 'the group in the answer to Update').toMatchObject({ name })
      }
    },
  )
}
