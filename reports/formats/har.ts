import type { Exchange, Report } from '../../schemas/types.ts'

/**
 * The kept exchanges as an HTTP archive (HAR 1.2), a page for each requirement: a browser's developer tools open it.
 * An exchange that proves several requirements is listed under the first of them.
 */
export function toHar({ suite, requirements }: Report): string {
  const seen = new Set<string>()
  // the runs that a report was merged from each count from one
  const keyOf = ({ number, sentAt }: Exchange) => `${number} ${sentAt}`
  const pages = requirements.flatMap((one) => {
    const own = (one.exchanges ?? []).filter((each) => !seen.has(keyOf(each)))
    for (const each of own) seen.add(keyOf(each))
    return own.length > 0 ? [{ one, own }] : []
  })
  const log = {
    version: '1.2',
    creator: { name: suite.name, version: suite.version },
    pages: pages.map(({ one, own }) => ({
      startedDateTime: own[0]!.sentAt,
      id: one.id,
      title: `${one.outcome} ${one.id}: ${one.says}`,
      pageTimings: {},
    })),
    entries: pages
      .flatMap(({ one, own }) => own.map((exchange) => ({ exchange, entry: entryOf(exchange, one.id) })))
      .sort((a, b) => a.exchange.sentAt.localeCompare(b.exchange.sentAt) || a.exchange.number - b.exchange.number)
      .map(({ entry }) => entry),
  }
  return `${JSON.stringify({ log }, null, 1)}\n`
}

/** One exchange as an entry of an archive, on the page of the requirement that it was sent for. */
export function entryOf(exchange: Exchange, id: string) {
  const { number, operation, phase, sentAt, ms, silence } = exchange
  return {
    pageref: id,
    startedDateTime: sentAt,
    time: ms,
    request: requestOf(exchange),
    response: responseOf(exchange),
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
    connection: String(number),
    comment: `${phase} ${operation}${silence === undefined ? '' : `, no answer: ${silence}`}`,
  }
}

/** gRPC is HTTP/2; of all other calls a report does not know the version. */
const versionOf = ({ request: { headers } }: Exchange) =>
  /^application\/grpc/.test(typeIn(headers)) ? 'HTTP/2' : 'HTTP/1.1'

function requestOf(exchange: Exchange) {
  const { method, url, headers, body } = exchange.request
  const query = URL.canParse(url) ? [...new URL(url).searchParams] : []
  return {
    method,
    url,
    httpVersion: versionOf(exchange),
    cookies: [],
    headers: listed(headers),
    queryString: query.map(([name, value]) => ({ name, value })),
    headersSize: -1,
    bodySize: body === undefined ? 0 : Buffer.byteLength(body),
    ...(body === undefined ? {} : { postData: { mimeType: typeIn(headers), text: body } }),
  }
}

/** The answer; an archive gives status 0 to one that never came. */
function responseOf(exchange: Exchange) {
  const { response } = exchange
  const { status, headers, body, bytes } = response ?? { status: 0, headers: {}, body: '', bytes: 0 }
  return {
    status,
    statusText: '',
    httpVersion: versionOf(exchange),
    cookies: [],
    headers: listed(headers),
    content: { size: bytes, mimeType: typeIn(headers), text: body },
    redirectURL: '',
    headersSize: -1,
    bodySize: response ? bytes : -1,
  }
}

function listed(headers: Record<string, string>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}

function typeIn(headers: Record<string, string>): string {
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? []
  return value ?? 'application/octet-stream'
}
