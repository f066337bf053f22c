import type { IncomingMessage } from 'node:http'
import type { Fields } from '../domain/item.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Context } from '../domain/service.ts'

/** All bytes of a request's body. */
export async function bytesOf(request: IncomingMessage): Promise<Uint8Array> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  if (length === undefined && coding === undefined) return nothing
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const nothing = new Uint8Array()

/** The fields in a body (S1.6). */
export function fieldsIn(bytes: Uint8Array, at: Context): Fields {
  const fields = at.world.rules.body(bytes, at)
  if (!fields) throw new Refusal('invalid', 'body', 'the body is not a JSON object')
  return fields
}
