import type { Client } from '../http/client.ts'
import type { Journal } from './journal.ts'
import type { Paths } from './resource-path.ts'
import type { SecondChances } from './soft-refusal.ts'
/** What every call of a run shares. */
export interface ApiContext {
  client: Client
  paths: Paths
  journal: Journal
  /** Absent where nothing is made again that was refused. */
  secondChances?: SecondChances
}
