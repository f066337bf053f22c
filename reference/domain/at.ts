import type { Kind, Operation } from './item.ts'
import type { Store } from './store.ts'

/** Who calls: the subject of the token, and the root group of its organization (S5.8). */
export interface Caller {
  readonly subject: string
  readonly org: string
}

/** The state of one service as a rule sees it: without the rules, so that no rule calls another. */
export interface World {
  readonly store: Store
  /** Milliseconds since 1970, by the service's own clock. */
  now(): number
  /** Moves that clock forward. */
  advance(seconds: number): void
  /** The caller of the first organization's token. */
  operator: Caller
}

/** The order of a list (S4.13). */
export interface Order {
  readonly field: string
  readonly descending: boolean
}

/** Where a page ended: all that the next one needs (S4.12). Times in milliseconds since 1970. */
export interface Cursor {
  readonly kind: string
  readonly field: string
  readonly descending: boolean
  readonly key: string | number
  readonly uid: string
  readonly issued: number
  readonly page: number
  readonly skipped: number
  readonly [more: string]: unknown
}

/** What a list is asked for, once its parameters are read (section 4, list parameters). */
interface Query {
  readonly descendantsOf: string | undefined
  readonly childrenOf: string | undefined
  readonly name: string | undefined
  readonly size: number
  readonly skip: number
  readonly order: Order
  readonly cursor: Cursor | undefined
}

/** The call that a rule decides for: every rule gets it as its last argument. */
export interface At {
  readonly world: World
  /** 'none' on a path that leads to no kind. */
  readonly kind: Kind | 'none'
  /** 'exchange' at the token exchange; 'none' where the path or the method leads to no operation. */
  readonly operation: Operation | 'exchange' | 'none'
  /** The version segment of the path; '' where there is none (S9.1). */
  readonly version: string
  /** Set if the call came over gRPC (S1.5). */
  readonly over?: 'grpc'
  /** Undefined before the token is read. */
  readonly caller: Caller | undefined
  /** The page of a walk, from 1; 0 where there is no list. */
  readonly page: number
  /** Lists only, once the parameters are read. */
  readonly query: Query | undefined
}
