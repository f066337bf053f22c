import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everything } from '../../cli/input/selections.ts'
import { writeHar } from '../../cli/trace/har-file.ts'
import { traceLines } from '../../cli/trace/trace-lines.ts'
import type { Report } from '../../schemas/types.ts'
import { ajv } from '../support/formats.ts'
import { harSchema } from '../support/har-schema.ts'
import { runSuite } from '../support/runs/built.ts'
import { ended, start } from '../support/runs/child.ts'
import { exchange } from '../support/sample-report.ts'

const isHar = ajv.compile(harSchema)
const folder = mkdtempSync(join(tmpdir(), 'rmapi har '))

const traces = ['one', 'two'].map((part) => join(folder, part, 'trace.ndjson.gz'))
interface Entry {
  comment: string
  pageref: string
  request: {
    method: string
    url: string
    headers: { name: string; value: string }[]
    postData?: { text: string }
  }
}
const entriesIn = (path: string): Entry[] => {
  const har = JSON.parse(readFileSync(join(folder, path), 'utf8'))
  expect(isHar(har), JSON.stringify(isHar.errors)).toBe(true)
  return har.log.entries
}
const merge = (out: string) =>
  ended(
    start(folder, ['report', '--merge', 'one/report.json', 'two/report.json', '--report', 'json,har', '--out', out]),
  )

describe('the archive of exchanges', () => {
  let sent = 0
  beforeAll(async () => {
    for (const [at, out] of ['one', 'two'].entries()) {
      const selection = { ...everything, only: ['list.skip.*'], shard: { index: at + 1, of: 2 } }
      await runSuite({
        values: { RMAPI_SEED: '1' },
        selection,
        out: join(folder, out),
        traced: true,
        formats: ['json', 'har'],
      })
    }
    for (const trace of traces) for await (const { line } of traceLines(trace)) if (line === 'exchange') sent++
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('of one run and of its merged shards holds every exchange of their traces', async () => {
    expect((await merge('merged')).code).toBe(0)
    const own = ['one/exchanges.har', 'two/exchanges.har'].map(entriesIn)

    expect(sent).toBeGreaterThan(100)
    expect(own.flat()).toHaveLength(sent)
    expect(entriesIn('merged/exchanges.har')).toHaveLength(sent)
  })

  test('adds what the report keeps and no trace has, once', async () => {
    const report: Report = JSON.parse(readFileSync(join(folder, 'one/report.json'), 'utf8'))
    const [first, second] = report.requirements as [Report['requirements'][0], Report['requirements'][0]]
    const raw = exchange('over gRPC alone', 4_000_000)
    first.exchanges = [raw]
    second.exchanges = [raw]
    await writeHar(report, [traces[0]!], join(folder, 'kept.har'))
    const entries = entriesIn('kept.har')

    expect(entries).toHaveLength(entriesIn('one/exchanges.har').length + 1)
    expect(entries.at(-1)).toMatchObject({ pageref: first.id })
  })

  test('shows a call over gRPC as it went out', async () => {
    const values = { RMAPI_SEED: '1', RMAPI_TRANSPORT: 'grpc' }
    const selection = { ...everything, only: ['list.skip.echo'] }
    await runSuite({ values, selection, out: join(folder, 'rpc'), traced: true, formats: ['json', 'har'] })
    const lists = entriesIn('rpc/exchanges.har').filter(({ comment }) => comment === 'act group.list')

    expect(lists.length).toBeGreaterThan(0)
    for (const { request } of lists) {
      expect(request).toMatchObject({ method: 'POST', httpVersion: 'HTTP/2', queryString: [] })
      expect(new URL(request.url).pathname).toBe('/chainguard.platform.iam.v2beta1.GroupsService/ListGroups')
      expect(JSON.parse(request.postData!.text)).toMatchObject({ uidp: { childrenOf: expect.any(String) } })
      expect(request.headers).toContainEqual({ name: 'authorization', value: 'Bearer $RMAPI_ACCESS_TOKEN' })
    }
  })

  test('of shards of which one lost its trace holds what the report keeps', async () => {
    rmSync(traces[1]!)
    await merge('without')

    expect(entriesIn('without/exchanges.har').length).toBeLessThan(sent)
  })
})
