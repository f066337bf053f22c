import type { Caller } from '../domain/at.ts'
import type { Fields, Item } from '../domain/item.ts'

/** A finished answer, before its body becomes text; without a body, no bytes are sent. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Reads API tokens for the rules, with the signature verified or without. */
export interface TokenReader {
  /** Signed by the service, with itself as audience, and still valid. */
  verified(token: string): Promise<Caller | undefined>
  /** The same, whatever audience it was asked for. */
  ofAnyAudience(token: string): Promise<Caller | undefined>
  unverified(token: string): Caller | undefined
}

/** The members of one list response, before they have their names. */
export interface ListParts {
  readonly items: readonly Fields[]
  readonly nextPageToken: string
  readonly totalCount: string
  readonly skipped: number
}

/** How many items match in all, and which of them this page shows. */
export interface Counts {
  readonly matches: number
  readonly left: number
  readonly shown: number
  readonly skip: number
}

/** The resources that a role binding embeds; one that is gone is undefined. */
export interface BindingParts {
  readonly identity: Item | undefined
  readonly group: Item | undefined
  readonly role: Item | undefined
}

/** The three steps of an update; `change` is pure, `write` makes its result visible to everyone. */
export interface Modification {
  read(): Item
  change(old: Item): Item
  write(next: Item): void
}

/** Where an item lies relative to a cursor: negative before it, 0 at it, positive after it. */
export interface Place {
  readonly byKey: number
  readonly byUid: number
}

/** The groups that a list of v1 is asked for: directly in one, anywhere below one, or all that the caller may see. */
export interface Scope {
  readonly childrenOf?: string | undefined
  readonly descendantsOf?: string | undefined
}
