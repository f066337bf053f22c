import {
  altered,
  anotherCertificate,
  anotherName,
  anotherPublicKey,
  barelySigned,
  type ForgedAlgorithm,
  ofZeros,
  reclaimed,
  signedByAnother,
  signedByHmac,
  signedByNamedKeys,
  signedByOwnKeys,
  unsigned,
} from '../auth/forged-jwt.ts'
import type { Wish } from './exchange-call.ts'
import type { Exchanging } from './token-exchange.ts'

/** Exchanges that anyone who holds an identity token can forge. */
export const forgedExchanges: Record<string, { words: string; wishes: (exchanging: Exchanging) => Promise<Wish[]> }> = {
  altered: {
    words: 'an altered signature on a fresh or used token',
    wishes: async ({ fresh, exchange }) => {
      const used = await fresh()
      await exchange({ token: used })
      return [{ token: altered(used) }, { token: altered(await fresh()) }]
    },
  },
  'cut-short': {
    words: 'a truncated or missing signature',
    wishes: async ({ fresh }) => {
      const token = await fresh()
      return [{ token: token.slice(0, -8) }, { token: token.slice(0, token.lastIndexOf('.') + 1) }]
    },
  },
  'other-claims': {
    words: 'changed claims under the old signature',
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
    wishes: async ({ fresh }) => [
      { token: await signedByAnother(await fresh()) },
      { token: await signedByAnother(await fresh(), { kid: anotherName }) },
      { token: await signedByAnother(await fresh(), { kid: undefined }) },
      { token: signedByHmac(await fresh(), '') },
      { token: ofZeros(await fresh()) },
    ],
  },
  'own-key': {
    words: 'a token signed by the key or certificate in its own header',
    wishes: async ({ fresh }) => {
      const [jwk, x5c] = [await anotherPublicKey(), [await anotherCertificate()]]
      const single = [{ jwk }, { jwk, kid: anotherName }, { x5c }, { x5c, kid: undefined }]
      const alone = await Promise.all(single.map(async (header) => signedByAnother(await fresh(), header)))
      const forged = (await signedByOwnKeys(await fresh())).map(([, token]) => token)
      return [...alone, ...forged, ...signedByNamedKeys(await fresh())].map((token) => ({ token }))
    },
  },
  unsigned: {
    words: 'a token that uses the algorithm none',
    wishes: async ({ fresh }) => {
      const plain = ['none', 'None', 'NONE', 'nOnE'].map(async (alg) => unsigned(await fresh(), alg))
      return [...(await Promise.all(plain)), ...barelySigned(await fresh())].map((token) => ({ token }))
    },
  },
  'no-token': {
    words: 'no identity token',
    wishes: async () => [{ token: undefined }, { header: 'Bearer ', token: '' }],
  },
  garbage: {
    words: 'garbage in place of an identity token',
    wishes: async () => ['garbage', 'a.b.c', 'eyJhbGciOiJSUzI1NiJ9.e30.AAAA'].map((token) => ({ token, shown: token })),
  },
  'api-token': {
    words: 'an API token in place of an identity token',
    wishes: async ({ apiToken }) => [{ token: await apiToken(), shown: '<exchanged API token>' }],
  },
  'unknown-identity': {
    words: 'an unknown identity uid, even one that resembles a real uid,',
    wishes: async ({ uid }) => [
      { identity: `${uid}0` },
      { identity: uid.slice(0, -1) },
      { identity: `${uid}/${uid.slice(uid.lastIndexOf('/') + 1)}` },
      { identity: `${uid.slice(0, -1)}${uid.endsWith('0') ? '1' : '0'}` },
      // an opaque uid has no separate part (R10)
      ...(uid.includes('/') ? [{ identity: uid.slice(uid.lastIndexOf('/') + 1) }] : []),
    ],
  },
}

type Led = [header: Record<string, unknown>, alg: ForgedAlgorithm]

/** Headers that point to a strange key, with an algorithm; all but the first only if the key is on this machine. */
export function leadingTo(strange: string): Led[] {
  const key = { jku: strange, kid: anotherName }
  if (new URL(strange).hostname !== '127.0.0.1') return [[key, 'RS256']]
  const certificate = `${strange}/RS256.pem`
  const alone = [key, { jku: strange }, { x5u: certificate }, { kid: certificate }, { kid: strange }]
  const both = (['PS256', 'ES256', 'ES384'] as const).map(
    (alg): Led => [{ jku: `${strange}/${alg}`, x5u: `${strange}/${alg}.pem`, kid: anotherName }, alg],
  )
  return [...alone.map((header): Led => [header, 'RS256']), ...both]
}
