import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import type { At } from './domain/at.ts'
import type { Fields, Kind, Operation } from './domain/item.ts'
import type { Rules } from './rules.types.ts'

/** Some rules in place of the contract's; called once per start, so its closures belong to one server. */
export type Replacement = (contract: Rules) => Partial<Rules>

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

/** Two replacements, where the later one sees what the first made of the contract. */
export const both =
  (first: Replacement, later: Replacement): Replacement =>
  (contract) => {
    const changed = { ...contract, ...first(contract) }
    return { ...changed, ...later(changed) }
  }

/** The replacement on one kind of resource. */
export const on = (kind: Kind, change: Partial<Rules> | Replacement) => when((at) => at.kind === kind, change)

/** The replacement in one operation. */
export const during = (operation: Operation, change: Partial<Rules> | Replacement) =>
  when((at) => at.operation === operation, change)

/** The replacement from one page of a walk on, counted from 1. */
export const fromPage = (page: number, change: Partial<Rules> | Replacement) => when((at) => at.page >= page, change)

/** The replacement in calls over gRPC alone. */
export const overGrpc = (change: Partial<Rules> | Replacement) => when(({ over }) => over === 'grpc', change)

/** The replacement in v1. */
export const inV1 = (change: Partial<Rules> | Replacement) => when(({ version }) => version === 'v1', change)

/** The replacement in updates with a mask. */
export const underMask = (change: Partial<Rules> | Replacement) => whereMasked(true, change)

/** The replacement in updates without a mask, and in calls that have none. */
export const unmasked = (change: Partial<Rules> | Replacement) => whereMasked(false, change)

const whereMasked = (wanted: boolean, change: Partial<Rules> | Replacement) =>
  knowingMasks((isMasked, contract) => when((at) => isMasked(at) === wanted, change)(contract))

/** A replacement that knows whether its call has a mask. */
export function knowingMasks(change: (isMasked: (at: At) => boolean, contract: Rules) => Partial<Rules>): Replacement {
  return (contract) => {
    const masked = new WeakSet<At>()
    return {
      mask(raw, at) {
        const fields = contract.mask(raw, at)
        if (fields) masked.add(at)
        return fields
      },
      ...change((at) => masked.has(at), contract),
    }
  }
}

/** A replacement that may read the body of its call: empty fields where there is none. */
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

/** A replacement that may read the request of its call: its address and its connection. */
export function withRequest(change: (request: () => IncomingMessage, contract: Rules) => Partial<Rules>): Replacement {
  return (contract) => {
    const requests = new AsyncLocalStorage<IncomingMessage>()
    return {
      transport: (request, response, serve, at) =>
        requests.run(request, () => contract.transport(request, response, serve, at)),
      grpcTransport: (request, response, serve, at) =>
        requests.run(request, () => contract.grpcTransport(request, response, serve, at)),
      ...change(() => requests.getStore()!, contract),
    }
  }
}

/** The replacement in every nth answer to the same request. */
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

/** A job of the target's own: it runs before a request is served, once so many milliseconds have passed since its last run. */
export const job =
  (every: number, run: (at: At) => void): Replacement =>
  (contract) => {
    let last = performance.now()
    return {
      transport(request, response, serve, at) {
        if (performance.now() - last > every) {
          last = performance.now()
          run(at)
        }
        return contract.transport(request, response, serve, at)
      },
    }
  }
