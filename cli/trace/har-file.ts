import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { encoded } from '../../helpers/http/url.ts'
import { entryOf } from '../../reports/formats/har.ts'
import { present } from '../../schemas/present.ts'
import type { Exchange, Report, TraceExchange, TraceHeader } from '../../schemas/types.ts'
import { traceLines } from './trace-lines.ts'

/**
 * Writes every exchange of the traces of a report as an HTTP archive, line by line: a whole run takes some fifty
 * megabytes. Calls that were sent another way, and are in no trace, are added if the report keeps them.
 */
export async function writeHar(report: Report, traces: readonly string[], path: string): Promise<void> {
  await pipeline(archive(report, traces), createWriteStream(path, { mode: 0o600 }))
}

async function* archive({ suite, requirements }: Report, traces: readonly string[]): AsyncGenerator<string> {
  const rows = new Map(requirements.map((one) => [one.id, one]))
  const begun = new Map<string, string>()
  const seen = new Set<string>()
  let isFirst = true
  const entry = (exchange: Exchange, id: string) => {
    seen.add(keyOf(exchange))
    if (!begun.has(id)) begun.set(id, exchange.sentAt)
    const text = `${isFirst ? '' : ',\n'}${JSON.stringify(entryOf(exchange, id))}`
    isFirst = false
    return text
  }
  yield `{"log":{"version":"1.2","creator":${JSON.stringify({ name: suite.name, version: suite.version })},"entries":[\n`
  for (const trace of traces) {
    let header: TraceHeader | undefined
    for await (const line of traceLines(trace)) {
      if (line.line === 'header') header = line
      if (line.line === 'exchange') yield entry(exchangeOf(line, header!), line.for)
    }
  }
  for (const { id, exchanges = [] } of requirements)
    for (const each of exchanges) if (!seen.has(keyOf(each))) yield entry(each, id)
  const pages = [...begun].map(([id, startedDateTime]) => {
    const row = rows.get(id)
    return { startedDateTime, id, title: row ? `${row.outcome} ${id}: ${row.says}` : id, pageTimings: {} }
  })
  yield `\n],"pages":${JSON.stringify(pages)}}}\n`
}

/** Each run that a report was merged from counts from one. */
const keyOf = ({ number, sentAt }: Exchange) => `${number} ${sentAt}`

/** A line as a report would show it. */
function exchangeOf(line: TraceExchange, { baseUrl, authUrl }: TraceHeader): Exchange {
  const {
    n,
    operation,
    phase,
    method,
    path,
    query,
    sent,
    answered,
    wall,
    status,
    silence,
    text = '',
    credential,
    contentType,
    rpc,
  } = line
  const sentWith = credential === 'good' ? 'Bearer $RMAPI_ACCESS_TOKEN' : credential
  const asked = query.map(([name = '', value = '']) => `${encoded(name)}=${encoded(value)}`)
  const body = rpc?.message ?? line.raw ?? (line.body === undefined ? undefined : JSON.stringify(line.body))
  const plain = `${line.below === 'auth' ? authUrl : baseUrl}${path}${asked.length === 0 ? '' : `?${asked.join('&')}`}`
  return {
    number: n,
    operation,
    phase,
    sentAt: wall,
    ms: Math.round(answered - sent),
    request: {
      method: rpc === undefined ? method : 'POST',
      url: rpc?.url ?? plain,
      headers: {
        ...(rpc === undefined ? { accept: 'application/json' } : { te: 'trailers' }),
        ...(body === undefined
          ? {}
          : { 'content-type': rpc ? 'application/grpc' : (contentType ?? 'application/json') }),
        ...(credential === 'none' ? {} : { authorization: sentWith }),
      },
      ...present({ body }),
    },
    ...(status === undefined
      ? {}
      : { response: { status, headers: line.headers ?? {}, body: text, bytes: Buffer.byteLength(text) } }),
    ...present({ silence }),
  }
}
