import { expect } from 'vitest'
import { accepted, refused } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { exchangedToken, succeeded } from '../../helpers/http/call.ts'
import { untilSuccess } from '../../helpers/sts/token-exchange.ts'
import { bindWriter } from '../../helpers/sts/write-rights.ts'
import { callOperationsOverGrpc } from '../../helpers/v1/called-operations.ts'

const family = {
  level: 'must',
  quote: 'A workload exchanges the token of its identity provider',
  restsOn: ['sts.exchange.*', 'grpc.identity.create.answers'] as string[],
} as const

requirement(
  {
    ...family,
    id: 'grpc.sts.identity',
    statement: 'S1.5, S5.3, S2.11, R41, R60',
    says: 'An identity that was created over gRPC can be assumed',
  },
  async ({ both: { grpc }, sts, scratch, names }) => {
    const name = names.fresh()
    const claimMatch = { issuer: sts.match.issuer, subject: `repo:${name}` }
    const identity = await grpc.identities.create(scratch.uid, { name, claimMatch })
    await scratch.makeBinding(identity)

    await sts.takesEffect('in time', async () => {
      const token = await sts.sign({ sub: claimMatch.subject })
      accepted(
        await sts.exchange({ identity: identity.uid, token }),
        'a token of an identity that was created over gRPC',
      )
    })
  },
)

requirement(
  {
    ...family,
    id: 'grpc.sts.token',
    statement: 'S1.5, S5.3, S5.4, R41, R60',
    says: 'gRPC accepts the token from an exchange',
  },
  async ({ run, both: { grpc }, sts, scratch, atLeast }) => {
    const credential = exchangedToken(await sts.workingToken())

    const read = () => grpc.attempt.groups.get(scratch.uid, { credential })
    const { status } = await untilSuccess(read, run.patience.rights)
    atLeast(1, 'readings that its rights allow', [403, 404].includes(status) ? 0 : 1)

    expect(status, 'the HTTP form of the status').not.toBe(401)
  },
)

requirement(
  {
    ...family,
    id: 'grpc.sts.audience',
    level: 'should',
    statement: 'S1.5, S5.3, R41, R60',
    quote: '`aud` is the address of the API and serves as the audience',
    restsOn: [...family.restsOn, 'grpc.auth.required', 'grpc.sts.token', 'sts.token.other-audience'],
    says: 'gRPC refuses a token requested for another audience',
  },
  async ({ run, both: { grpc }, sts, scratch, stsContext, atLeast }) => {
    const credential = exchangedToken(await sts.workingToken())
    const good = await untilSuccess(() => grpc.attempt.groups.get(scratch.uid, { credential }), run.patience.rights)
    atLeast(1, 'readings with a good token', succeeded(good) ? 1 : 0)
    await bindWriter(stsContext.api.attempt, scratch.uid, sts.uid)
    const token = await sts.apiToken({ aud: 'https://elsewhere.example' })

    const answers = await callOperationsOverGrpc(stsContext, exchangedToken(token))
    for (const answer of answers) refused(answer, 'an API token for another audience')
  },
)
