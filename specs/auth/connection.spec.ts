import { expect } from 'vitest'
import { sideBySide } from '../../helpers/arrange/observed.ts'
import { accepted, outcomeOf, refused } from '../../helpers/assertions/refused.ts'
import { discloses } from '../../helpers/auth/disclosure.ts'
import { badCredentials, spoil } from '../../helpers/auth/invalid-credentials.ts'
import { inOtherShapes } from '../../helpers/auth/path-shapes.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { type Call, noCredential, succeeded } from '../../helpers/http/call.ts'
import { isConflict } from '../../helpers/http/conflicts.ts'

requirement(
  {
    id: 'auth.one-connection',
    over: 'http',
    level: 'must',
    statement: 'S5.1, R39',
    quote: 'No call goes without `Authorization: Bearer` and a token',
    restsOn: ['auth.refuses.other-signer'],
    says: 'Alternating good and bad credentials on one connection are each judged on their own',
  },
  async ({ run, narrowClient, operationCallsOf, authContext, eventually }) => {
    const { calls, thing } = await operationCallsOf('groups')
    const call = calls.get![0]!
    const token = await run.tokens.value()
    const bad = await Promise.all(
      (['cut-short', 'no-header', 'altered', 'garbage'] as const).map((name) =>
        badCredentials[name](token, run.secrets),
      ),
    )

    for (const credential of bad) {
      await eventually(async () => {
        const good = await narrowClient.send(call, authContext.log)
        accepted(good, 'the good token')
        expect(good.json, 'the answer to the good token').toMatchObject({ uid: thing.uid })
      })
      refused(
        await narrowClient.send(spoil(call, credential), authContext.log),
        'a bad credential after a good one on the same connection',
      )
    }
  },
)

requirement(
  {
    id: 'auth.in-parallel',
    level: 'must',
    statement: 'S5.1, R39',
    quote: 'No call goes without `Authorization: Bearer` and a token',
    restsOn: ['auth.refuses.other-signer'],
    says: 'Simultaneous calls succeed with a good token and are refused with a bad one',
  },
  async ({ run, operationCallsOf, authContext, eventually }) => {
    const { calls } = await operationCallsOf('groups')
    const [get, list] = [calls.get![0]!, calls.list![0]!]
    const send = (call: Call) => run.client.send(call, authContext.log)
    await eventually(async () => accepted(await send(get), 'the good token'))
    const token = await run.tokens.value()
    const names = ['cut-short', 'no-header', 'other-signer'] as const
    const bad = await Promise.all(names.map((name) => badCredentials[name](token, run.secrets)))
    const pairs = [
      { call: get, bad: bad[1]! },
      { call: list, bad: bad[0]! },
      { call: list, bad: bad[2]! },
    ]
    const rounds = [...pairs, ...pairs, ...pairs, ...pairs]

    const answers = await Promise.all(
      rounds.map(async ({ call, bad }) => {
        const [good, spoilt] = await Promise.all([send(call), send(spoil(call, bad))])
        return { good, spoilt }
      }),
    )

    for (const { spoilt } of answers) refused(spoilt, 'a bad credential beside good ones')
    for (const { good } of answers) accepted(good, 'the good token beside bad ones')
  },
)

requirement(
  {
    id: 'auth.status',
    level: 'should',
    statement: 'S5.1, R39',
    quote: 'No call goes without `Authorization: Bearer` and a token',
    restsOn: ['auth.refuses.other-signer'],
    says: 'A missing or bad credential gets status 401 or 403',
  },
  async ({ run, api, v1, scratch, operationCallsOf, authContext }) => {
    const { calls } = await operationCallsOf('groups')
    const token = await run.tokens.value()
    const bad = await Promise.all(
      (['no-header', 'garbage', 'altered'] as const).map((name) => badCredentials[name](token, run.secrets)),
    )

    const answers = await Promise.all([
      ...bad.flatMap((credential) =>
        [calls.get![0]!, calls.list![0]!].map((call) => run.client.send(spoil(call, credential), authContext.log)),
      ),
      api.attempt.roles.list({}, noCredential),
    ])
    const [known, unknown] = await Promise.all([
      v1.attempt.list(scratch.children),
      v1.attempt.list(scratch.children, noCredential),
    ])
    // v1 may take no scope (R44)
    const inV1 = [unknown].filter(() => succeeded(known))

    const others = [...answers, ...inV1].filter(({ status }) => status !== 401 && status !== 403)
    const [where = ''] = others.map(({ exchange }) => `, in exchange ${exchange.number}`)
    expect(
      others.map(({ status }) => status),
      `statuses other than 401 and 403${where}`,
    ).toEqual([])
  },
)

requirement(
  {
    id: 'auth.answer',
    level: 'observe',
    statement: 'S5.1, R39',
    quote: 'No call goes without `Authorization: Bearer` and a token',
    says: 'How a missing credential, a lower-case scheme and an unauthenticated bad create are answered',
  },
  async ({ run, api, scratch, authContext, operationCallsOf, observe }) => {
    const call = (await operationCallsOf('groups')).calls.get![0]!
    const token = await run.tokens.value()

    const missing = await run.client.send({ ...call, credential: noCredential }, authContext.log)
    const lower = await run.client.send(
      { ...call, credential: { header: `bearer ${token}`, shown: 'bearer $RMAPI_ACCESS_TOKEN' } },
      authContext.log,
    )
    const bad = await api.attempt.groups.create(scratch.uid, {}, { credential: noCredential })

    const challenge =
      missing.headers['www-authenticate'] === undefined ? 'no WWW-Authenticate' : 'with WWW-Authenticate'
    observe(
      `missing: ${outcomeOf(missing)}, ${challenge}; lower-case bearer: ${outcomeOf(lower)}; missing on a bad create: ${outcomeOf(bad)}`,
    )
  },
)

requirement(
  {
    id: 'auth.refuses.path-shapes',
    over: 'http',
    level: 'must',
    statement: 'S5.1, R39',
    quote: 'No call goes without `Authorization: Bearer` and a token',
    says: 'Without a good token, no other spelling of a path shows a group',
  },
  async ({ run, operationCallsOf, authContext, atLeast }) => {
    const token = await run.tokens.value()
    const operationCalls = await operationCallsOf('groups')
    const [get, list] = [operationCalls.calls.get![0]!, operationCalls.calls.list![0]!]
    const [none, ...bad] = await Promise.all(
      (['no-header', 'garbage', 'altered', 'in-query'] as const).map((name) =>
        badCredentials[name](token, run.secrets),
      ),
    )
    const twin = await run.client.send(get, authContext.log)
    const calls = [get, list]
      .flatMap((call) => inOtherShapes(call))
      .flatMap((call, index) => [none!, bad[index % bad.length]!].map((one) => spoil(call, one)))

    const answers = await Promise.all(calls.map((call) => run.client.send(call, authContext.log)))

    const open = answers.filter((answer, index) => discloses(operationCalls, answer, calls[index]!))
    expect(
      open.map(({ exchange }) => exchange.request.url),
      'paths that show the group to anybody',
    ).toEqual([])
    atLeast(1, 'groups that the good token shows', discloses(operationCalls, twin, get) ? 1 : 0)
  },
)

requirement(
  {
    id: 'auth.first',
    over: 'http',
    level: 'should',
    statement: 'S5.1, R39',
    quote: 'No call goes without `Authorization: Bearer` and a token',
    restsOn: ['auth.refuses.other-signer'],
    says: 'An unauthenticated call with other mistakes gets status 401 or 403',
  },
  async ({ run, api, scratch }) => {
    const unknown = run.journal.lend(`${scratch.uid}/00000000000000aa`)
    const { groups } = api.attempt

    // not beside the other create in the same group, which may conflict with it
    const nameless = await groups.create(scratch.uid, {}, { credential: noCredential })
    const answers = await Promise.all([
      nameless,
      groups.create(scratch.uid, { raw: '{' }, { credential: noCredential }),
      groups.create(unknown, { name: '@' }, { credential: noCredential }),
      groups.get(unknown, { credential: noCredential }),
      groups.update(scratch.uid, { name: '@' }, { credential: noCredential }),
      groups.delete(unknown, { credential: noCredential }),
      groups.list({ ...scratch.children, page_size: 'x' }, noCredential),
      api.attempt.identities.create(scratch.uid, {}, { credential: noCredential }),
      api.attempt.roleBindings.create(scratch.uid, {}, { credential: noCredential }),
    ])

    // a conflict with another call may be answered before the token is checked
    const judged = answers.filter((answer) => !isConflict(answer))
    const outcomes = judged.map(({ status, exchange }) => `${exchange.operation}: ${status}`)
    expect(
      outcomes.filter((text) => !/40[13]$/.test(text)),
      'statuses other than 401 and 403',
    ).toEqual([])
  },
)

requirement(
  {
    id: 'auth.two-tokens',
    over: 'http',
    level: 'observe',
    statement: 'S5.1, R39',
    quote: 'No call goes without `Authorization: Bearer` and a token',
    says: 'How two credentials in one header are answered, in either order',
  },
  async ({ run, api, scratch, observe }) => {
    const good = `Bearer ${await run.tokens.value()}`
    const get = (header: string, shown: string) =>
      api.attempt.groups.get(scratch.uid, { credential: { header, shown } })

    observe(
      await sideBySide({
        'good first': get(`${good}, Bearer garbage`, 'Bearer $RMAPI_ACCESS_TOKEN, Bearer garbage'),
        'good last': get(`Bearer garbage, ${good}`, 'Bearer garbage, Bearer $RMAPI_ACCESS_TOKEN'),
      }),
    )
  },
)
