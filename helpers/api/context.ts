import type { Answer } from '../http/call.ts'
import type { Client } from '../http/client.ts'
import type { Journal } from './journal.ts'
import type { KindName } from './kinds.ts'
import type { Paths } from './resource-path.ts'
import type { SecondChances } from './soft-refusal.ts'

/** The protocol of a call. */
export type Transport = 'grpc' | 'http'

/** What every call of a run shares. */
export interface ApiContext {
  client: Client
  paths: Paths
  journal: Journal
  /** The protocol of its calls if it is not the run's own: of all, or of each operation, such as `list`. */
  over?: Transport | ((operation: string) => Transport)
  /** Receives every answer to a call of a kind before anyone judges it. */
  onAnswer?: (kind: KindName, answer: Answer) => Promise<void>
  /** Absent where no refused call is repeated. */
  secondChances?: SecondChances
}
