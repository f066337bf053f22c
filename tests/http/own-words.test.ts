import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { withoutSecrets } from '../../cli/run/without-secrets.ts'
import { Secrets } from '../../helpers/http/secrets.ts'
import { Trace, type TraceTo } from '../../helpers/trace/trace.ts'
import { configFor } from '../support/runs/servers.ts'
import { reportWith, row } from '../support/sample-report.ts'

test('a secret that is part of the id of a requirement does not change the id in the trace', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trace-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'trace.ndjson.gz')
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

test('an access token that equals words of a requirement hides what the target says, not the requirement', () => {
  const config = configFor('http://127.0.0.1:1', { credentials: { accessToken: 'list.skip' } })
  const report = reportWith([row('it says list.skip')])
  expect(withoutSecrets(report, config).requirements[0]).toMatchObject({
    id: 'list.skip.fail',
    got: 'it says $RMAPI_ACCESS_TOKEN',
  })
})
