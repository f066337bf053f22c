import { type BadCredentialName, badCredentials, inOtherForms } from '../../helpers/auth/invalid-credentials.ts'
import { servedInV1 } from '../../helpers/auth/operation-calls.ts'
import { callUnauthorized } from '../../helpers/auth/unauthorized-calls.ts'
import { requirement } from '../../helpers/case/requirement.ts'

for (const operation of ['list', 'get', 'create', 'update', 'delete'] as const) {
  requirement(
    {
      id: `auth.required.${operation}@v1`,
      level: 'must',
      statement: 'S5.9, S5.1, R39',
      quote: 'calls to v1 need the same header',
      restsOn: ['auth.required.get'],
      says: `${operation[0]!.toUpperCase()}${operation.slice(1)} in v1 without an Authorization header is refused without effect`,
      profile: 'v1',
    },
    async ({ inTurn, atLeast }) => {
      const controlCalls = await inTurn('v1', (trespass) => callUnauthorized(trespass, 'no-header', [operation]))

      atLeast(1, 'calls that succeed with the good token and fail without one', controlCalls)
    },
  )
}

requirement(
  {
    id: 'auth.required.others@v1',
    level: 'must',
    statement: 'S5.9, S5.1, R39',
    quote: 'calls to v1 need the same header',
    says: 'Identities, roles and bindings, where v1 shows any, are refused without an Authorization header',
    profile: 'identities',
  },
  async ({ operationCallsOf, authContext, atLeast }) => {
    const opened = await Promise.all((['identities', 'roles', 'roleBindings'] as const).map(operationCallsOf))
    const served = await servedInV1(opened, authContext)

    const controlCalls = await Promise.all(
      served.map((operationCalls) =>
        callUnauthorized({ ...authContext, operationCalls, reopen: async () => operationCalls }, 'no-header'),
      ),
    )

    atLeast(
      served.length,
      'kinds whose reads succeed with the good token',
      controlCalls.filter((count) => count > 0).length,
    )
  },
)

for (const name of Object.keys(badCredentials).filter((bad) => bad !== 'no-header') as BadCredentialName[]) {
  requirement(
    {
      id: `auth.refuses.${name}@v1`,
      level: 'must',
      statement: 'S5.9, S5.1, R39',
      quote: 'calls to v1 need the same header',
      restsOn: ['auth.required.get', ...(name === 'other-signer' ? [] : ['auth.refuses.other-signer'])],
      says: `Every v1 operation refuses a bad credential, without effect: ${name.replaceAll('-', ' ')}`,
      profile: 'v1',
    },
    async ({ inTurn, atLeast }) => {
      const controlCalls = await inTurn('v1', (trespass) => callUnauthorized(trespass, name))

      atLeast(1, 'calls that succeed with the good token and fail without one', controlCalls)
    },
  )
}

requirement(
  {
    id: 'auth.refuses.other-forms@v1',
    level: 'must',
    statement: 'S5.9, S5.1, R39',
    quote: 'calls to v1 need the same header',
    says: 'Operations of v1 refuse a token under schemes other than Bearer, without effect',
    profile: 'v1',
  },
  async ({ run, inTurn, atLeast }) => {
    const bad = inOtherForms(await run.tokens.value(), run.secrets)

    const controlCalls = await inTurn('v1', (trespass) => callUnauthorized({ ...trespass, bad }, 'other-forms'))

    atLeast(1, 'calls that succeed with the good token and fail without one', controlCalls)
  },
)

requirement(
  {
    id: 'auth.refuses.identity-token@v1',
    level: 'must',
    statement: 'S5.9, S5.1, S5.3, R39',
    quote: 'calls to v1 need the same header',
    says: 'Every v1 operation refuses an unexchanged identity token, without effect',
    profile: 'v1',
  },
  async ({ inTurn, identityToken: bad, atLeast }) => {
    const controlCalls = await inTurn('v1', (trespass) => callUnauthorized({ ...trespass, bad }, 'identity-token'))

    atLeast(1, 'calls that succeed with the good token', controlCalls)
  },
)
