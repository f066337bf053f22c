import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect } from 'vitest'
import { runSuite } from '../../cli/run/run-suite.ts'
import { Grpc } from '../../helpers/grpc/protocol.ts'
import type { Call } from '../../helpers/http/call.ts'
import { startReference } from '../../reference/embed.ts'
import type { Replacement } from '../../reference/replace.ts'
import type { Report } from '../../schemas/types.ts'
import { configFor, test } from '../support/runs/servers.ts'

const selection = { only: ['grpc.get.same', 'grpc.list.filter'], skip: [], profiles: [] }

/** Examines a reference of its own over gRPC that may be served elsewhere. */
async function examined(
  grpcUrl: string | undefined,
  rules: Replacement,
  more: Record<string, string> = {},
): Promise<Report> {
  const { baseUrl, groupUid, accessToken, close } = await startReference({ rules })
  const target = { RMAPI_BASE_URL: baseUrl, RMAPI_GROUP_UID: groupUid, RMAPI_ACCESS_TOKEN: accessToken }
  const values = { ...target, ...(grpcUrl && { RMAPI_GRPC_URL: grpcUrl }), ...more }
  try {
    return (await runSuite({ values, selection })).report
  } finally {
    await close()
  }
}

const outcomes = ({ requirements }: Report) => requirements.map(({ outcome }) => outcome)

test('an address where the operator expects gRPC, and there is none, leaves it undecided', async () => {
  const report = await examined('http://127.0.0.1:1', () => ({}))

  expect(outcomes(report)).toEqual(['inconclusive', 'inconclusive'])
  expect(report.requirements[0]!.note).toBe(
    'no gRPC is served at RMAPI_GRPC_URL: http://127.0.0.1:1 answered with no HTTP/2',
  )
})

test('other packages are found by reflection, and by a setting where there is none', async () => {
  const other: Replacement = () => ({ grpcPrefix: () => 'example.api' })
  const silent: Replacement = () => ({ grpcPrefix: () => 'example.api', grpcReflects: () => false })

  expect(outcomes(await examined(undefined, other))).toEqual(['pass', 'pass'])
  expect(outcomes(await examined(undefined, silent, { RMAPI_GRPC_PACKAGE: 'example.api' }))).toEqual(['pass', 'pass'])
  const unknown = await examined(undefined, silent)
  expect(outcomes(unknown)).toEqual(['inconclusive', 'inconclusive'])
  expect(unknown.requirements[0]!.note).toContain('set RMAPI_GRPC_PACKAGE')
})

test('a FileDescriptorSet replaces the published definitions', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'descriptors-'))
  const file = join(folder, 'api.binpb')
  const protos = new URL('../../schemas/proto', import.meta.url).pathname
  execFileSync(new URL('../../node_modules/.bin/buf', import.meta.url).pathname, ['build', protos, '-o', file])

  expect(outcomes(await examined(undefined, () => ({}), { RMAPI_PROTO_DESCRIPTORS: file }))).toEqual(['pass', 'pass'])
})

test('over gRPC alone, nothing is examined where there is none', async () => {
  const refused = examined('http://127.0.0.1:1', () => ({}), { RMAPI_TRANSPORT: 'grpc' })

  await expect(refused).rejects.toThrow('http://127.0.0.1:1 does not serve gRPC (no HTTP/2)')
})

test('a fault that only gRPC shows is found, and its report holds no token', async () => {
  const agents = new Set<string>()
  const rules: Replacement = (contract) => ({
    grpcTransport(request, response, serve, at) {
      agents.add(String(request.headers['user-agent']))
      return contract.grpcTransport(request, response, serve, at)
    },
    group: (item, time, at) => ({ ...contract.group(item, time, at), ...(at.over && { description: 'other' }) }),
  })
  const report = await examined(undefined, rules)
  const row = report.requirements.find(({ id }) => id === 'grpc.get.same')!
  const calls = row.exchanges!.filter(({ request }) => request.headers['content-type'] === 'application/grpc')

  expect(row).toMatchObject({ outcome: 'fail', note: 'the description differs' })
  expect(calls.length).toBeGreaterThan(0)
  expect(calls[0]!.request.headers.authorization).toBe('Bearer $RMAPI_ACCESS_TOKEN')
  expect([...agents].filter((agent) => !/^rmapi-conformance\/.*\(run /.test(agent))).toEqual([])
  expect([...agents].join()).toContain('requirement grpc.get.same')
})

test('over TLS, ALPN leads to gRPC and to HTTP on one port', async ({ closing }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'))
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'key.pem']
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync('openssl', ['req', '-x509', ...key, '-out', 'cert.pem', '-days', '2', ...name], {
    cwd: folder,
    stdio: 'ignore',
  })
  const [cert, secret] = ['cert.pem', 'key.pem'].map((file) => readFileSync(join(folder, file), 'utf8'))
  const reference = await startReference({ tls: { cert: cert!, key: secret! } })
  const { target } = configFor(reference.baseUrl)
  const grpc = new Grpc({ ...target, apiVersion: 'v2beta1', ca: cert! }, { sent: 0 })
  closing.push(
    () => reference.close(),
    () => grpc.destroy(),
  )

  const call: Call = { operation: 'group.list', method: 'GET', path: '/iam/v2beta1/groups', query: { page_size: 1 } }
  const out = grpc.request(call, { header: `Bearer ${reference.accessToken}`, shown: '' })!
  const { status, bytes } = await out.carry!(out.headers)

  expect([status, JSON.parse(bytes.toString()).groups.length]).toEqual([200, 1])
})

const PATH = [process.env.PATH, join(homedir(), 'go/bin')].join(delimiter)
const hasGrpcurl = spawnSync('grpcurl', ['-version'], { env: { ...process.env, PATH } }).status === 0

test.runIf(hasGrpcurl)('grpcurl lists services and groups, and shows the details of a refusal', async ({ closing }) => {
  const reference = await startReference()
  closing.push(() => reference.close())
  const { host } = new URL(reference.baseUrl)
  const token = ['-H', `authorization: Bearer ${reference.accessToken}`]
  const { execFile } = await import('node:child_process')
  const grpcurl = (...args: string[]) =>
    new Promise<string>((resolve) => {
      execFile('grpcurl', ['-plaintext', ...args], { env: { ...process.env, PATH } }, (_error, out, err) =>
        resolve(out + err),
      )
    })
  const service = 'chainguard.platform.iam.v2beta1.GroupsService'
  const create = (name: string) =>
    grpcurl(
      ...token,
      '-d',
      JSON.stringify({ parent: reference.groupUid, group: { name } }),
      host,
      `${service}/CreateGroup`,
    )

  expect(await grpcurl(host, 'list')).toContain(service)
  expect(await create('by grpcurl')).toContain('"name": "by grpcurl"')
  expect(await grpcurl(...token, host, `${service}/ListGroups`)).toContain('by grpcurl')
  expect(await create('NO')).toMatch(/Code: InvalidArgument[\s\S]*google\.rpc\.BadRequest/)
})
