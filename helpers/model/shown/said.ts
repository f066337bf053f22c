import { isObject } from '../../api/received.ts'
import type { Judging } from '../judging.ts'
import { isKeptAsSent } from '../names.ts'
import type { Register, Write } from '../register.ts'
import { type Thing, unset } from '../state.ts'

type Member = 'name' | 'description'

/** The last write of each register whose value the answer to an Update in v1 showed as it was sent. */
const said = new WeakMap<Register<unknown>, Write<unknown>>()

/** Notes that the answer to an Update in v1 shows what was sent, or that a description which was left out is reset. */
export function noteSaid({ seen }: Judging, thing: Thing, member: Member, value: unknown): void {
  const sent = isObject(seen.body) ? seen.body[member] : undefined
  const isReset = member === 'description' && sent === undefined && value === '' && isWhole(seen.json)
  if (!isReset && !(isKeptAsSent(sent) && unset(sent) === value)) return
  const register: Register<unknown> = thing[member]
  const own = register.writes.findLast((write) => write.sent === seen.sent && register.isSame(write.value, value))
  if (own) said.set(register, own)
}

/** True for an answer that shows a group: an empty description may be absent there (R6). */
const isWhole = (json: unknown) => isObject(json) && (json.name !== undefined || json.description !== undefined)

/** What v1 answered to an Update it has done: what is read after that time shows it until something else is written (S9.4, R45, R55). */
export function judgeSaid(
  judging: Judging,
  { uid, name, description }: Thing,
  member: Member,
  value: unknown,
  after: number = judging.seen.sent,
): void {
  const register: Register<unknown> = { name, description }[member]
  const own = said.get(register)
  if (own === undefined || own.answered >= after || own.sent !== register.writes.at(-1)?.sent) return
  // of writes at the same moment, either may be the last
  if (register.writes.some(({ sent, answered }) => sent !== own.sent && answered >= own.sent)) return
  const holds = register.isSame(own.value, value)
  const isYoung = judging.isYoung(own.answered)
  // a write is not made again (R52)
  if (!holds && isYoung && judging.seen.method !== 'GET') return
  const expected = () => `${member} ${JSON.stringify(own.value)}, as v1 answered to its update`
  judging.row('model.v1.update', holds, expected, JSON.stringify(value), {
    about: [uid],
    soft: isYoung,
    breaks: 'S9.4',
  })
}
