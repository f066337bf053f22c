import { beforeAll, describe, expect, test, vi } from 'vitest'
import { collectHeaders } from '../../cli/input/collect.ts'
import { everything } from '../../cli/input/selections.ts'
import { complaintsOnVariants, examinedAs } from '../../selftest/judge.ts'
import { combined, drawServers } from '../../selftest/servers.ts'
import { runSuite, variants } from '../support/runs/built.ts'

// one run keeps a core and a half busy, but slow servers none
vi.setConfig({ maxConcurrency: 3 })

let levels: Map<string, string>
beforeAll(async () => {
  levels = new Map((await collectHeaders()).map(({ id, level }) => [id, level]))
})

test('a variant may warn in shoulds only, and there are enough variants', () => {
  const warned = [...new Set(variants.flatMap(({ warns }) => warns))]

  expect(warned.filter((id) => levels.get(id) !== 'should')).toEqual([])
  expect(variants.length).toBeGreaterThanOrEqual(60)
})

// the matrix examines each with fewer others, and each alone where something is red
const servers = drawServers(variants, { atOnce: 16 })

test('each variant is on one server', () => {
  expect(servers.flat().length).toBe(variants.length)
  expect(new Set(servers.flat())).toEqual(new Set(variants))
})

const everySoMany = 8

/** Every so many requirements, others on each server, and those that are to warn; the matrix examines each with all. */
function aPartFor(some: (typeof servers)[number]): string[] {
  const from = servers.indexOf(some) % everySoMany
  const part = [...levels.keys()].filter((_, index) => index % everySoMany === from)
  return [...part, ...some.flatMap(({ warns }) => warns)]
}

describe.concurrent('the suite accuses nobody because', () => {
  test.each(servers.map((some) => [some.map(({ name }) => name).join('; '), some] as const))(
    '%s',
    async (_names, some) => {
      const { report } = await runSuite({
        values: { RMAPI_SEED: '1' },
        selection: { ...everything, only: aPartFor(some) },
        embedded: { rules: combined(some) },
      })

      // so few of a small part may hold nothing that this server has
      const examined = { ...examinedAs(report), verdict: 'partial' }
      expect(complaintsOnVariants(some, examined)).toEqual([])
    },
  )
})
