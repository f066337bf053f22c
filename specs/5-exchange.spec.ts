import { expect } from 'vitest'
import { isOfRegistry, kinds, listedKinds } from '../helpers/api/kinds.ts'
import { isObject } from '../helpers/api/received.ts'
import { accepted, clientsMistake, outcomeOf, refused } from '../helpers/assertions/refused.ts'
import {
  altered,
  anotherName,
  anotherPublicKey,
  reclaimed,
  signedByAnother,
  signedByHmac,
  unsigned,
} from '../helpers/auth/forged-jwt.ts'
import { trespass } from '../helpers/auth/unauthorized-calls.ts'
import { requirement } from '../helpers/case/requirement.ts'
import { succeeded } from '../helpers/http/call.ts'
import { type Exchanging, holdsToken, type OwnExchanging, type Wish } from '../helpers/sts/token-exchange.ts'
import { livesAnHour } from '../helpers/sts/token-lifetime.ts'

const profile = 'sts'
const elsewhere = 'https://elsewhere.example'

requirement(
  {
    id: 'sts.exchange.token',
    level: 'must',
    statement: 'S5.3, S5.4, S2.11',
    says: 'A fitting identity token is exchanged for a JSON object with the string token',
    profile,
  },
  async ({ exchanging }) => {
    const answer = await exchanging.exchange()

    accepted(answer, 'a fitting identity token')
    holdsToken(answer)
  },
)

requirement(
  {
    id: 'sts.exchange.usable',
    level: 'must',
    statement: 'S5.3, S5.4, R41',
    says: 'The API takes the token of an exchange',
    profile,
  },
  async ({ exchanging }) => {
    const token = await exchanging.apiToken()

    expect((await exchanging.reads(token)).status).toBeLessThan(300)
  },
)

requirement(
  {
    id: 'sts.exchange.again',
    level: 'must',
    statement: 'S5.3, S5.5, S2.11',
    says: 'An identity is assumed again with another identity token, and the API token that it had before goes on to be taken',
    profile,
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
    id: 'sts.token.lifetime',
    level: 'must',
    statement: 'S5.5, S8.5, R40',
    says: 'Where the token of an exchange says when it ends, that is one hour after the exchange',
    profile,
  },
  async ({ run, exchanging }) => {
    const answer = await exchanging.exchange()

    livesAnHour(answer, run.clock)
  },
)

requirement(
  {
    id: 'sts.token.other-audience',
    level: 'should',
    statement: 'S5.3, R41',
    says: 'The API refuses a token that was asked for another audience',
    profile,
  },
  async ({ exchanging }) => {
    await exchanging.workingToken()
    const token = await exchanging.apiToken({ aud: elsewhere })

    refused(await exchanging.read(token), `an API token for the audience ${elsewhere}`)
  },
)

requirement(
  {
    id: 'sts.match.updated',
    level: 'must',
    statement: 'S2.11, S5.3, R41',
    says: 'Once the subject of a claim match is another, the new one is exchanged and the old one refused',
    profile,
  },
  async ({ sts }) => {
    const subject = `renewed ${sts.uid.slice(-8)}`
    await sts.rematch(subject)

    await sts.settled(async () => {
      const [old, renewed] = await Promise.all([
        sts.exchange(),
        sts.exchange({ token: await sts.sign({ sub: subject }) }),
      ])
      refused(old, 'the subject that the claim match had before its update')
      accepted(renewed, 'the subject that the claim match has since its update')
    })
  },
)

requirement(
  {
    id: 'sts.refuses.deleted-identity',
    level: 'must',
    statement: 'S5.3, R41',
    says: 'A deleted identity is not assumed any more',
    profile,
  },
  async ({ api, sts }) => {
    accepted(await sts.exchange(), 'a fitting identity token, before its identity is deleted')

    await api.identities.delete(sts.uid)

    await sts.settled(async () => refused(await sts.exchange(), 'the token of a deleted identity'))
  },
)

requirement(
  {
    id: 'sts.refuses.other-identity',
    level: 'must',
    statement: 'S2.11, S5.3, R41',
    says: 'A token that fits one identity does not assume another one, be it of the same issuer or of the same subject',
    profile,
  },
  async ({ scratch, sts }) => {
    const { issuer, subject } = sts.match
    const others = await Promise.all([
      scratch.makeIdentity({ claimMatch: { issuer, subject: `other ${scratch.group.name}` } }),
      scratch.makeIdentity({ claimMatch: { issuer: `${elsewhere}/${scratch.group.name}`, subject } }),
    ])

    const answers = await sts.besideGood(others.map(({ uid }) => ({ identity: uid })))

    for (const answer of answers) refused(answer, 'a token that fits another identity')
  },
)

/** What only the suite's own issuer can sign. */
const signed: Record<string, { says: string; tokens: (sts: OwnExchanging) => Promise<string>[] }> = {
  'subject-other': {
    says: 'another subject, or none',
    tokens: (sts) => [sts.sign({ sub: 'somebody' }), sts.sign({ sub: undefined })],
  },
  'subject-longer': {
    says: 'a subject that begins with the one of the claim match, or ends with it',
    tokens: ({ sign, match: { subject } }) => [
      sign({ sub: `${subject}-2` }),
      sign({ sub: `${subject} ` }),
      sign({ sub: `x${subject}` }),
    ],
  },
  'subject-shorter': {
    says: 'a part of the subject of the claim match',
    tokens: ({ sign, match: { subject } }) => [
      sign({ sub: subject.slice(0, -1) }),
      sign({ sub: subject.slice(1) }),
      sign({ sub: '' }),
      sign({ sub: subject.replace(/:.*/, '') }),
    ],
  },
  'subject-case': {
    says: 'the subject of the claim match in other letters, capitals for small ones',
    tokens: ({ sign, match: { subject } }) => [sign({ sub: subject.toUpperCase() })],
  },
  'subject-pattern': {
    says: 'a subject that only a pattern would meet',
    tokens: ({ sign, match: { subject } }) => [
      sign({ sub: subject.replace('.', 'x') }),
      sign({ sub: subject.replaceAll('-', '_') }),
      sign({ sub: '*' }),
      sign({ sub: '.*' }),
    ],
  },
  'issuer-other': {
    says: 'another issuer, which publishes the same keys',
    tokens: ({ sign, match: { issuer } }) => [sign({ iss: new URL('/other', issuer).href })],
  },
  'issuer-longer': {
    says: 'an issuer whose name begins with the one of the claim match',
    tokens: ({ sign, match: { issuer } }) => [sign({ iss: `${issuer}-2` }), sign({ iss: `${issuer}/more` })],
  },
  'issuer-shorter': {
    says: 'an issuer whose name is the beginning of the one of the claim match',
    tokens: ({ sign, match: { issuer } }) => [
      sign({ iss: issuer.slice(0, -1) }),
      sign({ iss: issuer.slice(0, issuer.lastIndexOf('/')) }),
    ],
  },
  'issuer-case': {
    says: 'the issuer of the claim match with capitals in its path',
    tokens: ({ sign, match: { issuer } }) => [sign({ iss: issuer.replace(/[^/]+$/, (path) => path.toUpperCase()) })],
  },
  'issuer-slash': {
    says: 'the issuer of the claim match and a slash',
    tokens: ({ sign, match: { issuer } }) => [sign({ iss: `${issuer}/` })],
  },
  'issuer-pattern': {
    says: 'an issuer that only a pattern would meet',
    tokens: ({ sign, match: { issuer } }) => [sign({ iss: issuer.replace(/\.(?=[^./]+$)/, 'x') })],
  },
  expired: {
    says: 'an end that is past',
    tokens: ({ sign, now }) =>
      [3_600, 30 * 24 * 3_600].map((ago) => sign({ iat: now() - ago - 600, exp: now() - ago })),
  },
  'strange-key-set': {
    says: 'a signature by a key that stands where the token says, and not where its issuer does',
    tokens: ({ sign, keys }) => [
      sign().then((token) => signedByAnother(token, { jku: keys.strange, kid: anotherName })),
    ],
  },
  hmac: {
    says: 'an HMAC with the public key of the issuer for its secret',
    tokens: ({ sign, keys }) =>
      [keys.own.trim(), `${keys.own.trim()}\n`].map(async (secret) => signedByHmac(await sign(), secret)),
  },
}

for (const [name, { says, tokens }] of Object.entries(signed)) {
  requirement(
    {
      id: `sts.refuses.${name}`,
      level: 'must',
      statement: 'S2.11, S5.3, R41',
      says: `An identity token is refused that has ${says}`,
      profile,
    },
    async ({ sts }) => {
      const wishes = (await Promise.all(tokens(sts))).map((token) => ({ token }))

      const answers = await sts.besideGood(wishes)

      for (const answer of answers) refused(answer, `an identity token with ${says}`)
    },
  )
}

/** What can be made out of any identity token. */
const forged: Record<string, { says: string; wishes: (exchanging: Exchanging) => Promise<Wish[]> }> = {
  altered: {
    says: 'an identity token whose signature has one letter in another case, be it used before or not',
    wishes: async ({ fresh, exchange }) => {
      const used = await fresh()
      await exchange({ token: used })
      return [{ token: altered(used) }, { token: altered(await fresh()) }]
    },
  },
  'cut-short': {
    says: 'an identity token without the end of its signature, or without the whole of it',
    wishes: async ({ fresh }) => {
      const token = await fresh()
      return [{ token: token.slice(0, -8) }, { token: token.slice(0, token.lastIndexOf('.') + 1) }]
    },
  },
  'other-claims': {
    says: 'an identity token with other claims under its old signature',
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
    says: 'an identity token that another key signed, under whatever name',
    wishes: async ({ fresh }) => [
      { token: await signedByAnother(await fresh()) },
      { token: await signedByAnother(await fresh(), { kid: anotherName }) },
      { token: await signedByAnother(await fresh(), { kid: undefined }) },
    ],
  },
  'own-key': {
    says: 'an identity token that brings the key along which signed it',
    wishes: async ({ fresh }) => {
      const jwk = await anotherPublicKey()
      return [
        { token: await signedByAnother(await fresh(), { jwk }) },
        { token: await signedByAnother(await fresh(), { jwk, kid: anotherName }) },
      ]
    },
  },
  unsigned: {
    says: 'an identity token of the algorithm none',
    wishes: async ({ fresh }) =>
      Promise.all(['none', 'None', 'NONE', 'nOnE'].map(async (alg) => ({ token: unsigned(await fresh(), alg) }))),
  },
  'no-token': {
    says: 'an exchange without an identity token',
    wishes: async () => [{ token: undefined }, { header: 'Bearer ', token: '' }],
  },
  garbage: {
    says: 'garbage in place of an identity token',
    wishes: async () => ['garbage', 'a.b.c', 'eyJhbGciOiJSUzI1NiJ9.e30.AAAA'].map((token) => ({ token, shown: token })),
  },
  'api-token': {
    says: 'an API token in place of an identity token',
    wishes: async ({ apiToken }) => [{ token: await apiToken(), shown: '<exchanged API token>' }],
  },
  'unknown-identity': {
    says: 'an exchange for an identity that there is not, however much of its uid is right',
    wishes: async ({ uid }) => [
      { identity: `${uid}0` },
      { identity: uid.slice(0, -1) },
      { identity: `${uid}/${uid.slice(uid.lastIndexOf('/') + 1)}` },
      { identity: `${uid.slice(0, -1)}${uid.endsWith('0') ? '1' : '0'}` },
    ],
  },
}

for (const [name, { says, wishes }] of Object.entries(forged)) {
  requirement(
    {
      id: `sts.refuses.${name}`,
      level: 'must',
      statement: 'S5.3, R41',
      says: `Refused is ${says}`,
      profile,
    },
    async ({ exchanging }) => {
      const answers = await exchanging.besideGood(await wishes(exchanging))

      for (const answer of answers) refused(answer, says)
    },
  )
}

requirement(
  {
    id: 'sts.refusal.status',
    level: 'should',
    statement: 'S5.3, R33, R41',
    says: 'An exchange that is refused for the caller’s own mistake is answered with 4xx',
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

for (const kind of listedKinds) {
  requirement(
    {
      id: `auth.refuses.identity-token${kind === 'groups' ? '' : `@${kind}`}`,
      level: 'must',
      statement: 'S5.1, S5.3, R39',
      says: `An identity token that was not exchanged is refused by every operation on ${kind}, shows nothing and does nothing`,
      profile: isOfRegistry(kind) ? kinds[kind].listed.profile : profile,
    },
    async ({ premisesOf, trespassing, identityToken: bad, atLeast }) => {
      const premises = await premisesOf(kind)

      const twins = await trespass({ ...trespassing, premises, reopen: () => premisesOf(kind), bad }, 'identity-token')

      atLeast(1, 'equal calls that the good token may make', twins)
    },
  )
}

requirement(
  {
    id: 'sts.answer.refusals',
    level: 'observe',
    statement: 'S5.3, R41',
    says: 'What an exchange with garbage, without a token and for an unknown identity is answered',
    profile,
  },
  async ({ exchanging, observe }) => {
    const [garbage, missing, unknown] = await exchanging.besideGood([
      { token: 'garbage', shown: 'garbage' },
      { token: undefined },
      { identity: `${exchanging.uid}0` },
    ])

    const challenge = missing!.headers['www-authenticate'] === undefined ? 'no WWW-Authenticate' : 'WWW-Authenticate'
    observe(
      `garbage: ${outcomeOf(garbage!)}; no token: ${outcomeOf(missing!)}, ${challenge}; unknown identity: ${outcomeOf(unknown!)}`,
    )
  },
)

requirement(
  {
    id: 'sts.answer.audience',
    level: 'observe',
    statement: 'S5.3, R41',
    says: 'What an exchange for a foreign audience, an empty one and none is answered',
    profile,
  },
  async ({ exchanging, observe }) => {
    const [foreign, empty, none] = await exchanging.besideGood([{ aud: elsewhere }, { aud: '' }, { aud: undefined }])

    observe(`foreign: ${outcomeOf(foreign!)}; empty: ${outcomeOf(empty!)}; none: ${outcomeOf(none!)}`)
  },
)

requirement(
  {
    id: 'sts.answer.claims',
    level: 'observe',
    statement: 'S5.3, R41',
    says: 'What is answered to an identity token for a foreign audience, for none, not valid yet, without an end, and used twice',
    profile,
  },
  async ({ sts, observe }) => {
    const once = await sts.sign()
    const claims = [{ aud: elsewhere }, { aud: undefined }, { nbf: 4_102_444_800 }, { exp: undefined }]
    const tokens = await Promise.all(claims.map((changed) => sts.sign(changed)))
    await sts.exchange({ token: once })

    const answers = await sts.besideGood([...tokens, once].map((token) => ({ token })))

    const [foreign, none, early, endless, twice] = answers.map(outcomeOf)
    observe(`foreign: ${foreign}; none: ${none}; not yet: ${early}; no end: ${endless}; twice: ${twice}`)
  },
)

requirement(
  {
    id: 'sts.answer.identity',
    level: 'observe',
    statement: 'S5.3, R41',
    says: 'What an exchange is answered that names no identity, or an empty one',
    profile,
  },
  async ({ exchanging, observe }) => {
    const [none, empty] = await exchanging.besideGood([{ identity: undefined }, { identity: '' }])

    observe(`none: ${outcomeOf(none!)}; empty: ${outcomeOf(empty!)}`)
  },
)

requirement(
  {
    id: 'sts.answer.post',
    level: 'observe',
    statement: 'S5.3',
    says: 'Whether tokens are exchanged by POST, too',
    profile,
  },
  async ({ exchanging, observe }) => {
    const [posted] = await exchanging.besideGood([{ method: 'POST' }])

    observe(`POST: ${outcomeOf(posted!)}`)
  },
)

requirement(
  {
    id: 'sts.answer.members',
    level: 'observe',
    statement: 'S5.4',
    says: 'What an exchange answers beside the token',
    profile,
  },
  async ({ exchanging, observe }) => {
    const answer = await exchanging.exchange()

    const others = Object.keys(isObject(answer.json) ? answer.json : {}).filter((member) => member !== 'token')
    const beside = others.length === 0 ? 'nothing' : others.sort().join(', ')
    observe(succeeded(answer) ? beside : outcomeOf(answer))
  },
)

requirement(
  {
    id: 'sts.answer.after-deletion',
    level: 'observe',
    statement: 'S5.3, R41',
    says: 'What the API answers to a token whose identity was deleted',
    profile,
  },
  async ({ api, sts, observe }) => {
    const token = await sts.workingToken()

    await api.identities.delete(sts.uid)

    observe(`read: ${outcomeOf(await sts.read(token))}`)
  },
)
