import { inject } from 'vitest'
import type { Header } from '../requirement/header.ts'
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
  const header = { ...given, says: given.says.charAt(0).toUpperCase() + given.says.slice(1) }
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
  const { level, profile } = kinds[kind].listed
  return {
    ...header,
    id: `${header.id}@${kind}`,
    ...(header.formerly ? { formerly: header.formerly.map((id) => `${id}@${kind}`) } : {}),
    level: header.level === 'must' ? level : header.level,
    profile: header.profile ?? profile,
    says: claimOn(kind, header.says),
  }
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
