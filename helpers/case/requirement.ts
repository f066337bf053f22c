import { inject } from 'vitest'
import { present } from '../../schemas/present.ts'
import type { Header, Profile } from '../requirement/header.ts'
import type { CaseRecord } from './case-record.ts'
import { type Context, test } from './grpc-fixtures.ts'
import { judgedWhenOld } from './judged-again.ts'

export type { Context }

import { type KindName, kinds } from '../api/kinds.ts'
import { type Selection, selected } from '../requirement/selection.ts'

declare module 'vitest' {
  interface TaskMeta {
    rmapi?: CaseRecord
  }
  interface ProvidedContext {
    selection: Selection
  }
}

/** Declares a case: the only way to do so. */
export function requirement(given: Header, body: (context: Context) => unknown): void {
  // names such as order_by and gRPC stay as they are written
  const says = given.says.replace(/^[a-z](?=[a-z'-]*[ ,])/, (first) => first.toUpperCase())
  const header = { ...given, ...present({ profile: given.profile ?? profileOf(given.id) }), says }
  if (!selected(header, inject('selection'))) return
  const options = { timeout: 0, retry: 0, concurrent: !header.alone, meta: { rmapi: { header } } }
  test(header.id, options, judgedWhenOld(body) as Parameters<typeof test>[2])
}

/** Declares the same claim for several kinds; for any but groups the id ends in `@` and the kind's plural. */
export function requirementOnEach<Kind extends KindName>(
  kindsOfClaim: readonly Kind[],
  header: Header,
  bodyFor: (kind: Kind) => (context: Context) => unknown,
): void {
  for (const kind of kindsOfClaim) requirement(headerOn(kind, header), bodyFor(kind))
}

function headerOn(kind: KindName, header: Header): Header {
  if (kind === 'groups') return { ...header, says: claimOn(kind, header.says) }
  const { level } = kinds[kind].listed
  return {
    ...header,
    id: `${header.id}@${kind}`,
    ...(header.formerly ? { formerly: header.formerly.map((id) => `${id}@${kind}`) } : {}),
    level: header.level === 'must' ? level : header.level,
    says: claimOn(kind, header.says),
  }
}

/** The profile of an id by its first word or its kind; undefined for groups and what is about all kinds. */
function profileOf(id: string): Profile | undefined {
  const [claim = '', on] = id.split('@')
  const family = claim.split('.')[0]
  if (family === 'sts' || family === 'grpc' || family === 'v1') return family
  if (on === 'v1') return on
  const kind = Object.values(kinds).find(({ name, plural }) => plural === on || (on === undefined && name === family))
  return kind === undefined || kind === kinds.groups ? undefined : kind.listed.profile
}

/** The claim with the kind's labels in place of `{one}`, `{a}` and `{many}`; at its end where it has none of them. */
function claimOn(kind: KindName, says: string): string {
  const { one, many } = kinds[kind].label
  const named = says
    .replaceAll('{one}', one)
    .replaceAll('{many}', many)
    .replaceAll('{a}', `${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}`)
  return named === says && kind !== 'groups' ? `${says} (${many})` : named
}
