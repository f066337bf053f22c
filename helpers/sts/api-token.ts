import type { Run } from '../arrange/run.ts'
import { whereOf } from '../assertions/refused.ts'
import { conforms } from '../assertions/schema.ts'
import { violated } from '../assertions/violation.ts'
import { tokenIn } from '../http/access-token.ts'
import type { Answer } from '../http/call.ts'

/** The API token in the answer of an exchange (S5.4). */
export function apiTokenIn({ json }: Answer): string | undefined {
  return tokenIn(JSON.stringify(json) ?? '')
}

/** True for a token that can be sent as a bearer token at all. */
export const fitsHeader = (token: string) => !/[^\x21-\x7e]/.test(token)

/** Fails unless an answer holds a token that can be sent as a bearer token (S5.3, S5.4). */
export function holdsToken(answer: Answer): void {
  conforms(answer.json, 'token')
  if (fitsHeader(apiTokenIn(answer) ?? '')) return
  violated({
    message: 'the exchanged token cannot be sent in an Authorization header',
    expected: 'printable ASCII characters without a space',
    got: 'a token with others',
    where: whereOf(answer),
  })
}

/** A body in JSON with escapes undone that nothing asks for: a part of an escape is no part of a token. */
const unescaped = (body: string) =>
  body.replace(/\\u00(?!22|5c|7f)[2-7][0-9a-f]|\\\//gi, (coded) => JSON.parse(`"${coded}"`))

/** From now on everything in the answer that may be a token is secret: what looks like a JWT, or is called a token. */
export function concealTokens(answer: string, { secrets }: Pick<Run, 'secrets'>): void {
  const body = unescaped(answer)
  const jwts = body.match(/eyJ[\w-]{10,}(\.[\w-]*){0,4}/g) ?? []
  const called = [...body.matchAll(/token"\s*:\s*"((?:[^"\\]|\\.)+)"/gi)].map(([, value]) => value!)
  for (const token of [...jwts, ...called, tokenIn(body) ?? '']) secrets.hideSignature(token, '<exchanged API token>')
}
