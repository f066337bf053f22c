import { inject } from 'vitest'
import type { Exchange } from './exchange.ts'
import { type Context, test } from './fixtures.ts'

export type { Context }

import { type KindName, kinds } from './kinds.ts'
import { type Selection, selected } from './selection.ts'

/** How binding a requirement is (see the contract's rulings). */
export type Level = 'must' | 'should' | 'observe'

/** A part of the service with a verdict of its own. */
export type Profile = 'core' | 'identities' | 'registry' | 'vulnerabilities' | 'sts' | 'v1' | 'grpc' | 'time'

/** What a requirement says about itself: the report's row. */
export interface Header {
  /** `family.aspect.claim`, stable for ever; a claim on a kind other than groups ends in `@` and its plural. */
  id: string
  /** What it was called in earlier releases: picked, excused and compared by such an id it is still found. */
  formerly?: readonly string[]
  level: Level
  /** The statements and rulings it stems from: 'S4.23', 'S4.8, R15'. */
  statement: string
  /** The claim in one sentence, as it holds on a server that keeps the contract. */
  says: string
  /** Default: core. */
  profile?: Profile
  /** Set where nothing else may be under way; 'whole run' where every call of the run is judged: each shard asks it of its own. */
  alone?: true | 'whole run'
  /**
   * The beginnings of the ids that tell in a few calls what this one tells in many: where such a must fails, this one
   * says nothing more, and is blocked by it.
   */
  deeperThan?: readonly string[]
}

/** What a case leaves behind for the report. */
export interface CaseRecord {
  header: Header
  /** Only where it did not pass. */
  exchanges?: Exchange[]
  /** How many calls it made, shared arrangement left out. */
  requests?: number
  /** What an `observe` case saw, in words that can be compared from release to release. */
  observed?: string
  /** How much of what it is about it met: pages, ties, comparisons. */
  met?: Record<string, number>
  /** The shortest way to see a failure that needs a history, in plain words. */
  steps?: string[]
  /** When it began, an RFC 3339 time by the suite's own clock. */
  startedAt?: string
  /** How long it took, in milliseconds, arrangement included. */
  ms?: number
  /** How many calls the run had sent when it ended. */
  sent?: number
  /** The throw-away group that it was given. */
  scratch?: string
}

declare module 'vitest' {
  interface TaskMeta {
    rmapi?: CaseRecord
  }
  interface ProvidedContext {
    selection: Selection
  }
}

/** States a case: the only way to do so. The body is handed on as it is, for its fixtures are read from its source. */
export function requirement(header: Header, body: (context: Context) => unknown): void {
  if (!selected(header, inject('selection'))) return
  const options = { timeout: 0, retry: 0, concurrent: !header.alone, meta: { rmapi: { header } } }
  test(header.id, options, body as Parameters<typeof test>[2])
}

/** States the same claim on several kinds; on any but groups the id ends in `@` and the kind's plural. */
export function requirementOnEach<Kind extends KindName>(
  over: readonly Kind[],
  header: Header,
  bodyFor: (kind: Kind) => (context: Context) => unknown,
): void {
  for (const kind of over) requirement(headerOn(kind, header), bodyFor(kind))
}

function headerOn(kind: KindName, header: Header): Header {
  if (kind === 'groups') return header
  const { level, profile } = kinds[kind].listed
  return {
    ...header,
    id: `${header.id}@${kind}`,
    ...(header.formerly ? { formerly: header.formerly.map((id) => `${id}@${kind}`) } : {}),
    level: header.level === 'must' ? level : header.level,
    profile: header.profile ?? profile,
    says: `${header.says} (${kind})`,
  }
}
