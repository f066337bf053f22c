import { expect, test } from 'vitest'
import { collectHeaders } from '../../cli/input/collect.ts'
import { matchesGlob } from '../../helpers/requirement/selection.ts'

const headers = await collectHeaders()
const claimIn = (id: string) => id.replace(/@.*$/, '')
const named = new Map<string, Set<string>>()
for (const { id, restsOn = [] } of headers) {
  const claims = headers
    .filter((other) => restsOn.some((glob) => matchesGlob(other.id, glob)))
    .map((one) => claimIn(one.id))
  named.set(
    claimIn(id),
    new Set([...(named.get(claimIn(id)) ?? []), ...claims.filter((claim) => claim !== claimIn(id))]),
  )
}

test('what a requirement rests on is there, on some kind', () => {
  const lost = headers.flatMap(({ id, restsOn = [] }) =>
    restsOn
      .filter((glob) => !headers.some((other) => matchesGlob(claimIn(other.id), claimIn(glob))))
      .map((glob) => `${id}: ${glob}`),
  )

  expect(lost).toEqual([])
})

test('no claim rests on itself by way of others', () => {
  const reached = (claim: string, seen = new Set<string>()): Set<string> => {
    for (const other of named.get(claim) ?? []) {
      if (seen.has(other)) continue
      seen.add(other)
      reached(other, seen)
    }
    return seen
  }

  expect([...named.keys()].filter((claim) => reached(claim).has(claim))).toEqual([])
})
