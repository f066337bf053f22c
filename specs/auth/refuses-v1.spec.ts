import { type BadCredentialName, badCredentials, inOtherForms } from '../../helpers/auth/invalid-credentials.ts'
import { callUnauthorized } from '../../helpers/auth/unauthorized-calls.ts'
import { requirement } from '../../helpers/case/requirement.ts'

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

requirement(
  {
    id: 'auth.refuses.other-forms@v1',
    level: 'must',
    statement: 'S5.9, S5.1, R39',
    quote: 'calls to v1 need the same header',
    says: 'Operations of v1 refuse a token under schemes other than Bearer, without effect',
    profile: 'v1',
  },
  async ({ run, v1OperationCalls, authContext, atLeast }) => {
    const bad = inOtherForms(await run.tokens.value(), run.secrets)

    const controlCalls = await callUnauthorized(
      { ...authContext, operationCalls: await v1OperationCalls(), reopen: v1OperationCalls, bad },
      'other-forms',
    )

    atLeast(1, 'calls that succeed with the good token and fail without one', controlCalls)
  },
)
