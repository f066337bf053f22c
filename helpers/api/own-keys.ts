import { createVerify } from 'node:crypto'

/** The keys of the suite's own token issuers, by the addresses under which they are published. */
export class OwnKeys {
  readonly #published: { issuers: string; pem: string }[] = []
  readonly #renewed: string[] = []

  /** The issuers below an address publish this key from now on; PEM text. */
  publish(issuers: string, pem: string): void {
    this.#published.push({ issuers, pem })
  }

  /** A further key was published: how soon a target takes it is open (R41). */
  renew(pem: string): void {
    this.#renewed.push(pem)
  }

  /** Whether the key that the issuer publishes signed a token; undefined where that is open, or the issuer is not the suite's. */
  signed(token: string, { iss }: Record<string, unknown>): boolean | undefined {
    const own = this.#published.find(({ issuers }) => typeof iss === 'string' && iss.startsWith(issuers))
    if (own === undefined) return undefined
    const [header = '', claims = '', signature = ''] = token.split('.')
    const verifies = (pem: string) =>
      createVerify('RSA-SHA256').update(`${header}.${claims}`).verify(pem, signature, 'base64url')
    return verifies(own.pem) || (this.#renewed.some(verifies) ? undefined : false)
  }
}
