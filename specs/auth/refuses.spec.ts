import { isOfRegistry, type KindName, kinds, listedKinds, ownKinds } from '../../helpers/api/kinds.ts'
import {
  asPassword,
  type BadCredentialName,
  badCredentials,
  inOtherForms,
  withOtherCase,
} from '../../helpers/auth/invalid-credentials.ts'
import { type OperationCalls, servedInV1 } from '../../helpers/auth/operation-calls.ts'
import { callUnauthorized } from '../../helpers/auth/unauthorized-calls.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import type { Call } from '../../helpers/http/call.ts'
import type { Tried } from '../../helpers/v1/open-operations.ts'

/** What the requirements on a kind have in common, or those on v1. */
const common = (tried: Tried) => (tried === 'v1' ? inV1 : onKind(tried))

const bearer = 'No call goes without `Authorization: Bearer` and a token'
const header = { level: 'must', statement: 'S5.1, R39', quote: bearer } as const
const quote = 'calls to v1 need the same header'
const inV1 = {
  header: { ...header, statement: 'S5.9, S5.1, R39', quote },
  suffix: '@v1',
  on: 'in v1',
} as const

const onKind = (kind: KindName) => ({
  header,
  suffix: kind === 'groups' ? '' : `@${kind}`,
  on: `on ${kinds[kind].label.many}`,
})

const everywhere: readonly Tried[] = [...listedKinds, 'v1']

/** Where a good token succeeds, and a bad credential does not. */
const controlled = 'calls that succeed with the good token and fail with a bad credential'

/** The bad credentials in words. */
const credentials: Record<Exclude<BadCredentialName, 'no-header'>, string> = {
  'in-query': 'a token in the query',
  'in-other-headers': 'a token in another header',
  'empty-token': 'an empty token',
  garbage: 'a garbage token',
  'cut-short': 'a truncated token',
  extended: 'a token with extra characters',
  altered: 'an altered token',
  'other-signer': 'a token signed by another key',
  'unknown-key': 'a token signed by an unknown key',
  unsigned: 'an unsigned token',
  bare: 'a token without a scheme',
  'other-scheme': 'a token in another scheme',
}

for (const tried of everywhere) {
  const { header, suffix, on } = common(tried)
  for (const operation of tried === 'v1' ? kinds.groups.offered : kinds[tried].offered) {
    requirement(
      {
        ...header,
        id: `auth.required.${operation}${suffix}`,
        restsOn: ['auth.required.get'],
        says: `${operation} ${on} without an Authorization header is refused without effect`,
      },
      async ({ inTurn, atLeast }) => {
        const controlCalls = await inTurn(tried, (unauthorized) =>
          callUnauthorized(unauthorized, 'no-header', [operation]),
        )

        atLeast(1, controlled, controlCalls)
      },
    )
  }

  for (const [name, words] of Object.entries(credentials)) {
    requirement(
      {
        ...header,
        id: `auth.refuses.${name}${suffix}`,
        restsOn: [
          'auth.required.get',
          'auth.required.list',
          ...(name === 'other-signer' ? [] : ['auth.refuses.other-signer']),
        ],
        says: `Operations ${on} refuse ${words}, without effect`,
      },
      async ({ inTurn, atLeast }) => {
        const controlCalls = await inTurn(tried, (unauthorized) =>
          callUnauthorized(unauthorized, name as BadCredentialName),
        )

        atLeast(1, controlled, controlCalls)
      },
    )
  }
}

requirement(
  {
    id: 'auth.refuses.as-password',
    level: 'must',
    statement: 'S5.1, R39',
    quote: bearer,
    restsOn: ['auth.refuses.other-signer'],
    says: 'Every operation refuses the token as a Basic password, without effect',
  },
  async ({ run, inTurn, atLeast }) => {
    const bad = asPassword(await run.tokens.value(), run.secrets)

    const controlCalls = await inTurn('groups', (unauthorized) =>
      callUnauthorized({ ...unauthorized, bad }, 'as-password'),
    )

    atLeast(1, controlled, controlCalls)
  },
)

requirement(
  {
    id: 'auth.refuses.other-case',
    level: 'should',
    statement: 'S5.1, R39',
    quote: bearer,
    says: 'Every operation refuses a token whose signature has a letter in the other case',
  },
  async ({ run, inTurn, atLeast }) => {
    const bad = withOtherCase(await run.tokens.value(), run.secrets)
    atLeast(1, 'tokens with a signature', bad === undefined ? 0 : 1)

    const controlCalls = await inTurn('groups', (unauthorized) =>
      callUnauthorized({ ...unauthorized, bad: bad! }, 'other-case'),
    )

    atLeast(1, controlled, controlCalls)
  },
)

/** The items rotated, so that each operation is tried with another form on each kind. */
const turned = <T>(items: readonly T[], by: number): T[] => items.map((_, index) => items[(index + by) % items.length]!)

for (const [place, tried] of everywhere.entries()) {
  const { header, suffix, on } = common(tried)
  requirement(
    {
      ...header,
      id: `auth.refuses.other-forms${suffix}`,
      says: `Operations ${on} refuse a token under schemes other than Bearer, without effect`,
    },
    async ({ run, inTurn, atLeast }) => {
      const bad = turned(inOtherForms(await run.tokens.value(), run.secrets), place)

      const controlCalls = await inTurn(tried, (unauthorized) =>
        callUnauthorized({ ...unauthorized, bad }, 'other-forms'),
      )

      atLeast(1, controlled, controlCalls)
    },
  )
}

/** The operations with the token in their bodies, as in an OAuth form. */
function withBody({ calls, ...others }: OperationCalls, token: string): OperationCalls {
  const within = (all: readonly Call[] = []): Call[] =>
    all.map((call) => ({ ...call, body: { ...(call.body as object), access_token: token } }))
  return { ...others, calls: { ...calls, create: within(calls.create), update: within(calls.update) } }
}

for (const kind of ownKinds) {
  const { header, suffix, on } = common(kind)
  requirement(
    {
      ...header,
      id: `auth.refuses.in-body${suffix}`,
      says: `Create and Update ${on} refuse a token in the body, without effect`,
    },
    async ({ run, inTurn, atLeast }) => {
      const token = await run.tokens.value()
      const bad = await badCredentials['no-header']()

      const controlCalls = await inTurn(kind, (unauthorized) =>
        callUnauthorized(
          { ...unauthorized, operationCalls: withBody(unauthorized.operationCalls, token), bad },
          'in-body',
        ),
      )

      atLeast(1, controlled, controlCalls)
    },
  )
}

for (const tried of everywhere) {
  const { header, suffix, on } = common(tried)
  requirement(
    {
      ...header,
      id: `auth.refuses.identity-token${suffix}`,
      statement: tried === 'v1' ? 'S5.9, S5.1, S5.3, R39' : 'S5.1, S5.3, R39',
      says: `Operations ${on} refuse an unexchanged identity token, without effect`,
      ...(tried === 'v1' || isOfRegistry(tried) ? {} : { profile: 'sts' as const }),
    },
    async ({ inTurn, identityToken: bad, atLeast }) => {
      const controlCalls = await inTurn(tried, (unauthorized) =>
        callUnauthorized({ ...unauthorized, bad }, 'identity-token'),
      )

      atLeast(1, controlled, controlCalls)
    },
  )
}

requirement(
  {
    id: 'auth.required.others@v1',
    level: 'must',
    long: true,
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
