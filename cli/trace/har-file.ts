import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { entryOf } from '../../reports/formats/har.ts'
import type { Exchange, Report, TraceExchange, TraceHeader } from '../../schemas/types.ts'
import { traceLines } from './trace-lines.ts'

/** Writes every exchange of a trace as an HTTP archive, line by line: a whole run takes some fifty megabytes. */
export async function writeHar(report: Report, trace: string, path: string): Promise<void> {
  await pipeline(archive(report, trace), createWriteStream(path, { mode: 0o600 }))
}

async function* archive({ suite, requirements }: Report, trace: string): AsyncGenerator<string> {
  const rows = new Map(requirements.map((one) => [one.id, one]))
  const begun = new Map<string, string>()
  let header: TraceHeader | undefined
  yield `{"log":{"version":"1.2","creator":${JSON.stringify({ name: suite.name, version: suite.version })},"entries":[\n`
  for await (const line of traceLines(trace)) {
    if (line.line === 'header') header = line
    if (line.line !== 'exchange') continue
    yield `${begun.size === 0 ? '' : ',\n'}${JSON.stringify(entryOf(exchangeOf(line, header!), line.for))}`
    if (!begun.has(line.for)) begun.set(line.for, line.wall)
  }
  const pages = [...begun].map(([id, startedDateTime]) => {
    const row = rows.get(id)
    return { startedDateTime, id, title: row ? `${row.outcome} ${id}: ${row.says}` : id, pageTimings: {} }
  })
  yield `\n],"pages":${JSON.stringify(pages)}}}\n`
}

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
  } = line
  const asked = query.map(([name = '', value = '']) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  const body = line.raw ?? (line.body === undefined ? undefined : JSON.stringify(line.body))
  return {
    number: n,
    operation,
    phase,
    sentAt: wall,
    ms: Math.round(answered - sent),
    request: {
      method,
      url: `${line.below === 'auth' ? authUrl : baseUrl}${path}${asked.length === 0 ? '' : `?${asked.join('&')}`}`,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': line.contentType ?? 'application/json' }),
        ...(credential === 'none' ? {} : { authorization: credential }),
      },
      ...(body === undefined ? {} : { body }),
    },
    ...(status === undefined
      ? {}
      : { response: { status, headers: line.headers ?? {}, body: text, bytes: Buffer.byteLength(text) } }),
    ...(silence === undefined ? {} : { silence }),
  }
}
