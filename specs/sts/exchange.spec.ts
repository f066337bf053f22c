import { expect } from 'vitest'
import { instant } from '../../helpers/api/instant.ts'
import { got } from '../../helpers/arrange/optional-operations.ts'
import { same } from '../../helpers/assertions/equal.ts'
import { accepted, refused } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { exchangedToken } from '../../helpers/http/call.ts'
import { holdsToken } from '../../helpers/sts/api-token.ts'
import { livesAnHour } from '../../helpers/sts/token-lifetime.ts'
import { bindWriter } from '../../helpers/sts/write-rights.ts'
import { callOperations } from '../../helpers/v1/called-operations.ts'

requirement(
  {
    id: 'sts.exchange.token',
    level: 'must',
    statement: 'S5.3, S5.4, S2.11',
    quote: 'The exchange answers a JSON object, and its `token` is the API token',
    says: 'A matching identity token is exchanged for a JSON object with a string token',
  },
  async ({ exchanging }) => {
    const answer = await exchanging.exchange()

    accepted(answer, 'a matching identity token')
    holdsToken(answer)
  },
)

requirement(
  {
    id: 'sts.exchange.usable',
    level: 'must',
    statement: 'S5.3, S5.4, R41',
    quote: 'The exchange answers a JSON object, and its `token` is the API token',
    says: 'The API accepts the token from an exchange',
  },
  async ({ exchanging }) => {
    const token = await exchanging.apiToken()

    await exchanging.reads(token)
  },
)

requirement(
  {
    id: 'sts.exchange.usable.at-once',
    level: 'should',
    statement: 'S5.3, S5.4, R41',
    quote: 'The exchange answers a JSON object, and its `token` is the API token',
    says: 'The API accepts the token from an exchange at once',
  },
  async ({ exchanging, atLeast }) => {
    await exchanging.workingToken()
    const token = await exchanging.apiToken()

    const { status } = await exchanging.read(token)
    atLeast(1, 'readings that its rights allow', [403, 404].includes(status) ? 0 : 1)
    expect(status, 'the status of a read with the exchanged token').not.toBe(401)
  },
)

requirement(
  {
    id: 'sts.exchange.again',
    level: 'must',
    statement: 'S5.3, S5.5, S2.11',
    quote: 'The API token from an exchange is valid for one hour',
    says: 'A second exchange for an identity succeeds and leaves its first API token valid',
  },
  async ({ sts }) => {
    const first = await sts.workingToken()

    const second = await sts.exchange()

    accepted(second, 'another identity token of the same subject')
    await sts.reads(first)
  },
)

requirement(
  {
    id: 'sts.exchange.changes-nothing',
    level: 'must',
    statement: 'S2.12, S5.3, R41',
    quote: '`lastSeenTime` is a timestamp and is set when the identity is created',
    says: 'An exchange changes nothing of the identity except lastSeenTime, which never goes back',
  },
  async ({ api, sts, eventually }) => {
    const before = await eventually(() => got(api, 'identities', sts.uid))

    accepted(await sts.exchange(), 'a matching identity token')
    await sts.exchange({ token: await sts.sign({ sub: 'somebody' }) })

    const after = await got(api, 'identities', sts.uid)
    same(after, before)
    expect(instant(after.lastSeenTime), 'lastSeenTime in milliseconds').toBeGreaterThanOrEqual(
      instant(before.lastSeenTime),
    )
  },
)

requirement(
  {
    id: 'sts.token.lifetime',
    level: 'must',
    statement: 'S5.5, S8.5, R40',
    quote: 'The API token from an exchange is valid for one hour',
    restsOn: ['auth.refuses.other-signer'],
    says: 'An exchanged token that states its expiry expires one hour after the exchange',
  },
  async ({ run, exchanging }) => {
    const answer = await exchanging.exchange()

    livesAnHour(answer, run.clock)
  },
)

const elsewhere = 'https://elsewhere.example'

/** Other audiences than the one of the API. */
const audiences = {
  other: { said: 'another audience', audience: () => elsewhere },
  longer: { said: 'an audience that begins with its own', audience: (own: string) => `${own}.elsewhere.example` },
}

for (const [which, { said, audience }] of Object.entries(audiences)) {
  requirement(
    {
      id: `sts.token.${which}-audience`,
      level: 'should',
      statement: 'S5.3, R41',
      quote: '`aud` is the address of the API and serves as the audience',
      restsOn: ['auth.refuses.other-signer'],
      says: `The API refuses a token requested for ${said}`,
    },
    async ({ run, scratch, exchanging, stsContext }) => {
      await exchanging.workingToken()
      await bindWriter(stsContext.api.attempt, scratch.uid, exchanging.uid)
      const aud = audience(run.config.sts.audience)
      const token = await exchanging.apiToken({ aud })

      const answers = await callOperations(stsContext, exchangedToken(token))
      for (const answer of answers) refused(answer, `an API token for the audience ${aud}`)
    },
  )
}
