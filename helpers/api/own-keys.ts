import { createVerify } from 'node:crypto'

/** The key of the suite's own token issuer, and the addresses under which it is published. */
export class OwnKeys {
  readonly #issuers: string[] = []
  readonly #renewed: string[] = []
  #pem: string | undefined

  /** The issuers below an address publish this key from now on; PEM text. */
  publish(issuers: string, pem: string): void {
    this.#issuers.push(issuers)
    this.#pem = pem
  }

  /** A further key was published: how soon a target takes it is open (R41). */
  renew(pem: string): void {
    this.#renewed.push(pem)
  }

  /** Whether the key that the issuer publishes signed a token; undefined where that is open, or the issuer is not the suite's. */
  signed(token: string, { iss }: Record<string, unknown>): boolean | undefined {
    const isOwn = typeof iss === 'string' && this.#issuers.some((base) => iss.startsWith(base))
    if (!isOwn || this.#pem === undefined) return undefined
    const [header = '', claims = '', signature = ''] = token.split('.')
    const verifies = (pem: string) =>
      createVerify('RSA-SHA256').update(`${header}.${claims}`).verify(pem, signature, 'base64url')
    return verifies(this.#pem) || (this.#renewed.some(verifies) ? undefined : false)
  }
}
