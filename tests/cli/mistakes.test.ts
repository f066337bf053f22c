import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { mustBeFor } from '../../cli/run/resume.ts'
import type { TraceLine } from '../../schemas/types.ts'
import { packed } from '../support/forged.ts'
import { headerFor, writeJournal } from '../support/runs/closing.ts'
import { commandsIn, refusedWith } from '../support/runs/commands.ts'
import { configFor, listen } from '../support/runs/servers.ts'

const { at, cli, serve } = commandsIn('mistakes')

describe('sweep', () => {
  const settings = { RMAPI_BASE_URL: 'http://127.0.0.1:9', RMAPI_GROUP_UID: 'ab', RMAPI_ACCESS_TOKEN: 'x' }

  test.each([
    ['', /is no journal: no line of it was written by a run\. Give the journal-….jsonl/],
    ['{"reportVersion":1}\n', /is no journal/],
    ['{"journal":2,"suite":"torn', /is no journal/],
  ])('refuses a file that is no journal: %j', async (text, why) => {
    writeFileSync(at('odd.jsonl'), text)

    expect(await cli(['sweep', 'odd.jsonl'], settings)).toMatchObject(refusedWith(why))
  })

  test('refuses a folder, and does not believe a journal whose first line was changed', async () => {
    const config = configFor(settings.RMAPI_BASE_URL, { groupUid: 'ab' })
    writeJournal(at('journal-a.jsonl'), config, [{ kind: 'groups', parent: 'ab', name: 'x', root: true }])
    const lines = readFileSync(at('journal-a.jsonl'), 'utf8')
    writeFileSync(at('journal-b.jsonl'), lines.replace('"run":"a"', '"run":"b"'))

    expect(await cli(['sweep', '.'], settings)).toMatchObject(refusedWith(/\. is a folder/))
    expect(await cli(['sweep', 'journal-b.jsonl'], settings)).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/line 1 is not the first line[\s\S]*The journal is kept/),
    })
  })
})

test('a sweep by age says what is wrong with the address or the token', async () => {
  const good = await serve()
  const sweepWith = (other: object) => cli(['sweep', '--older-than', '6h'], { ...good, ...other })

  expect(await sweepWith({ RMAPI_BASE_URL: 'http://127.0.0.1:9' })).toMatchObject(
    refusedWith(/does not answer: .*reachable/),
  )
  expect(await sweepWith({ RMAPI_ACCESS_TOKEN: 'garbage' })).toMatchObject(
    refusedWith(/401: the token is not accepted/),
  )
  expect(await sweepWith({ RMAPI_GROUP_UID: `${good.RMAPI_GROUP_UID}/00000000` })).toMatchObject(
    refusedWith(/cannot be listed: there is no such group\. Check RMAPI_GROUP_UID\.\n$/),
  )
})

describe('over gRPC', () => {
  const only = ['run', '--only', 'list.skip.echo', '--transport', 'grpc']

  test('names that lead nowhere are refused, with what the server answered', async () => {
    const silent = await serve(() => ({ grpcReflects: () => false }))

    expect(await cli([...only, '--grpc-package', 'example.api'], silent)).toMatchObject(
      refusedWith(/no example\.api\.iam\.v2beta1\.GroupsService .*HTTP 200, grpc-status 12.*set RMAPI_GRPC_PACKAGE/),
    )
  })

  test('a file that describes nothing is refused, and so is what HTTP alone has', async () => {
    const settings = await serve()
    writeFileSync(at('api.binpb'), 'no descriptors')

    expect(await cli([...only, '--proto-descriptors', 'api.binpb'], settings)).toMatchObject(
      refusedWith(/api\.binpb is no FileDescriptorSet\. Check RMAPI_PROTO_DESCRIPTORS/),
    )
    expect(await cli(['run', '--only', 'error.body.cut-off*', '--transport', 'grpc'], settings)).toMatchObject(
      refusedWith(/is about HTTP itself, such as error\.body\.cut-off\S*: over gRPC nothing of it is left/),
    )
  })
})

test.each([
  [401, 'text/html', (key: string) => `<!doctype html><title>${key}</title>`],
  [200, 'application/json', (key: string) => JSON.stringify({ key })],
])('a header for a gateway that the first answers show is not printed: %i', async (status, type, body) => {
  const gateway = createServer(({ headers }, response) =>
    response.writeHead(status, { 'content-type': type }).end(body(String(headers['x-key']))),
  )
  writeFileSync(at('headers.txt'), 'X-Key: gateway-key-0123456789abcdef\n')
  const RMAPI_BASE_URL = `http://127.0.0.1:${await listen(gateway)}`
  const target = { RMAPI_BASE_URL, RMAPI_GROUP_UID: 'ab', RMAPI_ACCESS_TOKEN: 'opaque-token' }
  const came = await cli(['run', '--headers-file', 'headers.txt'], target)
  gateway.close()

  expect(came).toMatchObject(refusedWith(/<X-Key>/))
  expect(came.stderr).not.toContain('gateway-key')
})

test.each(['proxy:3128', 'me:secret@proxy:3128', 'proxy'])(
  'the proxy %s is refused, and not printed',
  async (proxy) => {
    const target = { RMAPI_BASE_URL: 'https://127.0.0.1:9', RMAPI_GROUP_UID: 'ab', RMAPI_ACCESS_TOKEN: 'x' }
    const came = await cli(['run'], { ...target, HTTPS_PROXY: proxy })

    expect(came).toMatchObject(
      refusedWith(/: HTTPS_PROXY is not the address of a proxy, for example HTTPS_PROXY=http:/),
    )
    expect(came.stderr).not.toContain('secret')
  },
)

test.each([
  ['reportVersion', ['compare', 'later', 'later']],
  ['baselineVersion', ['run', '--embedded', '--baseline', 'later']],
  ['findingVersion', ['replay', 'later']],
  ['traceVersion', ['judge', 'later']],
])('a file of a later version is refused as such: %s', async (member, args) => {
  const content = { line: 'header', [member]: 2 }
  writeFileSync(at('later'), member === 'traceVersion' ? packed([content as never]) : JSON.stringify(content))

  expect(await cli(args)).toMatchObject(
    refusedWith(new RegExp(`later has the ${member} 2, and .* reads 1: use the version`)),
  )
})

test('a trace without a row of the model is not judged to be sound', async () => {
  const header = {
    ...{ line: 'header', seq: 0, traceVersion: 1, run: 'a', seed: 1, at: 0, patience: 1 },
    ...{ suite: { name: 's', version: '0.0.1', digest: '0'.repeat(64) }, configuration: '0'.repeat(64) },
    ...{ baseUrl: 'http://a', authUrl: 'http://a', apiVersion: 'v2', groupUid: 'a', wall: '2026-01-01T00:00:00.000Z' },
  }
  const footer = { line: 'footer', seq: 1, exchanges: 0, requirements: {}, open: 0, at: 1 }
  writeFileSync(at('empty.gz'), packed([header, footer] as TraceLine[]))

  expect(await cli(['judge', 'empty.gz'])).toMatchObject(refusedWith(/empty\.gz has no row of the model/))
})

describe('page tokens of an earlier run', () => {
  const target = configFor('http://127.0.0.1:9', { groupUid: 'ab' }).target
  const kept = { run: 'a', baseUrl: target.baseUrl, apiVersion: target.apiVersion, issued: { here: '2026-01-01' } }
  const list = (kind: string) => ({ [kind]: { kind, query: {}, head: [], tokens: {} } })
  const written = (lists: object) => {
    writeFileSync(at('resume-a.json'), JSON.stringify({ ...kept, lists }))
    return at('resume-a.json')
  }

  test('are refused where the group that stays for them is below another one', () => {
    const path = written(list('roles'))
    expect(mustBeFor(target, path)).toBe('a')
    writeJournal(at('resume-a.jsonl'), configFor(target.baseUrl, { groupUid: 'cd' }), [])
    expect(() => mustBeFor(target, path)).toThrow(/belongs to a group that stays below cd, and the settings name ab/)
    expect(headerFor(configFor(target.baseUrl, { groupUid: 'cd' })).groupUid).toBe('cd')
  })

  test('are refused where they are of no kind', () => {
    expect(() => mustBeFor(target, written(list('constructor')))).toThrow(/cannot be resumed: it is no resume-….json/)
  })
})

test.each([
  [
    'a file that is no JSON, on one line',
    ['replay', 'odd.json'],
    /^rmapi-conformance: odd\.json is not JSON: .*\\n.*\n$/,
  ],
  ['--json for a run', ['run', '--json'], /^rmapi-conformance: --json goes with --print-config: .*\n$/],
  ['--json for a server', ['serve', '--json'], /^rmapi-conformance: --json goes with --names\.\n$/],
  ['a shard beyond the last', ['run', '--shard', '3/2'], /--shard is '3\/2', not the ith of n parts/],
  ['a rate in words', ['run', '--rate-limit', 'fast'], /'fast', not a whole number from 1 to 999999999 or auto/],
  ['an age before the settings', ['sweep', '--older-than', 'x'], /^rmapi-conformance: --older-than is 'x', .*\n$/],
  ['a file before the settings', ['sweep', 'odd.json'], /^rmapi-conformance: odd\.json is no journal: .*\n$/],
  ['a submission that is no folder', ['verify', 'odd.json'], /odd\.json is not a folder\. Give the submission folder/],
  ['a trace that is none', ['judge', 'odd.json'], /is not a gzip file, or is damaged\. Give the trace\.ndjson\.gz/],
  ['a baseline that lists nothing', ['run', '--baseline', 'list.json'], /list\.json is no baseline: it lists no dev/],
  ['a verb that does not exist', ['examine'], /unknown command 'examine'[\s\S]*To see what can be given, add --help/],
  ['a fault that does not exist', ['serve', '--fault', 'x'], /No fault is called 'x'\..* To see all: serve --names\n$/],
  ['a sweep without any setting', ['sweep', '--older-than', '6h'], /RMAPI_BASE_URL \(--base-url\) is not set, for/],
])('says what is wrong with %s', async (_what, args, why) => {
  writeFileSync(at('odd.json'), 'x\n')
  writeFileSync(at('list.json'), '[]')

  expect(await cli(args)).toMatchObject(refusedWith(why))
})
