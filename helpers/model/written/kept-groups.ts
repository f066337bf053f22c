import { type KindName, kinds } from '../../api/kinds.ts'
import { saysNotEmpty } from '../errors.ts'
import type { Judging } from '../judging.ts'
import { untilSeen } from '../observation.ts'
import type { Thing } from '../state.ts'

const keptBy = (kind: KindName) => `refused to delete a group with ${kind} alone`

/** Notes which kind keeps a group from being deleted: of those whose records are not shown, this is open (S7.6, R30). */
export function noteKept(judging: Judging, { below }: Thing): void {
  const { seen, state } = judging
  if (!saysNotEmpty(seen)) return
  const mayLive = ({ alive }: Thing) => alive.may(seen.sent, seen.answered).some(({ value }) => value)
  // what was deleted in it a moment ago may still count (R52)
  const isJustGone = (inner: Thing) => !mayLive(inner) && judging.isYoung(inner.alive.lastBefore(seen.answered))
  if ([...below.values()].flat().some(isJustGone)) return
  const inside = [...below].filter(([, things]) => things.some(mayLive)).map(([kind]) => kind)
  if (inside.length === 1) state.flags.add(keptBy(inside[0]!))
}

/**
 * The excuse of a group that is deleted while something is made in it, until that kind is known to keep groups: it may
 * have been something of the target's own that kept one (R50).
 */
export const unlessKept = (kind: KindName): string[] => (kinds[kind].shown ? [] : [untilSeen(keptBy(kind)), 'alien'])
