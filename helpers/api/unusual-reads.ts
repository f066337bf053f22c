import type { Answer, Log } from '../http/call.ts'
import type { Client } from '../http/client.ts'

/** Reads at a path that is sent unchanged, whatever the answer. */
export type Read = (path: string, method?: 'GET' | 'HEAD' | 'OPTIONS') => Promise<Answer>

/** Reads that no client would send: other methods, and paths that are not in the contract (R57). */
export const readsOver =
  (client: Client, log: Log): Read =>
  (path, method = 'GET') =>
    client.send({ operation: `${method} of an unusual path`, method, path }, log)
