import { generateKeyPairSync } from 'node:crypto'

/** Shared by the tests of submissions. */
export const keys = {
  ed25519: generateKeyPairSync('ed25519'),
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
}

/** Shared by the tests of submissions. */
export const pem = (key: (typeof keys)['ec']['privateKey']) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
