import { succeeded } from '../../http/call.ts'
import type { Judging } from '../judging.ts'
import { type Asked, isSoftRefusal } from '../observation.ts'
import type { TakenLate, Thing } from '../state.ts'

/** The flag of a target that accepts such a write on something deleted, and soon refuses it. */
export const late = ({ does }: Asked) => `late to refuse ${does}`

/** A write on something deleted is refused (R38), but not always at once (R52), nor while a Get marks it (R28). */
export function judgeGone(judging: Judging, asked: Asked, does: TakenLate['does'], { uid, alive }: Thing): void {
  const { seen, state } = judging
  const { kind, version } = asked
  const isYoung = judging.isYoung(alive.lastBefore(seen.answered))
  // v1 is not asked again, and its PUT is commonly read as creating what is missing (R45)
  if (version === 'v1' && (isYoung || does === 'update')) return
  const { over, query, body, answered } = seen
  const done = `${does} ${kind} over ${over ?? 'HTTP'} at ${uid}`
  if (!succeeded(seen)) {
    if (state.takenLate.has(done) && !isSoftRefusal(seen)) state.flags.add(late(asked))
    return
  }
  if (isYoung) return void state.takenLate.set(done, { kind, does, uid, over, query, body, answered })
  judging.check(kind, 'refusal', false, `a refusal: ${uid} was deleted`, seen.status, {
    about: [uid],
    unless: ['marks'],
  })
}
