import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { Secrets } from '../../helpers/http/secrets.ts'
import { Trace, type TraceTo } from '../../helpers/trace/trace.ts'

test('a secret that is part of the id of a requirement does not change the id in the trace', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'trace-')), 'trace.ndjson.gz')
  const secrets = new Secrets()
  secrets.hide('garbage', '<identity token>')
  const trace = new Trace({ path, header: {} as TraceTo['header'] }, secrets, 1)
  trace.ended(
    { id: 'auth.refuses.garbage', level: 'must' } as Parameters<Trace['ended']>[0],
    'pass',
    'now: garbage',
    [],
  )
  await trace.close()
  const lines = gunzipSync(readFileSync(path)).toString().trim().split('\n')
  const ended = lines.map((line) => JSON.parse(line)).find(({ line }) => line === 'ended')
  expect([ended.id, ended.startedAt]).toEqual(['auth.refuses.garbage', 'now: <identity token>'])
})
