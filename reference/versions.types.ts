import type { At } from './domain/at.ts'
import type { Fields, Item, Kind, Operation } from './domain/item.ts'
import type { Scope } from './rules/values.ts'

/** The decisions about versions, and about what each of them offers (sections 2 and 9). */
export interface VersionRules {
  /** Whether a version segment is served: v1 beside v2beta1 and v2 (S9.1). */
  serves(version: string, at: At): boolean
  /** Operations of a kind that the contract names and does not show (S1.2). */
  alsoOffered(kind: Kind): readonly Operation[]
  /** The operations of a kind in v1; its paths of single resources are not shown and follow those of v2 (S2.17, S9.1). */
  offeredInV1(kind: Kind): readonly Operation[]
  /** The groups that a list of v1 is asked for: those of the scope, as in v2 (not shown). */
  v1Scope(asked: Scope, at: At): Scope
  /** What a list of v1 shows of the items in its scope: all of them, in one answer. */
  v1Listed(items: readonly Item[], at: At): readonly Item[]
  /** A list's answer in v1: the array under `items` (S2.17, S9.3). */
  v1ListBody(items: readonly Fields[], at: At): Fields
  /** A group in its v1 form (S2.17, S9.2). */
  v1Group(item: Item, time: (milliseconds: number) => string, at: At): Fields
  /** A repo in its v1 form (S2.17). */
  v1Repo(item: Item, time: (milliseconds: number) => string, at: At): Fields
  /** A resource of another kind in its v1 form, made from that of v2 (S9.2). */
  v1Other(fields: Fields, item: Item, at: At): Fields
  /** The settable fields after an update in v1: an omitted one gets its zero value (S9.4). */
  v1Replaced(sent: Fields, before: Item, settable: readonly string[], at: At): Fields
}
