import { gunzipSync, gzipSync } from 'node:zlib'
import { largestAnswer } from '../http/body-budget.ts'
import type { RawAnswer } from './channel.ts'

/** A message with its five-byte prefix: whether it is compressed, and its length. */
export function frameOf(message: Uint8Array, gzip = false): Buffer {
  const bytes = gzip ? gzipSync(message) : Buffer.from(message)
  const head = Buffer.alloc(5)
  head.writeUInt8(gzip ? 1 : 0, 0)
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

/** The content types of a bare message, as Connect sends it, and of gRPC-Web, whose trailers are a last frame. */
export const [connectType, webType] = ['application/proto', 'application/grpc-web+proto']

/** The bytes in which a message goes out under a content type. */
export const bytesFor = (message: Uint8Array, type: string | undefined, gzip?: boolean): Buffer =>
  type === connectType ? Buffer.from(message) : frameOf(message, gzip)

/** An answer under the content type of its call, as gRPC itself would have given it. */
export function unwrapped(answer: RawAnswer, asked: string | undefined): RawAnswer {
  const { status, headers, bytes } = answer
  if (status !== 200 || asked === undefined || !headers['content-type']?.startsWith(asked)) return answer
  if (asked === connectType) return { status, headers: { ...headers, 'grpc-status': '0' }, bytes: frameOf(bytes) }
  let at = 0
  while (at + 5 <= bytes.length && bytes.readUInt8(at) < 0x80) at += 5 + bytes.readUInt32BE(at + 1)
  const trailers = bytes
    .subarray(at + 5)
    .toString('latin1')
    .split('\r\n')
    .map((line) => [line.split(':')[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()])
  return { status, headers: { ...headers, ...Object.fromEntries(trailers) }, bytes: bytes.subarray(0, at) }
}

/** The messages of a stream, decompressed; throws where the bytes are cut or in an unknown coding. */
export function messagesIn(bytes: Buffer, coding = 'identity'): Buffer[] {
  const all: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    if (bytes.length - at < 5) throw new Error('the answer ends within the head of a message')
    const [flag, length] = [bytes.readUInt8(at), bytes.readUInt32BE(at + 1)]
    const message = bytes.subarray(at + 5, at + 5 + length)
    if (message.length < length) throw new Error(`a message of ${length} bytes is cut after ${message.length}`)
    if (flag === 1 && coding !== 'gzip') throw new Error(`a message is compressed, and its encoding is '${coding}'`)
    all.push(flag === 1 ? gunzipSync(message, { maxOutputLength: largestAnswer }) : message)
    at += 5 + length
  }
  return all
}
