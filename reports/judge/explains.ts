import type { Exchange } from '../../schemas/types.ts'
import type { Row } from './outcome.ts'

type Asked = Exchange['request']

/** Claims about a parameter of lists, and what asks for it in an address or in a message over gRPC. */
const parameters: readonly [claims: RegExp, asks: RegExp][] = [
  [/^list\.filter\b/, /\bname[=":]/],
  [/^list\.order\.(?!default|stable)/, /\border(_b|B)y\b/],
  [/^list\.skip\b/, /\bskip\b/],
  [/^list\.(walk|token)\b/, /\bpage(_t|T)oken\b/],
  [/^list\.scope\.descendants\b/, /\bdescendants(_o|O)f\b/],
  [/^list\.scope\.children\b/, /\bchildren(_o|O)f\b/],
]

/** Claims about a write, and its method over HTTP and over gRPC. */
const writes: readonly [claims: RegExp, does: RegExp][] = [
  [/(^|\.)update\./, /\.update$/],
  [/^\w+\.delete\./, /\.delete$/],
]

/**
 * True where a claim that failed may explain what a row of the model found in an answer: a claim about a parameter
 * explains answers to lists that asked for it, and one about a write explains what such a write came before.
 */
export function mayExplain(claim: string, { header, exchanges }: Row, judged: Exchange): boolean {
  const [id = ''] = claim.replace(/^grpc\./, '').split('@')
  if (id.startsWith('list.') && !judged.operation.endsWith('.list')) return false
  const asks = parameters.find(([claims]) => claims.test(id))?.[1]
  const isAsked = asks === undefined || asks.test(askedIn(judged.request)) || isOfPages.test(header.id)
  const does = writes.find(([claims]) => claims.test(id))?.[1]
  return isAsked && (does === undefined || exchanges.some(({ operation }) => does.test(operation)))
}

/** Rows about what several pages show together. */
const isOfPages = /\.(walk|token)$/

/** The parameters of a call: its query, or its message over gRPC. */
const askedIn = ({ url, body = '' }: Asked) => `${url.slice(url.indexOf('?') + 1)} ${body}`
