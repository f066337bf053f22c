import { expect } from 'vitest'
import { accepted, refused, taken } from '../../helpers/assertions/refused.ts'
import { controlUpdates } from '../../helpers/auth/control-calls.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { badNames, ordinaryNames, outsideCharacters } from './names.ts'

requirement(
  {
    id: 'group.update.name.any-other',
    level: 'must',
    statement: 'S2.6, R4, R29',
    quote: 'An update is held to the same rule: a bad name must be refused',
    says: 'Update with any character outside the rule in the name is refused without effect',
  },
  async ({ api, scratch, names, atLeast }) => {
    atLeast(1, 'plain updates that take effect', await controlUpdates({ api, scratch }))
    const { uid, name } = await scratch.makeGroup()
    const sent = outsideCharacters.map((character) => `${names.fresh()}${character}b`)

    const answers = await Promise.all(sent.map((bad) => api.attempt.groups.update(uid, { name: bad })))

    for (const [index, answer] of answers.entries())
      refused(answer, `renaming a group to ${JSON.stringify(sent[index])}`)
    expect((await api.groups.get(uid)).name, 'the name after refused updates').toBe(name)
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
    atLeast(1, 'plain updates that take effect', await controlUpdates({ api, scratch }))
    const bad = Object.values(badNames).map(({ nameFrom }) => nameFrom(names.fresh()))
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
    const sent = Object.values(ordinaryNames).flatMap(({ namesFrom }) => namesFrom(names.fresh()))
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
