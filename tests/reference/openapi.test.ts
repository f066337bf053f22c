import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KindName, kinds as kindsOfSuite } from '../../helpers/api/kinds.ts'
import { openIssuer } from '../../helpers/sts/issuer.ts'
import { kinds } from '../../reference/domain/kinds.ts'
import {
  type Described,
  operations,
  problemsOfAnswer,
  problemsOfBody,
  problemsOfSchema,
  queryOf,
} from '../support/openapi/reading.ts'
import { type Body, referenceWithCalls } from '../support/runs/reference-calls.ts'

const { reference, call, group, identity, roleUid } = await referenceWithCalls()
const issuer = await openIssuer()
afterAll(() => Promise.all([reference.close(), issuer.close()]))

let made = 0
const name = () => `made${++made}`
const matching = () => ({ issuer: issuer.name, subject: name() })

/** What one of each kind is created from; of the other kinds the reference makes none. */
const bodies: Partial<Record<KindName, () => Promise<object>>> = {
  groups: async () => ({ name: name() }),
  identities: async () => ({ name: name(), claimMatch: matching() }),
  roleBindings: async () => ({ identityUid: await identity(reference.groupUid), roleUid: await roleUid() }),
  identityProviders: async () => ({ name: name(), oidc: { issuer: issuer.name, clientId: name() } }),
  accountAssociations: async () => ({ name: name() }),
  groupInvites: async () => ({ roleUid: await roleUid() }),
}

const exchange = operations.find(({ operationId }) => operationId === 'exchangeToken')!
const onKinds = operations.filter((operation) => operation !== exchange)
const lists = onKinds.filter(({ operationId }) => operationId.startsWith('list'))

const kindOf = ({ path }: Described) => path.split('/')[3] as KindName
const verbOf = ({ operationId }: Described) => /^[a-z]+/.exec(operationId)![0]
const isOffered = (operation: Described) => kinds[kindOf(operation)].operations.some((one) => one === verbOf(operation))
const rootOf = (operation: Described) =>
  kindsOfSuite[kindOf(operation)].family === 'iam' ? reference.groupUid : reference.registryGroupUid

const send = ({ method }: Described, path: string, sent: object = {}) => call(method.toUpperCase(), path, sent)
const at = ({ path }: Described, uid: string) => path.replace(/\{\w+\}/, uid)

/** The uid of one of the operation's kind: a new one where one can be made. */
async function someUid(operation: Described): Promise<string> {
  const collection = operation.path.replace('/v1/', '/v2beta1/').replace(/\/\{\w+\}/, '')
  const body = await bodies[kindOf(operation)]?.()
  if (body) return (await call('POST', `${collection}/${reference.groupUid}`, { body })).body.uid
  return (await call('GET', collection)).body[kindOf(operation)][0].uid
}

/** A good call, by the verb of the operation: its path, and the body that it needs. */
const goodCalls: Record<string, (operation: Described) => Promise<[path: string, body?: object]>> = {
  list: async (operation) => [operation.path],
  get: async (operation) => [at(operation, await someUid(operation))],
  create: async (operation) => [at(operation, await group()), (await bodies[kindOf(operation)]?.()) ?? {}],
  update: async (operation) => [at(operation, await someUid(operation)), { name: name(), description: 'changed' }],
  delete: async (operation) => [at(operation, await someUid(operation))],
}

/** The same answer with a number in place of each string, and not empty where it was. */
function doctored({ status, body }: { status: number; body: Body }) {
  const full = Object.keys(body).length === 0 ? { uid: '' } : body
  return { status, text: JSON.stringify(full, (_, value) => (typeof value === 'string' ? 7 : value)) }
}

beforeAll(async () => {
  for (const [kind, body] of Object.entries(bodies))
    await call('POST', `/iam/v2beta1/${kind}/${reference.groupUid}`, { body: await body() })
})

describe.each(onKinds)('$operationId', (operation) => {
  test('is answered as the document says, and not otherwise', async () => {
    const [path, body] = await goodCalls[verbOf(operation)]!(operation)
    const answer = await send(operation, path, { body })

    expect(body === undefined ? [] : problemsOfBody(operation, body)).toEqual([])
    expect(String(answer.status), answer.text).toMatch(isOffered(operation) ? /^2/ : /^405$/)
    expect(problemsOfAnswer(operation, answer), answer.text).toEqual([])
    expect(problemsOfAnswer(operation, doctored(answer)), doctored(answer).text).not.toEqual([])
  })

  test('is refused as the document says, and not otherwise', async () => {
    const twice = '?uidp.descendants_of=a&uidp.descendants_of=b'
    const wrong = await send(operation, `${at(operation, '%FF')}${twice}`, { body: {} })
    const without = await send(operation, at(operation, reference.groupUid), { token: undefined })

    expect([400, 405]).toContain(wrong.status)
    expect(problemsOfAnswer(operation, wrong), wrong.text).toEqual([])
    expect(problemsOfAnswer(operation, doctored(wrong)), doctored(wrong).text).not.toEqual([])
    expect(without.status).toBe(401)
    expect(problemsOfAnswer(operation, without)).toEqual([])
  })
})

test.each(lists)('$operationId takes each parameter that the document has', async (operation) => {
  const root = rootOf(operation)
  const { named, dated } = kindsOfSuite[kindOf(operation)]
  const page = (query: string) => call('GET', `${operation.path}?${query}`)
  const first = await page(`uidp.descendants_of=${operation.operationId === 'listRoles' ? '' : root}&page_size=1`)
  const values: Record<string, string> = {
    'uidp.descendants_of': root,
    'uidp.children_of': root,
    name: named ? name() : '',
    page_size: '2',
    page_token: encodeURIComponent(first.body.nextPageToken ?? ''),
    order_by: encodeURIComponent(dated ? 'created_at desc' : 'name'),
    skip: '1',
  }

  for (const parameter of queryOf(operation)) {
    const answer = await page(`${parameter}=${values[parameter]}`)

    expect(answer.status, parameter).toBe(200)
    expect(problemsOfAnswer(operation, answer), parameter).toEqual([])
  }
})

test('an identity token is exchanged as the document says, and not otherwise', async () => {
  const [claimMatch, now] = [matching(), Math.floor(reference.world.now() / 1000)]
  const body = { name: name(), claimMatch }
  const { uid } = (await call('POST', `/iam/v2beta1/identities/${reference.groupUid}`, { body })).body
  const claims = { iss: issuer.name, sub: claimMatch.subject, aud: reference.baseUrl, iat: now, exp: now + 600 }
  const path = `${exchange.path}?aud=${encodeURIComponent(reference.baseUrl)}&identity=${uid}`
  const [answer, refused] = await Promise.all([
    send(exchange, path, { token: await issuer.sign(claims) }),
    send(exchange, path, { token: undefined }),
  ])

  expect(queryOf(exchange)).toEqual(['aud', 'identity'])
  expect([answer.status, refused.status]).toEqual([200, 401])
  expect(problemsOfAnswer(exchange, answer)).toEqual([])
  expect(problemsOfAnswer(exchange, doctored(answer))).not.toEqual([])
  expect(problemsOfAnswer(exchange, refused)).toEqual([])
})

test('what the reference offers is in the document', () => {
  const offered = Object.entries(kinds).flatMap(([kind, { operations: own }]) => own.map((one) => `${one} ${kind}`))
  const inV2 = onKinds.filter(({ path }) => path.includes('/v2beta1/'))

  expect(offered.length).toBeGreaterThan(30)
  expect(inV2.map((operation) => `${verbOf(operation)} ${kindOf(operation)}`)).toEqual(expect.arrayContaining(offered))
})

test('the errors of a bad name and of a group with content fit their own schemas', async () => {
  const parent = await group()
  await group(parent)
  const [badName, notEmpty] = await Promise.all([
    call('POST', `/iam/v2beta1/groups/${parent}`, { body: { name: 'A' } }),
    call('DELETE', `/iam/v2beta1/groups/${parent}`),
  ])

  expect(problemsOfSchema('InvalidNameError', badName.text)).toEqual([])
  expect(problemsOfSchema('NotEmptyError', notEmpty.text)).toEqual([])
  expect(problemsOfSchema('NotEmptyError', badName.text)).not.toEqual([])
})
