import { describe, expect, test } from 'vitest'
import { variant } from '../../reference/fault.ts'
import { contract } from '../../reference/rules.ts'
import { variants } from '../../reference/variants.ts'
import { apart, combined, drawServer, drawServers } from '../../selftest/servers.ts'

const decide = (name: string, ...rules: string[]) =>
  variant(name, (before) => Object.fromEntries(rules.map((rule) => [rule, before[rule as keyof typeof before]])))
const names = (some: readonly { name: string }[]) => some.map(({ name }) => name)

describe('servers drawn for all', () => {
  const some = [
    decide('a', 'timestamp'),
    decide('b', 'timestamp', 'sorted'),
    decide('c', 'cursor'),
    decide('d', 'forget'),
  ]

  test('have each decision once', () => {
    expect(names(drawServers(some).flat()).sort()).toEqual(['a', 'b', 'c', 'd'])
    expect(names(drawServers(variants, { seed: 3 }).flat()).sort()).toEqual(names(variants).sort())
  })

  test('keep apart what replaces the same rule, or rules of paging', () => {
    const together = (one: string, other: string) =>
      drawServers(some).some((server) => names(server).includes(one) && names(server).includes(other))

    expect(together('a', 'b')).toBe(false)
    expect(together('b', 'c')).toBe(false)
    expect(drawServers(some)).toHaveLength(2)
  })

  test('keep apart what may not share a server', () => {
    expect(drawServers(some, { mayShare: () => false })).toHaveLength(4)
  })
})

describe('a server drawn at random', () => {
  test('has as many different variants as it is asked for', () => {
    const server = drawServer(variants, 5, 1)
    expect(new Set(server).size).toBe(5)
  })

  test('depends on the seed alone', () => {
    expect(drawServer(variants, 5, 1)).toEqual(drawServer(variants, 5, 1))
    expect(drawServer(variants, 5, 1)).not.toEqual(drawServer(variants, 5, 2))
  })
})

test('what is kept apart by name exists', () => {
  expect(apart.flat().filter((name) => !names(variants).includes(name))).toEqual([])
})

test('rules that are combined build on those before them', () => {
  const add = (text: string) =>
    variant(text, (before) => ({ timestamp: (ms, at) => `${before.timestamp(ms, at)}${text}` }))
  const { timestamp } = combined([add('a'), add('b')])(contract)
  expect(timestamp!(0, {} as Parameters<typeof contract.timestamp>[1])).toMatch(/ab$/)
})
