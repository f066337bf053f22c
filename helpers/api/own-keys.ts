import { createVerify } from 'node:crypto'

/** The keys of the suite's own token issuers, by the URLs that publish them. */
export class OwnKeys {
  readonly #published: { issuers: string; pem: string | undefined }[] = []
  readonly #renewed: string[] = []

  /** From now on the issuers below a URL publish this key, PEM text, or none that signs anything. */
  publish(issuers: string, pem?: string): void {
    this.#published.push({ issuers, pem })
  }

  /** A further key was published: how soon a target accepts it is open (R41). */
  renew(pem: string): void {
    this.#renewed.push(pem)
  }

  /** Whether the issuer's published key signed a token; undefined where that is open, or the issuer is another's. */
  signed(token: string, { iss }: Record<string, unknown>): boolean | undefined {
    const own = this.#published.find(({ issuers }) => typeof iss === 'string' && iss.startsWith(issuers))
    if (own === undefined) return undefined
    const [header = '', claims = '', signature = ''] = token.split('.')
    if (own.pem === undefined) return false
    const verifies = (pem: string) =>
      createVerify('RSA-SHA256').update(`${header}.${claims}`).verify(pem, signature, 'base64url')
    return verifies(own.pem) || (this.#renewed.some(verifies) ? undefined : false)
  }
}
