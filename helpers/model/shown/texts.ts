import { type Judging, oneOf } from '../judging.ts'
import { type Thing, unset } from '../state.ts'

/** Judges a text in a row of its own, once the target shows one there; whether it does is up to it (R49). */
export function judgeText(
  judging: Judging,
  row: string,
  thing: Thing,
  member: 'name' | 'description',
  value: unknown,
  view: string,
): void {
  const { sent, answered } = judging.seen
  const register = thing[member]
  if (unset(value) === '' && !register.wasShownBefore(sent, judging.through(view))) return
  const fit = register.observe(value, sent, answered, judging.through(view), judging.copy)
  const may = register.may(sent, answered).map((write) => write.value)
  judging.row(row, fit === 'fits', `${member} ${oneOf(may)}`, JSON.stringify(value), {
    about: [thing.uid],
    soft: fit === 'late' && judging.isYoung(register.lastBefore(answered)),
  })
}
