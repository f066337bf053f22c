import { listedKinds } from '../../helpers/api/kinds.ts'
import { type BadCredentialName, badCredentials, inOtherForms } from '../../helpers/auth/invalid-credentials.ts'
import { servedInV1 } from '../../helpers/auth/operation-calls.ts'
import { callUnauthorized } from '../../helpers/auth/unauthorized-calls.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'

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

requirementOnEach(
  listedKinds.filter((kind) => kind !== 'groups'),
  {
    id: 'auth.required.v1',
    level: 'must',
    statement: 'S5.9, S5.1, R39',
    quote: 'calls to v1 need the same header',
    says: 'Reads of {many} in v1, where it has any, are refused without an Authorization header',
  },
  (kind) =>
    async ({ operationCallsOf, authContext, atLeast }) => {
      const reopen = async () => servedInV1(await operationCallsOf(kind), authContext)

      const controlCalls = await callUnauthorized(
        { ...authContext, operationCalls: await reopen(), reopen },
        'no-header',
        ['list', 'get'],
      )

      atLeast(1, 'calls that succeed with the good token and fail without one', controlCalls)
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
