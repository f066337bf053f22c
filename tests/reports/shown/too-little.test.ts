import { expect, test } from 'vitest'
import { settle } from '../../../reports/judge/verdict.ts'
import type { Case, Ending } from '../../../schemas/types.ts'
import { bothWays, caseOf, undecided, violated } from '../../support/cases.ts'

const little: Ending = { how: 'untold', note: 'judgements: found 0, needed 1' }

const resting = (id: string, ending: Ending, ...restsOn: string[]): Case => {
  const one = caseOf(id, ending)
  return { ...one, header: { ...one.header, restsOn } }
}
const noteOf = (...cases: Case[]) => settle(cases).at(-1)?.note

test('what found too little is blocked by what it rests on, if that failed', () => {
  const x = resting('x', little, 'ground')

  bothWays([caseOf('ground', violated), x], { ground: 'fail', x: 'inconclusive<ground' })
  bothWays([caseOf('root', violated), resting('ground', violated, 'root'), x], {
    root: 'fail',
    ground: 'inconclusive<root',
    x: 'inconclusive<root',
  })
  bothWays([caseOf('ground', violated, 'should'), x], { ground: 'warning', x: 'inconclusive' })
})

test('what found too little names what it rests on, if that is undecided for a reason of its own', () => {
  const x = resting('x', little, 'ground')

  expect(noteOf(caseOf('ground', undecided), x)).toBe(`${little.note}, because ground is undecided: no clock`)
  expect(noteOf(caseOf('ground', little), x)).toBe(little.note)
})

test('a row of the model that found too little looks only at the claims about its kind', () => {
  const x = resting('model.repo.content', little, 'repo.*', 'list.*')

  expect(noteOf(caseOf('list.total', undecided), x)).toBe(little.note)
  expect(noteOf(caseOf('repo.list.answers', undecided), x)).toContain('because repo.list.answers is undecided')
  bothWays([caseOf('list.total', violated), x], { 'list.total': 'fail', 'model.repo.content': 'inconclusive' })
})
