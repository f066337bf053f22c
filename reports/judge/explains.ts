import type { Exchange } from '../../schemas/types.ts'
import type { Row } from './outcome.ts'

/** Claims about a parameter of lists, and how an address or a message over gRPC begins to ask for it. */
const parameters: readonly [claims: RegExp, asks: RegExp][] = [
  [/^list\.filter\b/, /\bname=|"name":/],
  [/^list\.order\.(?!default|stable)/, /\border_by=|"orderBy":/],
  [/^list\.skip\b/, /\bskip=|"skip":/],
  [/^list\.(walk|token)\b/, /\bpage_token=|"pageToken":/],
  [/^list\.scope\.descendants\b/, /\bdescendants_of=|"descendantsOf":/],
  [/^list\.scope\.children\b/, /\bchildren_of=|"childrenOf":/],
]

/** Claims about a write, and its method over HTTP and over gRPC. */
const writes: readonly [claims: RegExp, does: RegExp][] = [
  [/(^|\.)create\./, /\.create$/],
  [/(^|\.)update\./, /\.update$/],
  [/(^|\.)delete\./, /\.delete$/],
]

/**
 * True where a claim that failed may explain what a row of the model found in an answer: a claim about a parameter
 * explains answers to lists that asked for it, one about a write what such a write came before, and one about gRPC
 * only what was asked or written over it.
 */
export function mayExplain(claim: string, { header, exchanges }: Row, judged: Exchange): boolean {
  const [id = ''] = claim.replace(/^grpc\./, '').split('@')
  if (claim.startsWith('grpc.') && ![judged, ...exchanges.filter(isWrite)].some(isOverGrpc)) return false
  if (id.startsWith('list.') && !judged.operation.endsWith('.list')) return false
  const asks = parameters.find(([claims]) => claims.test(id))?.[1]
  const isAsked =
    asks === undefined || asks.test(`${judged.request.url} ${judged.request.body}`) || isOfPages.test(header.id)
  const does = writes.find(([claims]) => claims.test(id))?.[1]
  return isAsked && (does === undefined || exchanges.some(({ operation }) => does.test(operation)))
}

const isWrite = ({ operation }: Exchange) => /\.(create|update|delete)$/.test(operation)

const isOverGrpc = ({ operation }: Exchange) => operation.startsWith('grpc.')

/** Rows about what several pages show together. */
const isOfPages = /\.(walk|token)$/
