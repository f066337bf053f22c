import { present } from '../../schemas/present.ts'
import type { TraceExchange } from '../../schemas/types.ts'
import { isObject } from '../api/received.ts'
import { readJson } from '../http/body.ts'
import { type Caller, type Observation, repeatedParameter, type Sent } from '../model/observation.ts'

/** A line that holds one call with its answer, as the model takes it; `json` is the parsed answer where it is known. */
export function observationOf(line: TraceExchange, moved: number, json = jsonOf(line)): Observation {
  const { n, answered, status, text = '', issued: token, nextPage: nextPageToken, identity, now, lives } = line
  const named = present({ token, nextPageToken })
  const isNamed = token !== undefined || nextPageToken !== undefined
  return {
    ...sentOf(line),
    n,
    answered,
    ...(status === undefined ? {} : { status, json: isNamed ? { ...(json as object), ...named } : json }),
    text,
    moved,
    ...present({ headers: line.headers }),
    ...(line.over === 'grpc' || line.operation.startsWith('grpc.') ? { over: 'grpc' as const } : {}),
    ...(identity === undefined ? {} : { identityToken: { signed: undefined, ...identity } }),
    ...present({ now, lives }),
  }
}

/** The call of such a line. */
export function sentOf(line: TraceExchange): Sent {
  const { method, path, below: at, query, page, credential, sent } = line
  const asked = Object.fromEntries(query.map(([name = '', value = '']) => [name, value]))
  if (page !== undefined) asked.page_token = page
  if (Object.keys(asked).length < query.length) asked[repeatedParameter] = 'yes'
  return { method, path, at, query: asked, ...bodyOf(line), caller: callerOf(credential), sent }
}

/** The JSON of the answer, where it could be parsed. */
function jsonOf({ text = '', notJson }: Pick<TraceExchange, 'text' | 'notJson'>): unknown {
  return notJson === undefined ? readJson(Buffer.from(text)).json : undefined
}

function callerOf(credential: string): Caller {
  if (credential === 'good') return { is: 'own' }
  if (credential === 'open') return { is: 'open' }
  if (credential === 'none') return { is: 'bad', how: 'no Authorization header' }
  const [, token] = /^token: (.*)$/s.exec(credential) ?? []
  return token === undefined ? { is: 'bad', how: credential.replace(/^bad: /, '') } : { is: 'bearer', token }
}

/** A caller by name; the token of another already has a name. */
export function credentialOf(caller: Caller): string {
  if (caller.is === 'own') return 'good'
  if (caller.is === 'open') return 'open'
  if (caller.is === 'bearer') return `token: ${caller.token}`
  return caller.how === 'no Authorization header' ? 'none' : `bad: ${caller.how}`
}

function bodyOf({ body, raw, contentType, status }: Partial<TraceExchange>): Pick<Sent, 'body' | 'reads' | 'texts'> {
  const isSure = contentType === undefined || (inUtf8.test(contentType) && `${status}`.startsWith('2'))
  // no bytes are refused or say nothing (R37)
  if (raw === '') return { body: {}, reads: 'perhaps' }
  if (raw === undefined) return body === undefined ? {} : isSure && isText(body) ? { body } : { body, reads: 'perhaps' }
  try {
    const read: unknown = JSON.parse(raw)
    // parsers differ on duplicate members and long numbers
    const isPlain = JSON.stringify(read).length === plainly(raw).length && isText(read)
    return isSure && isPlain ? { body: read } : { body: read, reads: 'perhaps' }
  } catch {
    const texts = [...raw.matchAll(/["']([^"']{8,})/g)].map(([, text]) => text!)
    return { texts, reads: raw.startsWith('\uFEFF') || beginsWithObject(raw) ? 'perhaps' : 'never' }
  }
}

/** A charset does not matter to JSON: it may be refused, and if accepted the body is read as without one (R51). */
const inUtf8 = /^application\/json *; *charset=("?)utf-8\1$/i

/** JSON without white space and unnecessary escapes: all parsers read it alike (R51). */
const plainly = (raw: string) =>
  raw.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (token) => (token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : ''))

/** False where a body has half a surrogate pair, which UTF-8 cannot encode (RFC 3629). */
const isText = (body: unknown) => !/\\ud[89a-f][0-9a-f]{2}/.test(JSON.stringify(body) ?? '')

/** True where a decoder that reads one value, and ignores what follows it, reads an object (R37). */
function beginsWithObject(raw: string): boolean {
  const ends = [...raw.matchAll(/\}/g)].slice(0, 20).map(({ index }) => index + 1)
  return ends.some((end) => {
    try {
      return typeof JSON.parse(raw.slice(0, end)) === 'object'
    } catch {
      return false
    }
  })
}

/** The claims of a JWT, or with `part` 0 its header; undefined where it is not one. */
export function claimsOf(token: string, part: 0 | 1): Record<string, unknown> | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString('utf8'))
    return isObject(claims) ? claims : undefined
  } catch {
    return undefined
  }
}
