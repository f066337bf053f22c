import { instant } from '../../api/instant.ts'
import { isReceived } from '../../api/received.ts'
import { succeeded } from '../../http/call.ts'
import { type Judging, takenAgain } from '../judging.ts'
import { itemsOf } from '../listed/page-seen.ts'
import { type Asked, isSoftRefusal, type Observation } from '../observation.ts'
import type { State, TakenLate, Thing } from '../state.ts'
import { checkRefused } from './refusals.ts'

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
  checkRefused(judging, asked, false, `a refusal: ${uid} was deleted`, judging.came, {
    about: [uid],
    unless: ['marks'],
    breaks: 'R38',
  })
}

/**
 * How long an invite lives is not shown: once the clock was moved, it is open whether an invite is still there (R49). The
 * next quiet reading decides it.
 */
export function mayHaveEnded(state: State, { moved, answered, n }: Observation): void {
  if (moved === 0) return
  for (const invite of state.made('groupInvites')) {
    if (invite.alive.writes.length > 1) continue
    invite.alive.write({ value: false, sent: answered, answered, sure: false })
    state.touch(invite, { sent: answered, answered, n })
  }
}

/** Notes what is younger than the deleted thing of its uid, and has a name that the run never sent. */
export function noteTakenAgain(state: State, { json, sent, answered }: Observation, { kind, does }: Asked): void {
  const items = does === 'list' ? (itemsOf(json, kind) ?? []) : [json]
  for (const item of items.filter(isReceived)) {
    const { createTime = Number.POSITIVE_INFINITY, alive } = state.thing(item.uid, kind) ?? {}
    if (alive?.certain(sent, answered)?.value !== false) continue
    const isYounger = instant(item.createTime) > createTime
    if (isYounger && typeof item.name === 'string' && !state.names.has(item.name)) state.flags.add(takenAgain(item.uid))
  }
}
