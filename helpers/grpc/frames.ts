import { gunzipSync, gzipSync } from 'node:zlib'
import { largestAnswer } from '../http/body-budget.ts'

/** A message with its five-byte prefix: whether it is compressed, and its length. */
export function frameOf(message: Uint8Array, gzip = false): Buffer {
  const bytes = gzip ? gzipSync(message) : Buffer.from(message)
  const head = Buffer.alloc(5)
  head.writeUInt8(gzip ? 1 : 0, 0)
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
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
