import { expect, test } from 'vitest'
import { collectHeaders } from '../../cli/input/collect.ts'
import { matchesGlob } from '../../helpers/requirement/selection.ts'
import { isModelRow } from '../../selftest/judge.ts'
import { faults } from '../support/runs/built.ts'

const ids = (await collectHeaders()).map(({ id }) => id)

test('a fault names requirements that there are, three claims at the most, and there are faults enough', () => {
  const unknown = faults.flatMap(({ name, turnsRed, spreadsTo }) =>
    [...turnsRed, ...spreadsTo]
      .filter((glob) => !ids.some((id) => matchesGlob(id, glob)))
      .map((glob) => `${name}: ${glob}`),
  )
  const claimed = faults.map(({ name, turnsRed }) => ({ name, claims: claimsNamedBy(turnsRed) }))

  expect(unknown).toEqual([])
  expect(claimed.filter(({ claims }) => claims.size < 1 || claims.size > 3)).toEqual([])
  expect(faults.length).toBeGreaterThanOrEqual(200)
})

/** The claims that some globs name; the same one on several kinds is one. */
function claimsNamedBy(globs: readonly string[]): Set<string> {
  const named = ids.filter((id) => globs.some((glob) => matchesGlob(id, glob)))
  // the rows of the model judge one and the same answers
  return new Set(named.map((id) => (isModelRow({ id }) ? 'model' : id.split('@')[0]!)))
}
