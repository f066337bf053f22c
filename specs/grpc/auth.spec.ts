import { type KindName, kinds, listedKinds } from '../../helpers/api/kinds.ts'
import { type BadCredentialName, badCredentials } from '../../helpers/auth/invalid-credentials.ts'
import { overGrpc } from '../../helpers/auth/operation-calls.ts'
import { callUnauthorized, type UnauthorizedCalls } from '../../helpers/auth/unauthorized-calls.ts'
import { type Context, requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import { letWrite } from '../../helpers/sts/write-rights.ts'

const bearer = 'No call goes without `Authorization: Bearer` and a token'
const family = { level: 'must', statement: 'S1.5, S5.1, R39, R60', quote: bearer } as const
const what = 'calls over gRPC that succeed with the good token and fail without one'

/** The same calls over gRPC. */
const ofGrpc = ({ operationCalls, reopen, ...sending }: UnauthorizedCalls): UnauthorizedCalls => ({
  ...sending,
  operationCalls: overGrpc(operationCalls),
  reopen: async () => overGrpc(await reopen()),
})

/** A case in which no operation on a kind accepts the bad credential over gRPC. */
const refuses =
  (kind: KindName, name: BadCredentialName) =>
  async ({ both, inTurn, atLeast }: Context) => {
    const controlCalls = await inTurn(kind, (unauthorized) =>
      callUnauthorized({ ...ofGrpc(unauthorized), api: both.http }, name),
    )

    atLeast(1, what, controlCalls)
  }

requirementOnEach(
  listedKinds,
  {
    ...family,
    id: 'grpc.auth.required',
    restsOn: ['auth.required.*'],
    says: 'Every operation over gRPC on {many} refuses a call without a token, without effect',
  },
  (kind) => refuses(kind, 'no-header'),
)

requirementOnEach(
  listedKinds,
  {
    ...family,
    id: 'grpc.auth.refuses.garbage',
    restsOn: ['auth.required.*', 'auth.refuses.garbage', 'grpc.auth.required'],
    says: 'Every operation over gRPC on {many} refuses a garbage token, without effect',
  },
  (kind) => refuses(kind, 'garbage'),
)

/** Ways to forge the token of an exchange, which usually has another form than the run's own. */
const forgeries = ['other-signer', 'unsigned', 'altered', 'unknown-key', 'cut-short'] as const

requirement(
  {
    ...family,
    id: 'grpc.auth.refuses.exchanged-forged',
    restsOn: ['auth.required.*', 'auth.refuses.other-signer', 'grpc.auth.required'],
    says: 'Every operation over gRPC on groups refuses forgeries of an exchanged token, without effect',
  },
  async ({ both, api, run, scratch, exchanging, inTurn, atLeast }) => {
    const token = await exchanging.workingToken()
    await letWrite(api, scratch, { uid: exchanging.uid, token }, run.patience.rights)
    const bad = await Promise.all(forgeries.map((name) => badCredentials[name](token, run.secrets)))

    const controlCalls = await inTurn('groups', (unauthorized) =>
      callUnauthorized({ ...ofGrpc(unauthorized), api: both.http, bad }, 'other-forms'),
    )

    atLeast(1, what, controlCalls)
  },
)

/** Further bad credentials in words, each tried on one kind. */
const others: Partial<Record<BadCredentialName, [says: string, kind: keyof typeof kinds]>> = {
  'empty-token': ['an empty token', 'groups'],
  'cut-short': ['a truncated token', 'identities'],
  altered: ['an altered token', 'groups'],
  'other-signer': ['a token signed by another key', 'groups'],
  unsigned: ['an unsigned token', 'groups'],
  bare: ['a token without a scheme', 'roleBindings'],
  'other-scheme': ['a token in another scheme', 'groups'],
  'in-other-headers': ['a token in other metadata', 'groups'],
}

for (const [name, [says, kind]] of Object.entries(others)) {
  requirement(
    {
      ...family,
      id: `grpc.auth.refuses.${name}`,
      restsOn: ['auth.required.*', `auth.refuses.${name}*`, 'auth.refuses.other-signer', 'grpc.auth.required'],
      says: `Every operation over gRPC on ${kinds[kind].label.many} refuses ${says}, without effect`,
    },
    refuses(kind, name as BadCredentialName),
  )
}
