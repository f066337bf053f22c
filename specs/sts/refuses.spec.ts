import { accepted, clientsMistake, refused } from '../../helpers/assertions/refused.ts'
import { hmacsKeyedWith, signedByAnother } from '../../helpers/auth/forged-jwt.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'
import { unlike } from '../../helpers/sts/claims.ts'
import { forgedExchanges, leadingTo } from '../../helpers/sts/forged-exchanges.ts'
import type { OwnExchanging } from '../../helpers/sts/token-exchange.ts'

const matching = 'anyone who holds a token with matching claims may assume the identity'

/** Identity tokens that only the suite's own issuer can sign. */
const signed: Record<string, { words: string; tokens: (sts: OwnExchanging) => Promise<string>[] }> = {
  'subject-other': {
    words: 'another subject or none',
    tokens: (sts) => [sts.sign({ sub: 'somebody' }), sts.sign({ sub: undefined })],
  },
  'subject-longer': {
    words: 'an extended subject',
    tokens: ({ sign, match: { subject } }) => [
      sign({ sub: `${subject}-2` }),
      sign({ sub: `${subject} ` }),
      sign({ sub: `x${subject}` }),
    ],
  },
  'subject-shorter': {
    words: 'a truncated or empty subject',
    tokens: ({ sign, match: { subject } }) => [
      sign({ sub: subject.slice(0, -1) }),
      sign({ sub: subject.slice(1) }),
      sign({ sub: '' }),
      sign({ sub: subject.replace(/:.*/, '') }),
    ],
  },
  'subject-case': {
    words: 'the subject in capitals',
    tokens: ({ sign, match: { subject } }) => [sign({ sub: subject.toUpperCase() })],
  },
  'subject-pattern': {
    words: 'a subject that matches only as a pattern',
    tokens: ({ sign, match: { subject } }) => [
      sign({ sub: subject.replace('.', 'x') }),
      sign({ sub: subject.replaceAll('-', '_') }),
      sign({ sub: '*' }),
      sign({ sub: '.*' }),
    ],
  },
  'issuer-other': {
    words: 'another issuer that publishes the same keys',
    tokens: ({ sign, match: { issuer } }) => [sign({ iss: new URL('/other', issuer).href })],
  },
  'issuer-longer': {
    words: 'an extended issuer',
    tokens: ({ sign, match: { issuer } }) => [sign({ iss: `${issuer}-2` }), sign({ iss: `${issuer}/more` })],
  },
  'issuer-shorter': {
    words: 'a truncated issuer',
    tokens: ({ sign, match: { issuer } }) => [
      sign({ iss: issuer.slice(0, -1) }),
      sign({ iss: issuer.slice(0, issuer.lastIndexOf('/')) }),
    ],
  },
  'issuer-case': {
    words: 'capitals in the path of the issuer',
    tokens: ({ sign, match: { issuer } }) => [sign({ iss: issuer.replace(/[^/]+$/, (path) => path.toUpperCase()) })],
  },
  'issuer-slash': {
    words: 'a slash after the issuer',
    tokens: ({ sign, match: { issuer } }) => [sign({ iss: `${issuer}/` })],
  },
  'issuer-pattern': {
    words: 'an issuer that matches only as a pattern',
    tokens: ({ sign, match: { issuer } }) => [sign({ iss: issuer.replace(/\.(?=[^./]+$)/, 'x') })],
  },
  expired: {
    words: 'an expiry in the past',
    tokens: ({ sign, now }) =>
      [3_600, 30 * 24 * 3_600].map((ago) => sign({ iat: now() - ago - 600, exp: now() - ago })),
  },
  'strange-key-set': {
    words: 'a signature by a key to which its header leads',
    tokens: ({ sign, keys: { strange } }) =>
      leadingTo(strange).map(async ([header, alg]) => signedByAnother(await sign(), header, alg)),
  },
  hmac: {
    words: "an HMAC keyed with the issuer's public key",
    tokens: ({ sign, keys }) => hmacsKeyedWith(keys.own).map(async (forge) => forge(await sign())),
  },
}

for (const [name, { words, tokens }] of Object.entries(signed)) {
  requirement(
    {
      id: `sts.refuses.${name}`,
      level: 'must',
      statement: 'S2.11, S5.3, R41',
      quote: matching,
      restsOn: [`sts.refuses.${name.replace(/^(subject|issuer)-.*/, '$1-other')}`, 'sts.refuses.other-key'],
      says: `An identity token with ${words} is refused`,
    },
    async ({ sts }) => {
      let sent: string[] = []
      const wishes = async () => {
        sent = await Promise.all(tokens(sts))
        return sent.map((token) => ({ token }))
      }

      const answers = await sts.besideGood(wishes)

      for (const [index, answer] of answers.entries())
        refused(answer, `an identity token with ${words}${unlike(sts.match, sent[index]!)}`)
    },
  )
}

requirement(
  {
    id: 'sts.refuses.other-identity',
    level: 'must',
    statement: 'S2.11, S5.3, R41',
    quote: matching,
    restsOn: ['sts.refuses.subject-other', 'sts.refuses.issuer-other'],
    says: 'A token for one identity cannot assume another with the same issuer or subject',
  },
  async ({ scratch, sts }) => {
    const { issuer, subject } = sts.match
    const others = await Promise.all([
      scratch.makeIdentity({ claimMatch: { issuer, subject: `other-${scratch.group.name}` } }),
      scratch.makeIdentity({ claimMatch: { issuer: sts.stranger.name, subject } }),
    ])

    const answers = await sts.besideGood(others.map(({ uid }) => ({ identity: uid })))

    for (const answer of answers) refused(answer, 'a token of another identity')
  },
)

requirement(
  {
    id: 'sts.refuses.issuer-key',
    level: 'must',
    statement: 'S2.11, S5.3, R41',
    quote: matching,
    says: 'An identity token signed by the key of another trusted issuer is refused',
  },
  async ({ scratch, sts }) => {
    const { name: issuer, sign } = sts.stranger
    const subject = `stranger-${scratch.group.name}`
    const other = await scratch.makeIdentity({ claimMatch: { issuer, subject } })
    const own = await sign({ iss: issuer, sub: subject })
    // a target that trusts the other issuer knows its key from now on
    await sts.exchange({ identity: other.uid, token: own })

    const [answer] = await sts.besideGood(async () => [{ token: await sign() }])

    refused(answer!, "a token of one issuer under another issuer's key")
  },
)

for (const [name, { words, wishes }] of Object.entries(forgedExchanges)) {
  requirement(
    {
      id: `sts.refuses.${name}`,
      level: 'must',
      statement: 'S2.11, S5.3, R41',
      quote: matching,
      restsOn: ['sts.refuses.other-key'],
      says: `An exchange with ${words} is refused`,
    },
    async ({ exchanging }) => {
      const answers = await exchanging.besideGood(() => wishes(exchanging))

      for (const answer of answers) refused(answer, `an exchange with ${words}`)
    },
  )
}

for (const [id, level, says, when] of [
  ['sts.refuses.deleted-identity', 'must', 'A deleted identity cannot be assumed', 'in time'],
  [
    'sts.refuses.deleted-identity.at-once',
    'should',
    'A deleted identity cannot be assumed from that moment',
    'at once',
  ],
] as const) {
  requirement(
    { id, level, statement: 'S2.11, S5.3, R41', quote: matching, restsOn: ['sts.refuses.other-key'], says },
    async ({ api, sts }) => {
      accepted(await sts.exchange(), 'a matching identity token, before its identity is deleted')

      await api.identities.delete(sts.uid)

      await sts.takesEffect(when, async () => refused(await sts.exchange(), 'the token of a deleted identity'))
    },
  )
}

requirement(
  {
    id: 'sts.refusal.status',
    level: 'should',
    statement: 'S5.3, S7.1, R33, R41',
    quote: 'A workload exchanges the token of its identity provider',
    says: 'An exchange refused for a mistake of the caller gets a 4xx status',
  },
  async ({ exchanging, atLeast }) => {
    const { garbage, 'no-token': none, 'unknown-identity': unknown } = forgedExchanges
    const wishes = () => Promise.all([garbage!, none!, unknown!].map(({ wishes }) => wishes(exchanging)))

    const answers = await exchanging.besideGood(async () => (await wishes()).flat())

    atLeast(1, 'refused exchanges', answers.filter((each) => !succeeded(each)).length)
    for (const answer of answers.filter((each) => !succeeded(each))) clientsMistake(answer, 'a refused exchange')
  },
)
