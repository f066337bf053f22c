import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Complain } from './configuration.ts'
import type { SettingName } from './settings.ts'

/** The text of a file, whichever editor saved it: a byte order mark says how it is encoded. */
export function textIn(path: string): string {
  const bytes = readFileSync(path)
  const encodings: Record<string, string> = { fffe: 'utf-16le', feff: 'utf-16be' }
  return new TextDecoder(encodings[bytes.toString('hex', 0, 2)]).decode(bytes)
}

/** Why a file cannot be read, in words that follow on its path. */
export function unreadable(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'is not there'
  return code === 'EISDIR' ? 'is a folder' : `cannot be read (${code ?? message})`
}

/** The text of a file that a setting names; undefined without a name, or where it cannot be read. */
export function fileFrom(path: string | undefined, name: SettingName, complain: Complain): string | undefined {
  if (!path) return undefined
  try {
    return textIn(path)
  } catch (error) {
    complain(name, `names '${path}', which ${unreadable(error)}`)
    return undefined
  }
}

const ofTheConnection =
  /^(accept|cache-control|connection|content-length|content-type|expect|keep-alive|proxy-authorization|te|transfer-encoding|upgrade)$/i

/** True for a PEM certificate. */
export function isPem(text: string): boolean {
  try {
    return new X509Certificate(text).fingerprint !== ''
  } catch {
    return false
  }
}

/** The headers in a file, one a line; refuses those that the suite itself must set. */
export function headersFrom(path: string | undefined, complain: Complain): Record<string, string> {
  const lines = (fileFrom(path, 'RMAPI_HEADERS_FILE', complain) ?? '').split(/\r?\n/)
  const headers: Record<string, string> = {}
  lines.forEach((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return
    const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*([\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)\s*$/.exec(line)
    if (!match) complain('RMAPI_HEADERS_FILE', `line ${index + 1} is not of the form 'Name: value'`)
    else if (/^authorization$/i.test(match[1]!))
      complain('RMAPI_HEADERS_FILE', `line ${index + 1} sets Authorization, which carries the API token`)
    else if (ofTheConnection.test(match[1]!))
      complain('RMAPI_HEADERS_FILE', `line ${index + 1} sets ${match[1]}, which the suite sets itself`)
    else headers[match[1]!] = match[2]!
  })
  return headers
}
