import { isObject } from '../api/received.ts'
import type { Answer, Call, Log } from '../http/call.ts'
import type { Client } from '../http/client.ts'

/** A call that was sent, with its answer and the number of its exchange if one came. */
export interface Sent {
  call: Call
  answer?: Answer
  /** The number of its last exchange. */
  n: number
}

/** Records the calls of one log in the order of sending; the client's other listeners go on. */
export class Recorder {
  readonly #sent = new Map<Call, Sent>()

  /** `before` is called with each call that goes out. */
  constructor(client: Client, log: Log, before: (call: Call) => void = () => {}) {
    const hear = client.onSend
    client.onSend = (call, credential, of, out) => {
      const ended = hear(call, credential, of, out)
      if (of !== log) return ended
      before(call)
      const sent = this.#sent.get(call) ?? { call, n: Number.POSITIVE_INFINITY }
      // a call that is asked to wait goes out again
      this.#sent.set(call, sent)
      return (exchange, answer) => {
        sent.n = exchange.number
        if (answer) sent.answer = answer
        ended(exchange, answer)
      }
    }
  }

  /** The calls that were answered up to an exchange. */
  until(n: number): Sent[] {
    return [...this.#sent.values()].filter((sent) => sent.n <= n)
  }
}

/** What later calls use from an answer: the uid of what was made, and the token of the next page. */
export function saidBy(answer: Answer | undefined): { uid?: string; nextPageToken?: string } {
  const json = isObject(answer?.json) ? answer.json : {}
  // v1 calls it id
  const { id, uid = id, nextPageToken } = json
  return {
    ...(typeof uid === 'string' && uid !== '' ? { uid } : {}),
    ...(typeof nextPageToken === 'string' && nextPageToken !== '' ? { nextPageToken } : {}),
  }
}
