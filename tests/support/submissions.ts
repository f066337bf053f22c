import { generateKeyPairSync } from 'node:crypto'

/** What attestations are signed with. */
export const keys = {
  ed25519: generateKeyPairSync('ed25519'),
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
}

/** A private key as PEM. */
export const pem = (key: (typeof keys)['ec']['privateKey']) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
