/** What a page token looks like, in words that are the same for similar tokens. */
export function styleOf(token: string): string {
  const length = token.length <= 40 ? 'short' : token.length <= 400 ? 'of middle length' : 'long'
  const characters = /^\d+$/.test(token)
    ? 'digits'
    : /^[\w-]+=*$/.test(token)
      ? 'letters and digits'
      : /^[\w+/-]+=*$/.test(token)
        ? 'base64'
        : 'other characters'
  const decoded = Buffer.from(token, 'base64url').toString('utf8')
  const readable = token.length > 8 && /^[\x20-\x7e\s]+$/.test(decoded) ? 'readable once decoded' : 'opaque'
  return `${length}, ${characters}, ${readable}`
}

/** The token with another first letter. */
export const flipped = (token: string) => `${token[0] === 'A' ? 'B' : 'A'}${token.slice(1)}`
