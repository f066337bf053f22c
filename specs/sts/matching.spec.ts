import { accepted, clientsMistake, refused } from '../../helpers/assertions/refused.ts'
import {
  altered,
  anotherName,
  anotherPublicKey,
  reclaimed,
  signedByAnother,
  signedByHmac,
  unsigned,
} from '../../helpers/auth/forged-jwt.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'
import type { Exchanging, OwnExchanging, Wish } from '../../helpers/sts/token-exchange.ts'

const profile = 'sts'

requirement(
  {
    id: 'sts.match.updated',
    level: 'must',
    statement: 'S2.11, S5.3, R41',
    quote: 'any but the equal string, of the identity that is asked for, as it is now',
    says: 'An updated claim match accepts the new subject and refuses the old one',
    profile,
  },
  async ({ sts }) => {
    const subject = `renewed ${sts.uid.slice(-8)}`
    await sts.rematch(subject)

    await sts.eventually(async () => {
      const [old, renewed] = await Promise.all([
        sts.exchange(),
        sts.exchange({ token: await sts.sign({ sub: subject }) }),
      ])
      refused(old, 'the subject of the claim match before its update')
      accepted(renewed, 'the subject of the claim match after its update')
    })
  },
)

requirement(
  {
    id: 'sts.refuses.deleted-identity',
    level: 'must',
    statement: 'S5.3, R41',
    quote: 'an unknown identity and a deleted identity',
    says: 'A deleted identity cannot be assumed',
    profile,
  },
  async ({ api, sts }) => {
    accepted(await sts.exchange(), 'a matching identity token, before its identity is deleted')

    await api.identities.delete(sts.uid)

    await sts.eventually(async () => refused(await sts.exchange(), 'the token of a deleted identity'))
  },
)

const elsewhere = 'https://elsewhere.example'

requirement(
  {
    id: 'sts.refuses.other-identity',
    level: 'must',
    statement: 'S2.11, S5.3, R41',
    quote: 'any but the equal string, of the identity that is asked for',
    says: 'A token for one identity cannot assume another with the same issuer or subject',
    profile,
  },
  async ({ scratch, sts }) => {
    const { issuer, subject } = sts.match
    const others = await Promise.all([
      scratch.makeIdentity({ claimMatch: { issuer, subject: `other ${scratch.group.name}` } }),
      scratch.makeIdentity({ claimMatch: { issuer: `${elsewhere}/${scratch.group.name}`, subject } }),
    ])

    const answers = await sts.besideGood(others.map(({ uid }) => ({ identity: uid })))

    for (const answer of answers) refused(answer, 'a token of another identity')
  },
)

/** Identity tokens that only the suite's own issuer can sign. */
const signed: Record<string, { words: string; quote: string; tokens: (sts: OwnExchanging) => Promise<string>[] }> = {
  'subject-other': {
    words: 'another subject or none',
    quote: 'a wrong subject or issuer (any but the equal string',
    tokens: (sts) => [sts.sign({ sub: 'somebody' }), sts.sign({ sub: undefined })],
  },
  'subject-longer': {
    words: 'an extended subject',
    quote: 'a wrong subject or issuer (any but the equal string',
    tokens: ({ sign, match: { subject } }) => [
      sign({ sub: `${subject}-2` }),
      sign({ sub: `${subject} ` }),
      sign({ sub: `x${subject}` }),
    ],
  },
  'subject-shorter': {
    words: 'a truncated or empty subject',
    quote: 'a wrong subject or issuer (any but the equal string',
    tokens: ({ sign, match: { subject } }) => [
      sign({ sub: subject.slice(0, -1) }),
      sign({ sub: subject.slice(1) }),
      sign({ sub: '' }),
      sign({ sub: subject.replace(/:.*/, '') }),
    ],
  },
  'subject-case': {
    words: 'the subject in capitals',
    quote: 'a wrong subject or issuer (any but the equal string',
    tokens: ({ sign, match: { subject } }) => [sign({ sub: subject.toUpperCase() })],
  },
  'subject-pattern': {
    words: 'a subject that matches only as a pattern',
    quote: 'a wrong subject or issuer (any but the equal string',
    tokens: ({ sign, match: { subject } }) => [
      sign({ sub: subject.replace('.', 'x') }),
      sign({ sub: subject.replaceAll('-', '_') }),
      sign({ sub: '*' }),
      sign({ sub: '.*' }),
    ],
  },
  'issuer-other': {
    words: 'another issuer that publishes the same keys',
    quote: 'a wrong subject or issuer (any but the equal string',
    tokens: ({ sign, match: { issuer } }) => [sign({ iss: new URL('/other', issuer).href })],
  },
  'issuer-longer': {
    words: 'an extended issuer',
    quote: 'a wrong subject or issuer (any but the equal string',
    tokens: ({ sign, match: { issuer } }) => [sign({ iss: `${issuer}-2` }), sign({ iss: `${issuer}/more` })],
  },
  'issuer-shorter': {
    words: 'a truncated issuer',
    quote: 'a wrong subject or issuer (any but the equal string',
    tokens: ({ sign, match: { issuer } }) => [
      sign({ iss: issuer.slice(0, -1) }),
      sign({ iss: issuer.slice(0, issuer.lastIndexOf('/')) }),
    ],
  },
  'issuer-case': {
    words: 'capitals in the path of the issuer',
    quote: 'a wrong subject or issuer (any but the equal string',
    tokens: ({ sign, match: { issuer } }) => [sign({ iss: issuer.replace(/[^/]+$/, (path) => path.toUpperCase()) })],
  },
  'issuer-slash': {
    words: 'a slash after the issuer',
    quote: 'a wrong subject or issuer (any but the equal string',
    tokens: ({ sign, match: { issuer } }) => [sign({ iss: `${issuer}/` })],
  },
  'issuer-pattern': {
    words: 'an issuer that matches only as a pattern',
    quote: 'a wrong subject or issuer (any but the equal string',
    tokens: ({ sign, match: { issuer } }) => [sign({ iss: issuer.replace(/\.(?=[^./]+$)/, 'x') })],
  },
  expired: {
    words: 'an expiry in the past',
    quote: 'an expired identity token, no token, anything else in place of one',
    tokens: ({ sign, now }) =>
      [3_600, 30 * 24 * 3_600].map((ago) => sign({ iat: now() - ago - 600, exp: now() - ago })),
  },
  'strange-key-set': {
    words: 'a signature by a key from its jku header',
    quote: 'a bad signature (whatever algorithm or key the token claims)',
    tokens: ({ sign, keys }) => [
      sign().then((token) => signedByAnother(token, { jku: keys.strange, kid: anotherName })),
    ],
  },
  hmac: {
    words: "an HMAC keyed with the issuer's public key",
    quote: 'a bad signature (whatever algorithm or key the token claims)',
    tokens: ({ sign, keys }) =>
      [keys.own.trim(), `${keys.own.trim()}\n`].map(async (secret) => signedByHmac(await sign(), secret)),
  },
}

for (const [name, { words, quote, tokens }] of Object.entries(signed)) {
  requirement(
    {
      id: `sts.refuses.${name}`,
      level: 'must',
      statement: 'S2.11, S5.3, R41',
      quote,
      says: `An identity token with ${words} is refused`,
      profile,
    },
    async ({ sts }) => {
      const wishes = (await Promise.all(tokens(sts))).map((token) => ({ token }))

      const answers = await sts.besideGood(wishes)

      for (const answer of answers) refused(answer, `an identity token with ${words}`)
    },
  )
}

/** Exchanges that anyone who holds an identity token can forge. */
const forged: Record<string, { words: string; quote: string; wishes: (exchanging: Exchanging) => Promise<Wish[]> }> = {
  altered: {
    words: 'an altered signature on a fresh or used token',
    quote: 'a bad signature (whatever algorithm or key the token claims)',
    wishes: async ({ fresh, exchange }) => {
      const used = await fresh()
      await exchange({ token: used })
      return [{ token: altered(used) }, { token: altered(await fresh()) }]
    },
  },
  'cut-short': {
    words: 'a truncated or missing signature',
    quote: 'a bad signature (whatever algorithm or key the token claims)',
    wishes: async ({ fresh }) => {
      const token = await fresh()
      return [{ token: token.slice(0, -8) }, { token: token.slice(0, token.lastIndexOf('.') + 1) }]
    },
  },
  'other-claims': {
    words: 'changed claims under the old signature',
    quote: 'a bad signature (whatever algorithm or key the token claims)',
    wishes: async ({ fresh, exchange }) => {
      const used = await fresh()
      await exchange({ token: used })
      return [
        { token: reclaimed(used, { exp: 4_102_444_800 }) },
        { token: reclaimed(await fresh(), { exp: 4_102_444_800 }) },
      ]
    },
  },
  'other-key': {
    words: 'a signature by another key under any key id',
    quote: 'a bad signature (whatever algorithm or key the token claims)',
    wishes: async ({ fresh }) => [
      { token: await signedByAnother(await fresh()) },
      { token: await signedByAnother(await fresh(), { kid: anotherName }) },
      { token: await signedByAnother(await fresh(), { kid: undefined }) },
    ],
  },
  'own-key': {
    words: 'a token signed by the key in its own header',
    quote: 'a bad signature (whatever algorithm or key the token claims)',
    wishes: async ({ fresh }) => {
      const jwk = await anotherPublicKey()
      return [
        { token: await signedByAnother(await fresh(), { jwk }) },
        { token: await signedByAnother(await fresh(), { jwk, kid: anotherName }) },
      ]
    },
  },
  unsigned: {
    words: 'a token that uses the algorithm none',
    quote: 'a bad signature (whatever algorithm or key the token claims)',
    wishes: async ({ fresh }) =>
      Promise.all(['none', 'None', 'NONE', 'nOnE'].map(async (alg) => ({ token: unsigned(await fresh(), alg) }))),
  },
  'no-token': {
    words: 'no identity token',
    quote: 'no token, anything else in place of one',
    wishes: async () => [{ token: undefined }, { header: 'Bearer ', token: '' }],
  },
  garbage: {
    words: 'garbage in place of an identity token',
    quote: 'no token, anything else in place of one',
    wishes: async () => ['garbage', 'a.b.c', 'eyJhbGciOiJSUzI1NiJ9.e30.AAAA'].map((token) => ({ token, shown: token })),
  },
  'api-token': {
    words: 'an API token in place of an identity token',
    quote: 'no token, anything else in place of one',
    wishes: async ({ apiToken }) => [{ token: await apiToken(), shown: '<exchanged API token>' }],
  },
  'unknown-identity': {
    words: 'an unknown identity uid, even one that resembles a real uid,',
    quote: 'an unknown identity and a deleted identity',
    wishes: async ({ uid }) => [
      { identity: `${uid}0` },
      { identity: uid.slice(0, -1) },
      { identity: `${uid}/${uid.slice(uid.lastIndexOf('/') + 1)}` },
      { identity: `${uid.slice(0, -1)}${uid.endsWith('0') ? '1' : '0'}` },
    ],
  },
}

requirement(
  {
    id: 'sts.refusal.status',
    level: 'should',
    statement: 'S5.3, R33, R41',
    quote: '4xx for mistakes of the client is _should_',
    says: 'An exchange refused for a mistake of the caller gets a 4xx status',
    profile,
  },
  async ({ exchanging, atLeast }) => {
    const wishes = await Promise.all(
      [forged.garbage!, forged['no-token']!, forged['unknown-identity']!].map(({ wishes }) => wishes(exchanging)),
    )

    const answers = await exchanging.besideGood(wishes.flat())

    atLeast(1, 'refused exchanges', answers.filter((each) => !succeeded(each)).length)
    for (const answer of answers.filter((each) => !succeeded(each))) clientsMistake(answer, 'a refused exchange')
  },
)
