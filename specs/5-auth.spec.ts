import { expect } from 'vitest'
import { type KindName, kinds, listedKinds } from '../helpers/api/kinds.ts'
import { outcomeOf, refused } from '../helpers/assertions/refused.ts'
import { asPassword, type BadCredentialName, badCredentials, spoil } from '../helpers/auth/invalid-credentials.ts'
import { trespass } from '../helpers/auth/unauthorized-calls.ts'
import { requirement } from '../helpers/case/requirement.ts'
import { type Call, succeeded } from '../helpers/http/call.ts'

const suffix = (kind: KindName) => (kind === 'groups' ? '' : `@${kind}`)

/** The plural of a kind as words: 'role bindings'. */
const many = (kind: KindName) => kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const capitalized = (word: string) => `${word[0]!.toUpperCase()}${word.slice(1)}`

/** The bad credentials in words, and where the contract names them. */
const credentials: Record<Exclude<BadCredentialName, 'no-header'>, { words: string; quote: string }> = {
  'in-query': { words: 'a token in the query', quote: 'no header (wherever else the token may stand)' },
  'in-other-headers': { words: 'a token in another header', quote: 'no header (wherever else the token may stand)' },
  'empty-token': { words: 'an empty token', quote: 'an empty token, garbage, a token cut short or altered' },
  garbage: { words: 'a garbage token', quote: 'an empty token, garbage, a token cut short or altered' },
  'cut-short': { words: 'a truncated token', quote: 'a token cut short or altered' },
  extended: { words: 'a token with extra characters', quote: 'a token cut short or altered' },
  altered: { words: 'an altered token', quote: 'a token cut short or altered' },
  'other-signer': { words: 'a token signed by another key', quote: 'a token of another signer or of none' },
  'unknown-key': { words: 'a token signed by an unknown key', quote: 'a token of another signer or of none' },
  unsigned: { words: 'an unsigned token', quote: 'a token of another signer or of none' },
  bare: { words: 'a token without a scheme', quote: 'the token without a scheme, another scheme' },
  'other-scheme': { words: 'a token in another scheme', quote: 'the token without a scheme, another scheme' },
}

/** The calls with the token in their bodies, as in an OAuth form. */
const withBody = (calls: readonly Call[] = [], token: string): Call[] =>
  calls.map((call) => ({ ...call, body: { ...(call.body as object), access_token: token } }))

for (const kind of listedKinds) {
  for (const operation of kinds[kind].offered) {
    requirement(
      {
        id: `auth.required.${operation}${suffix(kind)}`,
        level: 'must',
        statement: 'S5.1, R39',
        quote: 'No call goes without `Authorization: Bearer` and a token',
        says: `${capitalized(operation)} of ${many(kind)} without an Authorization header is refused without effect`,
        profile: kinds[kind].listed.profile,
      },
      async ({ premisesOf, trespassing, atLeast }) => {
        const premises = await premisesOf(kind)

        const controlCalls = await trespass({ ...trespassing, premises, reopen: () => premisesOf(kind) }, 'no-header', [
          operation,
        ])

        atLeast(1, 'calls that succeed with the good token and fail without one', controlCalls)
      },
    )
  }

  for (const [name, { words, quote }] of Object.entries(credentials)) {
    requirement(
      {
        id: `auth.refuses.${name}${suffix(kind)}`,
        level: 'must',
        statement: 'S5.1, R39',
        quote,
        says: `Every operation on ${many(kind)} refuses ${words}, without effect`,
        profile: kinds[kind].listed.profile,
      },
      async ({ premisesOf, trespassing, atLeast }) => {
        const premises = await premisesOf(kind)

        const controlCalls = await trespass(
          { ...trespassing, premises, reopen: () => premisesOf(kind) },
          name as BadCredentialName,
        )

        atLeast(1, 'calls that succeed with the good token and fail without one', controlCalls)
      },
    )
  }
}

requirement(
  {
    id: 'auth.refuses.as-password',
    level: 'must',
    statement: 'S5.1, R39',
    quote: 'the token without a scheme, another scheme',
    says: 'Every operation refuses the token as a Basic password, without effect',
  },
  async ({ run, premisesOf, trespassing, atLeast }) => {
    const bad = asPassword(await run.tokens.value(), run.secrets)
    const premises = await premisesOf('groups')
    const sending = { ...trespassing, premises, reopen: () => premisesOf('groups'), bad }

    const controlCalls = await trespass(sending, 'as-password')

    atLeast(1, 'calls that succeed with the good token and fail without one', controlCalls)
  },
)

requirement(
  {
    id: 'auth.refuses.in-body',
    level: 'must',
    statement: 'S5.1, R39',
    quote: 'no header (wherever else the token may stand)',
    says: 'Create and Update refuse a token in the body, without effect',
  },
  async ({ run, premisesOf, trespassing, atLeast }) => {
    const token = await run.tokens.value()
    const premises = await premisesOf('groups')
    const { create, update } = premises.calls
    const calls = { ...premises.calls, create: withBody(create, token), update: withBody(update, token) }
    const bad = await badCredentials['no-header']()
    const sending = {
      ...trespassing,
      premises: { ...premises, calls },
      reopen: () => premisesOf('groups'),
      bad,
    }

    const controlCalls = await trespass(sending, 'in-body')

    atLeast(1, 'calls that succeed with the good token and fail without one', controlCalls)
  },
)

requirement(
  {
    id: 'auth.one-connection',
    level: 'must',
    statement: 'S5.1, R39',
    quote: 'No call goes without `Authorization: Bearer` and a token',
    says: 'Alternating good and bad credentials on one connection are each judged on their own',
  },
  async ({ run, narrowClient, premisesOf, trespassing }) => {
    const { calls, thing } = await premisesOf('groups')
    const call = calls.get![0]!
    const token = await run.tokens.value()
    const bad = await Promise.all(
      (['cut-short', 'no-header', 'altered', 'garbage'] as const).map((name) =>
        badCredentials[name](token, run.secrets),
      ),
    )

    for (const credential of bad) {
      const good = await narrowClient.send(call, trespassing.log)
      expect(good.json, 'the answer to the good token').toMatchObject({ uid: thing.uid })
      refused(
        await narrowClient.send(spoil(call, credential), trespassing.log),
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
    quote: 'whatever its parameters and whatever else is in flight',
    says: 'Simultaneous calls succeed with a good token and are refused with a bad one',
  },
  async ({ run, premisesOf, trespassing }) => {
    const { calls } = await premisesOf('groups')
    const token = await run.tokens.value()
    const bad = await Promise.all(
      (['cut-short', 'no-header', 'other-signer'] as const).map((name) => badCredentials[name](token, run.secrets)),
    )
    const mixed = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? undefined : bad[index % 3]))

    const answers = await Promise.all(
      mixed.map((credential, index) => {
        const call = [calls.get![0]!, calls.list![0]!][index % 4 < 2 ? 0 : 1]!
        return run.client.send(credential ? spoil(call, credential) : call, trespassing.log)
      }),
    )

    expect(answers.map(succeeded), 'which calls succeed').toEqual(mixed.map((credential) => credential === undefined))
  },
)

requirement(
  {
    id: 'auth.status',
    level: 'should',
    statement: 'S5.1, R39',
    quote: 'A status of 401 or 403 is _should_',
    says: 'A missing or bad credential gets status 401 or 403',
  },
  async ({ run, premisesOf, trespassing }) => {
    const { calls } = await premisesOf('groups')
    const token = await run.tokens.value()
    const bad = await Promise.all(
      (['no-header', 'garbage', 'altered'] as const).map((name) => badCredentials[name](token, run.secrets)),
    )

    const answers = await Promise.all(
      bad.flatMap((credential) =>
        [calls.get![0]!, calls.list![0]!].map((call) => run.client.send(spoil(call, credential), trespassing.log)),
      ),
    )

    expect(
      answers.map(({ status }) => status).filter((status) => status !== 401 && status !== 403),
      'statuses other than 401 and 403',
    ).toEqual([])
  },
)

requirement(
  {
    id: 'auth.answer',
    level: 'observe',
    statement: 'S5.1, R39',
    quote: 'The scheme as `bearer` in lower case: _observe_',
    says: 'How a missing credential, a lower-case scheme and an unauthenticated bad create are answered',
  },
  async ({ run, api, scratch, trespassing, premisesOf, observe }) => {
    const call = (await premisesOf('groups')).calls.get![0]!
    const token = await run.tokens.value()
    const none = { shown: 'none' }

    const missing = await run.client.send({ ...call, credential: none }, trespassing.log)
    const lower = await run.client.send(
      { ...call, credential: { header: `bearer ${token}`, shown: 'bearer $RMAPI_ACCESS_TOKEN' } },
      trespassing.log,
    )
    const bad = await api.attempt.groups.create(scratch.uid, {}, { credential: none })

    const challenge =
      missing.headers['www-authenticate'] === undefined ? 'no WWW-Authenticate' : 'with WWW-Authenticate'
    observe(
      `missing: ${outcomeOf(missing)}, ${challenge}; lower-case bearer: ${outcomeOf(lower)}; missing on a bad create: ${outcomeOf(bad)}`,
    )
  },
)
