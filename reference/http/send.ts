import type { ServerResponse } from 'node:http'
import type { Context } from '../domain/service.ts'
import type { Answer } from '../rules/values.ts'

/** Writes an answer; no bytes where it has no body (S1.6). */
export function send(response: ServerResponse, { status, headers, body }: Answer, at: Context): void {
  const text = body === undefined ? '' : at.world.rules.text(body, at)
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const own = {
    date: new Date(at.world.now()).toUTCString(),
    'content-length': String(Buffer.byteLength(text)),
  }
  response.writeHead(status, { ...type, ...own, ...headers })
  // text, unlike bytes, is sent in one piece with the headers
  response.end(text)
}
