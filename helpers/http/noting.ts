import { AsyncLocalStorage } from 'node:async_hooks'
import type { Answer, Call } from './call.ts'

/** A call with its answer, whichever log it was written to. */
export interface Noted {
  call: Call
  answer: Answer
}

const noted = new AsyncLocalStorage<Noted[]>()

/** Runs something and notes every call that it causes, in the order of the answers. */
export function noting<T>(into: Noted[], run: () => Promise<T> | T): Promise<T> {
  return noted.run(into, async () => run())
}

/** Notes an answer for whoever asked to hear of it. */
export function noteAnswer(call: Call, answer: Answer): Answer {
  noted.getStore()?.push({ call, answer })
  return answer
}
