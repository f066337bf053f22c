import { present } from '../../../schemas/present.ts'
import type { Received } from '../../api/received.ts'
import type { Answer } from '../../http/call.ts'
import type { Driver } from '../driver.ts'

/** What a pair of writes may act on: groups, an identity, role bindings of others, and kinds whose bodies are not shown. */
export interface Subjects {
  one: Received
  other: Received
  /** A group in a group of its own. */
  inner: Received
  identity: Received
  binding: Received
  besideIt: Received
  provider: Received
  association: Received
}

export type Subject = keyof Subjects

/** Writes that are sent at the same moment. */
export interface Pair {
  /** What must be made for it. */
  needs: readonly Subject[]
  /** Sent before: it shows what is there. */
  before?(driver: Driver, subjects: Subjects): Promise<unknown>
  writes(driver: Driver, subjects: Subjects): readonly (() => Promise<Answer>)[]
  /** Sent afterwards, once everything was read: it shows what the race left behind. */
  after?(driver: Driver, subjects: Subjects): Promise<unknown>
  /** On how many resources it is sent at once, where `after` reads all that it concerns. */
  width?: number
}

/** Writes that go together on such subjects, and what is sent afterwards. */
export const pair = (needs: readonly Subject[], writes: Pair['writes'], after?: Pair['after']): Pair => ({
  needs,
  writes,
  ...present({ after }),
})
