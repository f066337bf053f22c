import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { type Api, apiOver } from '../../../helpers/api/api.ts'
import type { Transport } from '../../../helpers/api/context.ts'
import type { Journal } from '../../../helpers/api/journal.ts'
import { type JournalHeader, lineOf, sumOf } from '../../../helpers/api/journal-lines.ts'
import { Paths } from '../../../helpers/api/resource-path.ts'
import { sweep as sweepText } from '../../../helpers/cleanup/sweep.ts'
import { Grpc } from '../../../helpers/grpc/protocol.ts'
import { tokenSource } from '../../../helpers/http/access-token.ts'
import { Client } from '../../../helpers/http/client.ts'
import { Secrets } from '../../../helpers/http/secrets.ts'
import type { Config } from '../../../helpers/settings/configuration.ts'

/** Shared by the tests of closing. */
export type Closing = (() => unknown)[]

/** Shared by the tests of closing. */
export const rootName = 'rmapiconformanceabcdefgha'

/** Shared by the tests of closing. */
export const sweep = (config: Config, path: string) => sweepText(config, readFileSync(path, 'utf8'))

/** Shared by the tests of closing. */
export const headerFor = ({ target: { baseUrl, apiVersion, groupUid } }: Config): JournalHeader => ({
  journal: 2,
  suite: 'the suite',
  version: '0',
  run: 'a',
  baseUrl,
  apiVersion,
  groupUid,
  startedAt: '2026-01-01T00:00:00Z',
})

/** Writes a journal by hand, as a run would. */
export function writeJournal(path: string, config: Config, entries: object[]): void {
  let before = ''
  writeFileSync(path, '')
  for (const record of [headerFor(config), ...entries]) {
    const line = lineOf(record as JournalHeader, before)
    appendFileSync(path, line)
    before = sumOf(line)
  }
}

/** Shared by the tests of closing. */
export function apiFor(config: Config, journal: Journal, closing: Closing, over: Transport = 'http'): Api {
  const secrets = new Secrets()
  const wire = { sent: 0 }
  const grpc = new Grpc(config.target, wire)
  const client = new Client(config, secrets, tokenSource(config, secrets, wire), undefined, { wire, grpc })
  closing.unshift(
    () => client.close(),
    () => grpc.destroy(),
  )
  return apiOver({ client, paths: new Paths('v2beta1'), journal, over }, { phase: 'arrange', exchanges: [] })
}
