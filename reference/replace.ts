import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import type { Fields, Kind, Operation } from './domain/item.ts'
import type { At } from './domain/world.ts'
import type { Rules } from './rules.ts'

/** Some rules in place of the contract's; asked for once per start, so what it closes over is that server's own. */
export type Replacement = (contract: Rules) => Partial<Rules>

/** One broken decision, named as a complaint. */
export interface Fault {
  readonly name: string
  /** The requirements that it must turn red, by id or glob: three claims at the most. */
  readonly turnsRed: readonly string[]
  /** Those in which it may show besides, by id or glob. */
  readonly spreadsTo: readonly string[]
  readonly rules: Replacement
}

/** What a fault must turn red, and where it may show besides. */
type Marks = readonly string[] | Pick<Fault, 'turnsRed' | 'spreadsTo'>

/** States a fault. */
export function fault(name: string, marks: Marks, rules: Replacement): Fault {
  return { name, ...('turnsRed' in marks ? marks : { turnsRed: marks, spreadsTo: [] }), rules }
}

/** A decision that the contract leaves open, taken another way: it must turn nothing red. */
export interface Variant {
  readonly name: string
  readonly rules: Replacement
  /** The ids of the requirements that a ruling lets warn. */
  readonly warns: readonly string[]
}

/** States a variant. */
export function variant(name: string, rules: Replacement, warns: readonly string[] = []): Variant {
  return { name, rules, warns }
}

/** The replacement where it applies, the contract everywhere else. */
export function when(applies: (at: At) => boolean, change: Partial<Rules> | Replacement): Replacement {
  return (contract) => {
    const changed = typeof change === 'function' ? change(contract) : change
    const choose = (name: string) => {
      const there = changed[name as keyof Rules] as Rule
      const elsewhere = contract[name as keyof Rules] as Rule
      return (...given: unknown[]) => (applies(given.at(-1) as At) ? there : elsewhere)(...given)
    }
    return Object.fromEntries(Object.keys(changed).map((name) => [name, choose(name)]))
  }
}

type Rule = (...given: unknown[]) => unknown

/** The replacement on one kind of resource. */
export const on = (kind: Kind, change: Partial<Rules> | Replacement) => when((at) => at.kind === kind, change)

/** The replacement in one operation. */
export const during = (operation: Operation, change: Partial<Rules> | Replacement) =>
  when((at) => at.operation === operation, change)

/** The replacement from one page of a walk on, counted from 1. */
export const fromPage = (page: number, change: Partial<Rules> | Replacement) => when((at) => at.page >= page, change)

/** The replacement in updates that bring a mask. */
export function underMask(change: Partial<Rules> | Replacement): Replacement {
  return (contract) => {
    const masked = new WeakSet<At>()
    return {
      mask(raw, at) {
        const fields = contract.mask(raw, at)
        if (fields) masked.add(at)
        return fields
      },
      ...when((at) => masked.has(at), change)(contract),
    }
  }
}

/** A replacement that may look at the body of the call it decides for; where there is none, nothing was sent. */
export function withBody(change: (sent: (at: At) => Fields, contract: Rules) => Partial<Rules>): Replacement {
  return (contract) => {
    const bodies = new WeakMap<At, Fields>()
    return {
      body(bytes, at) {
        const fields = contract.body(bytes, at)
        if (fields) bodies.set(at, fields)
        return fields
      },
      ...change((at) => bodies.get(at) ?? {}, contract),
    }
  }
}

/** A replacement that may look at the request it decides for: its address, and the connection that it came on. */
export function withRequest(change: (request: () => IncomingMessage, contract: Rules) => Partial<Rules>): Replacement {
  return (contract) => {
    const requests = new AsyncLocalStorage<IncomingMessage>()
    return {
      transport: (request, response, serve, at) =>
        requests.run(request, () => contract.transport(request, response, serve, at)),
      ...change(() => requests.getStore()!, contract),
    }
  }
}

/** The replacement in one of so many answers to one and the same request. */
export function onceIn(often: number, change: Partial<Rules> | Replacement): Replacement {
  return (contract) => {
    const counts = new Map<string, number>()
    const turns = new AsyncLocalStorage<boolean>()
    return {
      transport(request, response, serve, at) {
        const asked = `${request.method} ${request.url}`
        const count = (counts.get(asked) ?? 0) + 1
        counts.set(asked, count)
        return turns.run(count % often === 0, () => contract.transport(request, response, serve, at))
      },
      ...when(() => turns.getStore() === true, change)(contract),
    }
  }
}

/** The one that bears a name; the error names the nearest where none does. */
export function named<T extends { readonly name: string }>(word: string, all: readonly T[], name: string): T {
  const exact = all.find((one) => one.name === name)
  if (exact) return exact
  const nearest = [...all].sort((a, b) => distance(name, a.name) - distance(name, b.name))[0]
  const hint = nearest ? ` Did you mean '${nearest.name}'?` : ''
  throw new Error(`No ${word} is called '${name}'.${hint}`)
}

// Letters to add, drop or change; letters that the longer name has at its end cost little.
function distance(asked: string, name: string): number {
  let row = Array.from({ length: name.length + 1 }, (_, column) => column * 0.1)
  for (const [line, letter] of [...asked].entries()) {
    const next = [line + 1]
    for (let column = 1; column <= name.length; column++) {
      const swap = row[column - 1]! + (letter === name[column - 1] ? 0 : 1)
      next.push(Math.min(swap, row[column]! + 1, next[column - 1]! + 0.1))
    }
    row = next
  }
  return row[name.length]!
}
