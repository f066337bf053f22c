import { kinds } from '../../api/kinds.ts'
import { isObject } from '../../api/received.ts'
import { codeIn, succeeded } from '../../http/call.ts'
import type { Judging } from '../judging.ts'
import { type Asked, type Observation, untilSeen } from '../observation.ts'
import { type Cause, causeOf } from './refusal-causes.ts'

const row = 'model.grpc.status'

/** Codes that a call may get at one moment and not at another (R43, R56), and that of what is not offered (R49). */
const passing = [4, 6, 7, 8, 10, 12, 14]

/** A call that is refused over both protocols gets one code, which its details repeat (S7.1, R60). */
export function judgeCode(judging: Judging, asked: Asked): void {
  const { seen, state } = judging
  if (succeeded(seen) || asked.version === 'v1') return
  const code = seen.over === 'grpc' ? judgeStatus(judging, asked) : codeOf(seen)
  // a Delete of what is not empty is refused with code 9 (S7.6)
  if (code === undefined || passing.includes(code) || (code === 9 && asked.does !== 'delete')) return
  const cause = causeOf(judging, asked, code)
  if (cause === undefined) return
  const known = `refused over HTTP: ${cause.text}`
  const same = `${known}, code ${code}`
  if (seen.over !== 'grpc') return void state.flags.add(known).add(same)
  judgeSame(judging, cause, code, [same, untilSeen(known)])
}

function judgeSame(judging: Judging, { text, about }: Cause, code: number, unless: readonly string[]): void {
  const [same = ''] = unless
  const holds = judging.state.flags.has(same)
  const expected = `the code that HTTP gives for this cause: ${text}`
  judging.row(row, holds, expected, `grpc-status ${code}`, { about, unless })
}

/** The status of a refusal over gRPC, which equals that in its details. */
function judgeStatus(judging: Judging, { kind, uid }: Asked): number | undefined {
  const { seen } = judging
  const text = seen.headers?.['grpc-status'] ?? ''
  const inDetails = codeIn(seen)
  if (!/^([1-9]|1[0-6])$/.test(text) || inDetails === undefined) return undefined
  const holds = inDetails === Number(text)
  const about = uid === undefined ? [] : [uid]
  const got = `the code ${inDetails} in the details of a refused ${kinds[kind].name} call`
  judging.row(row, holds, `the code ${text}, as grpc-status`, got, { about })
  return Number(text)
}

/** The RPC code in an error of S7.1's form; any other number may be a gateway's own. */
function codeOf({ json }: Observation): number | undefined {
  const code = codeIn({ json })
  const isError = isObject(json) && typeof json.message === 'string' && Array.isArray(json.details)
  return isError && code !== undefined && code > 0 && code <= 16 ? code : undefined
}
