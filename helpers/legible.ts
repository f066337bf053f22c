import type { Answer } from './client.ts'

/** What can be read of a body all the same where a few of its bytes are wrong: enough to delete what was made. */
export function legible({ json, text }: Answer): unknown {
  if (json !== undefined) return json
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
