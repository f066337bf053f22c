import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { collectHeaders } from '../cli/collect.ts'
import { everything } from '../cli/selections.ts'
import type { Replacement, Variant } from '../reference/replace.ts'
import type { Rules } from '../reference/rules.ts'
import { contract, runSuite, variants } from './built.ts'

// one run keeps a core and a half busy
vi.setConfig({ maxConcurrency: 2 })

let levels: Map<string, string>
beforeAll(async () => {
  levels = new Map((await collectHeaders()).map(({ id, level }) => [id, level]))
})

test('a variant makes warn what should be, and there are variants enough', () => {
  const warned = [...new Set(variants.flatMap(({ warns }) => warns))]

  expect(warned.filter((id) => levels.get(id) !== 'should')).toEqual([])
  expect(variants.length).toBeGreaterThanOrEqual(25)
})

/** How many lawful choices one server takes at once, about. */
const atOnce = 6

/**
 * Servers that take several choices at once are as lawful as those that take one: with MATRIX=whole each variant is a
 * server of its own, else some share one, those that decide different things. Which they are hangs on their names alone, so
 * that a new variant moves few others.
 */
function servers(): Variant[][] {
  if (process.env.MATRIX === 'whole') return variants.map((variant) => [variant])
  const shared: Variant[][] = Array.from({ length: Math.ceil(variants.length / atOnce / 8) * 8 }, () => [])
  for (const variant of variants) {
    const start = createHash('sha256').update(variant.name).digest().readUInt32BE() % shared.length
    const inTurn = [...shared.slice(start), ...shared.slice(0, start)]
    const free = inTurn.find((others) => others.every((other) => canMeet(variant, other)))
    if (free) free.push(variant)
    else shared.push([variant])
  }
  return shared.filter((together) => together.length > 0)
}

/** What a page token holds and how a walk goes on by it hang together. */
const walking = ['cursor', 'cursorFits', 'decodeToken', 'encodeToken', 'rest', 'sorted']

/** What together leaves no way to delete a group: a binding that has to go first and can be neither listed nor found. */
const apart = [
  'roles and bindings can do what is printed and no more',
  'the creator of a group is bound in it, and the binding has to go first',
]

/** True where two variants decide different things. */
function canMeet(one: Variant, other: Variant): boolean {
  if ([one, other].every(({ name }) => apart.includes(name))) return false
  const decided = (variant: Variant) =>
    Object.keys(variant.rules(contract)).map((rule) => (walking.includes(rule) ? 'walking' : rule))
  return !decided(one).some((rule) => decided(other).includes(rule))
}

/** All the choices of some variants: each over those before it. */
const together =
  (some: readonly Variant[]): Replacement =>
  (contract) => {
    const all: Partial<Rules> = {}
    for (const { rules } of some) Object.assign(all, rules({ ...contract, ...all }))
    return all
  }

describe.concurrent('the suite accuses nobody because', () => {
  test.each(servers().map((some) => [some.map(({ name }) => name).join('; '), some] as const))(
    '%s',
    async (_names, some) => {
      const { report } = await runSuite({
        values: { RMAPI_SEED: '1' },
        selection: everything,
        embedded: { rules: together(some) },
      })

      const warns = some.flatMap((variant) => variant.warns)
      const accused = report.requirements.filter(({ outcome }) =>
        ['fail', 'warning', 'error'].includes(outcome),
      )
      const told = accused.map(({ id, note }) => (warns.includes(id) ? id : `${id}: ${note}`))
      // what one choice makes warn, another may keep from being told
      const untold = report.requirements.filter(
        ({ outcome }) => some.length > 1 && outcome === 'inconclusive',
      )
      const expected = warns.filter((id) => !untold.some((row) => row.id === id))
      expect([...new Set(told)].sort()).toEqual([...new Set(expected)].sort())
      expect(report.problems).toEqual([])
      expect(report.verdict).not.toBe('undetermined')
    },
  )
})
