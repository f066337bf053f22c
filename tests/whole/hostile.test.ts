import {
  request as ask,
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { everything } from '../../cli/input/selections.ts'
import type { Values } from '../../helpers/settings/configuration.ts'
import { startReference } from '../../reference/embed.ts'
import { toConsole } from '../../reports/formats/console.ts'
import { toMarkdown } from '../../reports/formats/markdown.ts'
import type { Report } from '../../schemas/types.ts'
import { Refused, runSuite } from '../support/runs/built.ts'

const someUid = '3f2a9c0d1e4b5a6978c0d1e2f3a4b5c6d7e8f901'
const opened: (() => void)[] = []

afterAll(() => {
  for (const close of opened) close()
})

async function examine(listener: RequestListener, named: Values = {}) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  opened.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const values = {
    RMAPI_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    RMAPI_GROUP_UID: someUid,
    RMAPI_ACCESS_TOKEN: 'secret-token',
    ...named,
  }
  return runSuite({ values, selection: everything })
}

const always =
  (body: string, status = 200, type = 'application/json'): RequestListener =>
  (request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': type }).end(body)
  }

function halfABody(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-length': '100' }).write('{"groups":')
  setTimeout(() => response.destroy(), 5)
}

/** The musts about lists that hold. */
const listsPassedIn = ({ requirements }: Report) =>
  requirements
    .filter(({ id, level, outcome }) => level === 'must' && outcome === 'pass' && /(^|\.)list\./.test(id))
    .map(({ id }) => id)

/** Never conformant, and nothing of ours broke; a body that is cut off is the network's, and leaves it open. */
function expectNoCertificate({ report, exitCode }: Awaited<ReturnType<typeof runSuite>>, isCut = false): void {
  const broken = report.requirements.filter(({ outcome }) => outcome === 'error')

  expect(broken.map(({ id, note }) => `${id}: ${note}`)).toEqual([])
  expect(report.problems).toEqual([])
  expect(['nonconformant', 'undetermined', ...(isCut ? ['partial'] : [])]).toContain(report.verdict)
  // 5: what was not seen to be deleted is named
  expect([1, 3, ...(isCut ? [0, 5] : [])]).toContain(exitCode)
  expect(toConsole(report, false).length).toBeLessThan(500_000)
  expect(toMarkdown(report).length).toBeLessThan(3_000_000)
  expect(JSON.stringify(report).length).toBeLessThan(5_000_000)
}

/** Nothing where the address was refused for being plainly another; any other error goes on. */
function refused(error: unknown): undefined {
  if (!(error instanceof Refused) || !/this API is not there|no such group/.test(error.message)) throw error
}

const plurals = ['groups', 'identities', 'roles', 'roleBindings', 'repos', 'tags', 'advisories']
const emptyLists = Object.fromEntries(plurals.map((plural) => [plural, []]))
const listsOfNull = Object.fromEntries(plurals.map((plural) => [plural, [null]]))
const oneGroup = { uid: someUid, name: 'root', resourceLimits: {} }
const notFound = JSON.stringify({ code: 5, message: 'no', details: [] })

const bodies = [
  ['{}', always('{}')],
  ['[]', always('[]')],
  ['null', always('null')],
  ['nothing', always('')],
  ['empty lists', always(JSON.stringify({ ...emptyLists, totalCount: '0' }))],
  ['lists of null', always(JSON.stringify({ ...listsOfNull, uid: 'a', name: null }))],
  ['the same group', always(JSON.stringify(oneGroup))],
  ['an error with 200', always(notFound)],
  ['an error with 404', always(notFound, 404)],
  ['HTML with 500', always('<html><h1>Oops</h1></html>', 500, 'text/html')],
  ['HTML with 200', always('<html><h1>Welcome</h1></html>', 200, 'text/html')],
  ['half a body', halfABody],
] satisfies [string, RequestListener][]

describe.concurrent('a server that answers everything with', () => {
  test.each(bodies)('%s gets no certificate, and no list passes', async (_what, listener) => {
    const came = await examine(listener, { RMAPI_REGISTRY_GROUP_UID: someUid }).catch(refused)
    // what answers everything alike is another address
    if (came === undefined) return

    expectNoCertificate(came)
    expect(came.report.profiles.map(({ verdict }) => verdict)).not.toContain('conformant')
    expect(listsPassedIn(came.report)).toEqual([])
  })
})

test.each([401, 403])('a server that answers everything with %i is not examined at all', async (status) => {
  await expect(examine(always('{}', status))).rejects.toThrow(Refused)
})

test('a server that hangs up on everything does not answer', async () => {
  const hangUp: RequestListener = (request) => request.socket.destroy()

  await expect(examine(hangUp)).rejects.toThrow(/does not answer: .*RMAPI_BASE_URL/)
})

const isCreate = ({ method }: IncomingMessage) => method === 'POST'
const isList = ({ method, url = '' }: IncomingMessage) => method === 'GET' && /\/[a-zA-Z]+(\?|$)/.test(url)

function allButEveryTenth(): () => boolean {
  let calls = 0
  return () => ++calls % 10 !== 0
}

// what is honest lets a case come further, to where the garbage is
describe.concurrent.each<[string, () => (request: IncomingMessage) => boolean]>([
  ['Create', () => isCreate],
  ['Create and List', () => (request) => isCreate(request) || isList(request)],
  ['all but List', () => (request) => !isList(request)],
  ['all but every tenth call', allButEveryTenth],
])('a server of which %s is honest', (_what, honesty) => {
  test.concurrent.each<[string, RequestListener]>([
    ['{}', always('{}')],
    ['HTML with 500', always('<html><h1>Oops</h1></html>', 500, 'text/html')],
    ['half a body', halfABody],
  ])('and that answers %s else gets no certificate', async (_garbage, listener) => {
    const { baseUrl, groupUid, accessToken, close } = await startReference()
    opened.push(() => void close())
    const isHonest = honesty()
    const mixed: RequestListener = (request, response) => {
      if (isHonest(request)) forward(request, response, baseUrl)
      else listener(request, response)
    }

    const named = { RMAPI_GROUP_UID: groupUid, RMAPI_ACCESS_TOKEN: accessToken }
    const came = await examine(mixed, named).catch(refused)
    if (came) expectNoCertificate(came, listener === halfABody)
  })
})

function forward(request: IncomingMessage, response: ServerResponse, baseUrl: string): void {
  const { method, headers, url } = request
  const onward = ask(baseUrl + url, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers)
    answer.pipe(response)
  })
  request.pipe(onward.once('error', () => response.destroy()))
}
