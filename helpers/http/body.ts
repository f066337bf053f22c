import type { Answer } from './call.ts'

/** What can be read of a body all the same where a few of its bytes are wrong: enough to delete what was made. */
export function legible({ json, text }: Answer): unknown {
  if (json !== undefined) return json
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

// ignoreBOM keeps the mark in the text, where RFC 8259 forbids it
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Why a body is no JSON where its bytes are no text at all. */
export const notUtf8 = 'the body is not JSON: its bytes are not UTF-8'

/** The body as text, and as JSON; `notJson` says why it is none. */
export function readJson(bytes: Buffer): { text: string; json: unknown; notJson?: string } {
  if (bytes.length === 0) return { text: '', json: undefined, notJson: 'the body is empty' }
  let text: string | undefined
  try {
    text = strict.decode(bytes)
    return { text, json: JSON.parse(text) }
  } catch (error) {
    const mark = bytes.subarray(0, 3).equals(Buffer.from('\uFEFF'))
      ? 'it begins with a byte order mark'
      : (error as Error).message
    const why = text === undefined ? notUtf8 : `the body is not JSON: ${mark}`
    return { text: text ?? bytes.toString('utf8'), json: undefined, notJson: why }
  }
}
