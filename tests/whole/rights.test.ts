import { expect, test } from 'vitest'
import { plannedParts } from '../../cli/commands/plan.ts'
import { everything } from '../../cli/input/selections.ts'
import { rights } from '../../reports/judge/token-rights.ts'

test('what the table of rights says is what a run is seen to need', async () => {
  const parts = await plannedParts({ ...everything, profiles: ['v1', 'time', 'grpc'] })
  const seen = parts.map(({ profile, rights: own }) => [profile, own])
  const stated = parts.map(({ profile }) => [
    profile,
    Object.entries(rights[profile])
      .map(([kind, operations]) => `${kind}: ${operations}`)
      .sort(),
  ])

  expect(seen).toEqual(stated)
})
