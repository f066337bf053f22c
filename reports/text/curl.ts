import type { Exchange } from '../../schemas/types.ts'
import { hasUnseen } from './visible-text.ts'

/** The headers that every call has and no answer depends on. */
const usual: Record<string, string> = { accept: 'application/json', 'cache-control': 'no-cache' }

/** A line for a POSIX-like shell that sends an exchange again; with the token as a variable. */
export function curl({ request }: Exchange): string {
  const { method, url, headers, body } = request
  if (/^application\/grpc/.test(headers['content-type'] ?? '')) return grpcurl(request)
  const sent = Object.entries(headers).filter(([name, value]) => usual[name.toLowerCase()] !== value)
  return [
    'curl -sS',
    // brackets and dots would otherwise be rewritten before they are sent
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    ...(/\/\.{1,2}(\/|\?|$)/.test(url) ? ['--path-as-is'] : []),
    ...(method === 'GET' ? [] : [method === 'HEAD' ? '-I' : `-X ${shellWord(method)}`]),
    withToken(url),
    ...sent.map(([name, value]) => `-H ${header(name, value)}`),
    ...(body === undefined ? [] : [`--data-raw ${withToken(body)}`]),
  ].join(' ')
}

/** What a client of gRPC adds by itself. */
const ofGrpc = ['content-type', 'te', 'grpc-accept-encoding', 'grpc-encoding']

/** The same for a call over gRPC; where the target has no reflection, it needs the protos as well. */
function grpcurl({ url, headers, body = '{}' }: Exchange['request']): string {
  const { protocol, host, port, pathname } = new URL(url)
  const sent = Object.entries(headers).filter(([name]) => !ofGrpc.includes(name.toLowerCase()))
  return [
    'grpcurl',
    ...(protocol === 'http:' ? ['-plaintext'] : []),
    ...sent.map(([name, value]) => `-H ${header(name, value)}`),
    `-d ${shellQuote(body)}`,
    shellWord(port === '' ? `${host}:${protocol === 'http:' ? 80 : 443}` : host),
    shellWord(pathname.slice(1)),
  ].join(' ')
}

/** The command of the installed suite: without the option npx would fetch a missing package by name, beside a token. */
export const command = 'npx --no-install rmapi-conformance'

/** The command that says what a requirement means, and how it is judged. */
export function explanation(id: string): string {
  return `${command} explain ${shellWord(id)}`
}

function header(name: string, value: string): string {
  return withToken(name.toLowerCase() === 'authorization' ? `Authorization: ${value}` : `${written(name)}: ${value}`)
}

/** What a secret became: a variable, or the name of its coding. */
const secret = /(\$RMAPI_\w+|\$\{RMAPI_\w+[^\s"'`$(){}\\]*\}|<(?:token:)?RMAPI_ACCESS_TOKEN:? in base64>)/

/** One word of a shell that puts in the tokens, and nothing else. */
function withToken(text: string): string {
  const parts = text.split(secret).map((part, index) => (index % 2 === 1 ? inShell(part) : part))
  if (parts.length === 1) return shellQuote(text)
  const others = parts.filter((_, index) => index % 2 === 0)
  // in double quotes an interactive shell replaces ! as well
  if (!others.some((part) => /[!\\"`$]/.test(part) || hasUnseen(part))) return `"${parts.join('')}"`
  return parts.map((part, index) => (index % 2 === 1 ? `"${part}"` : part && shellQuote(part))).join('')
}

/** A secret as a shell puts it in: what was encoded is encoded there. */
function inShell(part: string): string {
  const [, before, after] = /^<(.*)RMAPI_ACCESS_TOKEN(.*) in base64>$/.exec(part) ?? []
  if (before === undefined) return part
  return `$(printf %s "${before}$RMAPI_ACCESS_TOKEN${after}" | base64 | tr -d '\\n')`
}

function written(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())
}

export function shellWord(text: string): string {
  return /^[\w@.,:/-]+$/.test(text) ? text : shellQuote(text)
}

/** One word of a shell, whatever it contains; invisible characters are written as bytes. */
export function shellQuote(text: string): string {
  if (!hasUnseen(text)) return `'${text.replaceAll("'", "'\\''")}'`
  const characters = Array.from(text, (character) => {
    if (character === '\n') return '\\n'
    if (character === "'" || character === '\\') return `\\${character}`
    if (!hasUnseen(character)) return character
    return [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
  })
  return `$'${characters.join('')}'`
}
