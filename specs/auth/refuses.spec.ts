import { isOfRegistry, type KindName, kinds, listedKinds } from '../../helpers/api/kinds.ts'
import { asPassword, type BadCredentialName, badCredentials } from '../../helpers/auth/invalid-credentials.ts'
import { callUnauthorized } from '../../helpers/auth/unauthorized-calls.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import type { Call } from '../../helpers/http/call.ts'

const suffix = (kind: KindName) => (kind === 'groups' ? '' : `@${kind}`)

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

for (const kind of listedKinds) {
  for (const operation of kinds[kind].offered) {
    requirement(
      {
        id: `auth.required.${operation}${suffix(kind)}`,
        level: 'must',
        statement: 'S5.1, R39',
        quote: 'No call goes without `Authorization: Bearer` and a token',
        says: `${capitalized(operation)} of ${kinds[kind].label.many} without an Authorization header is refused without effect`,
        profile: kinds[kind].listed.profile,
      },
      async ({ operationCallsOf, authContext, atLeast }) => {
        const operationCalls = await operationCallsOf(kind)

        const controlCalls = await callUnauthorized(
          { ...authContext, operationCalls, reopen: () => operationCallsOf(kind) },
          'no-header',
          [operation],
        )

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
        says: `Every operation on ${kinds[kind].label.many} refuses ${words}, without effect`,
        profile: kinds[kind].listed.profile,
      },
      async ({ operationCallsOf, authContext, atLeast }) => {
        const operationCalls = await operationCallsOf(kind)

        const controlCalls = await callUnauthorized(
          { ...authContext, operationCalls, reopen: () => operationCallsOf(kind) },
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
  async ({ run, operationCallsOf, authContext, atLeast }) => {
    const bad = asPassword(await run.tokens.value(), run.secrets)
    const operationCalls = await operationCallsOf('groups')
    const sending = { ...authContext, operationCalls, reopen: () => operationCallsOf('groups'), bad }

    const controlCalls = await callUnauthorized(sending, 'as-password')

    atLeast(1, 'calls that succeed with the good token and fail without one', controlCalls)
  },
)

/** The calls with the token in their bodies, as in an OAuth form. */
const withBody = (calls: readonly Call[] = [], token: string): Call[] =>
  calls.map((call) => ({ ...call, body: { ...(call.body as object), access_token: token } }))

requirement(
  {
    id: 'auth.refuses.in-body',
    level: 'must',
    statement: 'S5.1, R39',
    quote: 'no header (wherever else the token may stand)',
    says: 'Create and Update refuse a token in the body, without effect',
  },
  async ({ run, operationCallsOf, authContext, atLeast }) => {
    const token = await run.tokens.value()
    const operationCalls = await operationCallsOf('groups')
    const { create, update } = operationCalls.calls
    const calls = { ...operationCalls.calls, create: withBody(create, token), update: withBody(update, token) }
    const bad = await badCredentials['no-header']()
    const sending = {
      ...authContext,
      operationCalls: { ...operationCalls, calls },
      reopen: () => operationCallsOf('groups'),
      bad,
    }

    const controlCalls = await callUnauthorized(sending, 'in-body')

    atLeast(1, 'calls that succeed with the good token and fail without one', controlCalls)
  },
)

const profile = 'sts'

for (const kind of listedKinds) {
  requirement(
    {
      id: `auth.refuses.identity-token${kind === 'groups' ? '' : `@${kind}`}`,
      level: 'must',
      statement: 'S5.1, S5.3, R39',
      quote: 'an identity token that was not exchanged',
      says: `Every operation on ${kinds[kind].label.many} refuses an unexchanged identity token, without effect`,
      profile: isOfRegistry(kind) ? kinds[kind].listed.profile : profile,
    },
    async ({ operationCallsOf, authContext, identityToken: bad, atLeast }) => {
      const operationCalls = await operationCallsOf(kind)

      const controlCalls = await callUnauthorized(
        { ...authContext, operationCalls, reopen: () => operationCallsOf(kind), bad },
        'identity-token',
      )

      atLeast(1, 'calls that succeed with the good token', controlCalls)
    },
  )
}

// authentication in v1
for (const operation of ['list', 'get', 'create', 'update', 'delete'] as const) {
  requirement(
    {
      id: `auth.required.${operation}@v1`,
      level: 'must',
      statement: 'S5.9, S5.1, R39',
      quote: 'calls to v1 need the same header',
      says: `${operation[0]!.toUpperCase()}${operation.slice(1)} in v1 without an Authorization header is refused without effect`,
      profile: 'v1',
    },
    async ({ v1OperationCalls, authContext, atLeast }) => {
      const controlCalls = await callUnauthorized(
        { ...authContext, operationCalls: await v1OperationCalls(), reopen: v1OperationCalls },
        'no-header',
        [operation],
      )

      atLeast(1, 'calls that succeed with the good token and fail without one', controlCalls)
    },
  )
}

for (const name of Object.keys(badCredentials).filter((bad) => bad !== 'no-header') as BadCredentialName[]) {
  requirement(
    {
      id: `auth.refuses.${name}@v1`,
      level: 'must',
      statement: 'S5.9, S5.1, R39',
      quote: 'calls to v1 need the same header',
      says: `Every v1 operation refuses a bad credential, without effect: ${name.replaceAll('-', ' ')}`,
      profile: 'v1',
    },
    async ({ v1OperationCalls, authContext, atLeast }) => {
      const controlCalls = await callUnauthorized(
        { ...authContext, operationCalls: await v1OperationCalls(), reopen: v1OperationCalls },
        name,
      )

      atLeast(1, 'calls that succeed with the good token and fail without one', controlCalls)
    },
  )
}
