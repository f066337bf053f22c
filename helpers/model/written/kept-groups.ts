import { type KindName, kinds } from '../../api/kinds.ts'
import { saysNotEmpty } from '../errors.ts'
import type { Judging } from '../judging.ts'
import { untilSeen } from '../observation.ts'
import type { Thing } from '../state.ts'

const keptBy = (kind: KindName) => `refused to delete a group with ${kind} alone`

/** Notes which kind keeps a group from being deleted: of those whose records are not shown, this is open (S7.6, R30). */
export function noteKept({ seen, state }: Judging, { below }: Thing): void {
  if (!saysNotEmpty(seen)) return
  const mayLive = ({ alive }: Thing) => alive.may(seen.sent, seen.answered).some(({ value }) => value)
  const inside = [...below].filter(([, things]) => things.some(mayLive)).map(([kind]) => kind)
  if (inside.length === 1) state.flags.add(keptBy(inside[0]!))
}

/** The excuse of a group that is deleted while something is made in it, until that kind is known to keep groups. */
export const unlessKept = (kind: KindName): string[] => (kinds[kind].shown ? [] : [untilSeen(keptBy(kind))])
