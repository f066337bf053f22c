import { refused } from '../../helpers/assertions/refused.ts'
import {
  altered,
  anotherName,
  anotherPublicKey,
  reclaimed,
  signedByAnother,
  unsigned,
} from '../../helpers/auth/forged-jwt.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import type { Exchanging, Wish } from '../../helpers/sts/token-exchange.ts'

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

const profile = 'sts'

for (const [name, { words, quote, wishes }] of Object.entries(forged)) {
  requirement(
    {
      id: `sts.refuses.${name}`,
      level: 'must',
      statement: 'S5.3, R41',
      quote,
      says: `An exchange with ${words} is refused`,
      profile,
    },
    async ({ exchanging }) => {
      const answers = await exchanging.besideGood(await wishes(exchanging))

      for (const answer of answers) refused(answer, `an exchange with ${words}`)
    },
  )
}
