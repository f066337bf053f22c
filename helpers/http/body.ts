import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { largestAnswer, tooIntricate } from './body-budget.ts'
import type { Answer } from './call.ts'

/** What can still be read of a body with a few wrong bytes: enough to delete what was made. */
export function legible({ json, text }: Partial<Answer> & Pick<Answer, 'text'>): unknown {
  if (json !== undefined) return json
  if (tooIntricate(Buffer.from(text)) !== undefined) return undefined
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

// ignoreBOM keeps the mark in the text, where RFC 8259 forbids it
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Why a body is not JSON where its bytes are not even text. */
export const notUtf8 = 'the body is not JSON: its bytes are not UTF-8'

/** The body as text, and as JSON; `notJson` says why it is not JSON. */
export function readJson(bytes: Buffer): { text: string; json: unknown; notJson?: string } {
  if (bytes.length === 0) return { text: '', json: undefined, notJson: 'the body is empty' }
  const intricate = tooIntricate(bytes)
  let text: string | undefined
  try {
    text = strict.decode(bytes)
    if (intricate !== undefined) return { text, json: undefined, notJson: intricate }
    return { text, json: JSON.parse(text) }
  } catch (error) {
    const mark = bytes.subarray(0, 3).equals(Buffer.from('\uFEFF'))
      ? 'it begins with a byte order mark'
      : (error as Error).message
    const why = text === undefined ? notUtf8 : `the body is not JSON: ${mark}`
    return { text: text ?? bytes.toString('utf8'), json: undefined, notJson: why }
  }
}

/** True for an object or an array in JSON that ends within itself. */
export function endsEarly(bytes: Buffer): boolean {
  const text = bytes.toString('latin1')
  if (!/^\s*[[{]/.test(text)) return false
  let [depth, isInText, isEscaped] = [0, false, false]
  for (const sign of text) {
    if (isEscaped) isEscaped = false
    else if (isInText && sign === '\\') isEscaped = true
    else if (sign === '"') isInText = !isInText
    else if (!isInText && /[[{]/.test(sign)) depth++
    else if (!isInText && /[\]}]/.test(sign)) depth--
  }
  return isInText || depth > 0
}

const mostCodings = 4

/** A body without its content coding; throws where that is more than an answer may hold. */
export function decoded(bytes: Buffer, coding = 'identity'): Buffer {
  const limit = { maxOutputLength: largestAnswer }
  const undo: Record<string, (coded: Buffer) => Buffer> = {
    gzip: (coded) => gunzipSync(coded, limit),
    'x-gzip': (coded) => gunzipSync(coded, limit),
    // with the zlib header that the name promises, or without it, as many send it
    deflate: (coded) => (coded[0]! % 16 === 8 ? inflateSync : inflateRawSync)(coded, limit),
    br: (coded) => brotliDecompressSync(coded, limit),
  }
  const codings = coding.split(',')
  if (bytes.length === 0) return bytes
  if (codings.length > mostCodings) throw new Error(`the body has ${codings.length} content codings`)
  return codings
    .reverse()
    .reduce((coded, name) => (undo[name.trim().toLowerCase()] ?? ((same: Buffer) => same))(coded), bytes)
}

/** How long the second piece of a body comes after the first, in milliseconds. */
const pause = 20

/**
 * What goes out: if the headers name a transfer coding, two pieces, split within a multi-byte character. Those of
 * `chunked` have no length; those of `identity` have one, and the second comes later.
 */
export function payloadOf({ headers, body }: { headers: Record<string, string>; body?: string }) {
  const { 'transfer-encoding': coding, ...others } = headers
  if (coding === undefined || body === undefined) return { headers, body: body ?? null }
  const bytes = Buffer.from(body)
  const wide = bytes.findIndex((byte) => byte > 0x7f)
  const middle = wide < 0 ? Math.ceil(bytes.length / 2) : wide + 1
  const pieces = [bytes.subarray(0, middle), bytes.subarray(middle)] as const
  if (coding === 'chunked') return { headers: others, body: Readable.from(pieces) }
  return { headers: { ...others, 'content-length': String(bytes.length) }, body: Readable.from(slowly(pieces)) }
}

async function* slowly([first, second]: readonly [Buffer, Buffer]) {
  yield first
  await sleep(pause)
  yield second
}
