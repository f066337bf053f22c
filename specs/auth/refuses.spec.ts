import { isOfRegistry, type KindName, kinds, listedKinds, ownKinds } from '../../helpers/api/kinds.ts'
import {
  asPassword,
  type BadCredentialName,
  badCredentials,
  inOtherForms,
  withOtherCase,
} from '../../helpers/auth/invalid-credentials.ts'
import type { OperationCalls } from '../../helpers/auth/operation-calls.ts'
import { callUnauthorized } from '../../helpers/auth/unauthorized-calls.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import type { Call } from '../../helpers/http/call.ts'

const suffix = (kind: KindName) => (kind === 'groups' ? '' : `@${kind}`)

const bearer = 'No call goes without `Authorization: Bearer` and a token'

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

for (const kind of listedKinds) {
  for (const operation of kinds[kind].offered) {
    requirement(
      {
        id: `auth.required.${operation}${suffix(kind)}`,
        level: 'must',
        statement: 'S5.1, R39',
        quote: bearer,
        restsOn: ['auth.required.get'],
        says: `${operation} of ${kinds[kind].label.many} without an Authorization header is refused without effect`,
        profile: kinds[kind].listed.profile,
      },
      async ({ inTurn, atLeast }) => {
        const controlCalls = await inTurn(kind, (trespass) => callUnauthorized(trespass, 'no-header', [operation]))

        atLeast(1, 'calls that succeed with the good token and fail without one', controlCalls)
      },
    )
  }

  for (const [name, words] of Object.entries(credentials)) {
    requirement(
      {
        id: `auth.refuses.${name}${suffix(kind)}`,
        level: 'must',
        statement: 'S5.1, R39',
        quote: bearer,
        restsOn: ['auth.required.get', ...(name === 'other-signer' ? [] : ['auth.refuses.other-signer'])],
        says: `Operations on ${kinds[kind].label.many} refuse ${words}, without effect`,
        profile: kinds[kind].listed.profile,
      },
      async ({ inTurn, atLeast }) => {
        const controlCalls = await inTurn(kind, (trespass) => callUnauthorized(trespass, name as BadCredentialName))

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
    quote: bearer,
    restsOn: ['auth.refuses.other-signer'],
    says: 'Every operation refuses the token as a Basic password, without effect',
  },
  async ({ run, inTurn, atLeast }) => {
    const bad = asPassword(await run.tokens.value(), run.secrets)

    const controlCalls = await inTurn('groups', (trespass) => callUnauthorized({ ...trespass, bad }, 'as-password'))

    atLeast(1, 'calls that succeed with the good token and fail without one', controlCalls)
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

    const controlCalls = await inTurn('groups', (trespass) =>
      callUnauthorized({ ...trespass, bad: bad! }, 'other-case'),
    )

    atLeast(1, 'calls that succeed with the good token and fail without one', controlCalls)
  },
)

/** The items rotated, so that each operation is tried with another form on each kind. */
const turned = <T>(items: readonly T[], by: number): T[] => items.map((_, index) => items[(index + by) % items.length]!)

for (const [place, kind] of listedKinds.entries()) {
  requirement(
    {
      id: `auth.refuses.other-forms${suffix(kind)}`,
      level: 'must',
      statement: 'S5.1, R39',
      quote: bearer,
      says: `Operations on ${kinds[kind].label.many} refuse a token under schemes other than Bearer, without effect`,
      profile: kinds[kind].listed.profile,
    },
    async ({ run, inTurn, atLeast }) => {
      const bad = turned(inOtherForms(await run.tokens.value(), run.secrets), place)

      const controlCalls = await inTurn(kind, (trespass) => callUnauthorized({ ...trespass, bad }, 'other-forms'))

      atLeast(1, 'calls that succeed with the good token', controlCalls)
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
  requirement(
    {
      id: `auth.refuses.in-body${suffix(kind)}`,
      level: 'must',
      statement: 'S5.1, R39',
      quote: bearer,
      says: `Create and Update of ${kinds[kind].label.many} refuse a token in the body, without effect`,
      profile: kinds[kind].listed.profile,
    },
    async ({ run, inTurn, atLeast }) => {
      const token = await run.tokens.value()
      const bad = await badCredentials['no-header']()

      const controlCalls = await inTurn(kind, (trespass) =>
        callUnauthorized({ ...trespass, operationCalls: withBody(trespass.operationCalls, token), bad }, 'in-body'),
      )

      atLeast(1, 'calls that succeed with the good token and fail without one', controlCalls)
    },
  )
}

const profile = 'sts'

for (const kind of listedKinds) {
  requirement(
    {
      id: `auth.refuses.identity-token${kind === 'groups' ? '' : `@${kind}`}`,
      level: 'must',
      statement: 'S5.1, S5.3, R39',
      quote: bearer,
      says: `Operations on ${kinds[kind].label.many} refuse an unexchanged identity token, without effect`,
      profile: isOfRegistry(kind) ? kinds[kind].listed.profile : profile,
    },
    async ({ inTurn, identityToken: bad, atLeast }) => {
      const controlCalls = await inTurn(kind, (trespass) => callUnauthorized({ ...trespass, bad }, 'identity-token'))

      atLeast(1, 'calls that succeed with the good token', controlCalls)
    },
  )
}
