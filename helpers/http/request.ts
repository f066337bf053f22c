import type { Target } from '../settings/configuration.ts'
import type { Call, Credential } from './call.ts'
import type { OutgoingRequest } from './connections.ts'
import { queryString } from './url.ts'

const jsonType = 'application/json'

/** A call as it goes out, nothing added but what every call carries. */
export function requestFor(call: Call, credential: Credential, target: Target): OutgoingRequest {
  const { method, path, query, body, at, contentType = jsonType } = call
  const raw = (body as { raw?: unknown } | undefined)?.raw
  const text = body === undefined ? undefined : typeof raw === 'string' ? raw : JSON.stringify(body)
  const { baseUrl, authUrl } = target
  return {
    method,
    url: (at === 'auth' ? authUrl : baseUrl) + path + queryString(query),
    headers: {
      ...target.headers,
      accept: 'application/json',
      'cache-control': 'no-cache',
      ...(text === undefined || contentType === '' ? {} : { 'content-type': contentType }),
      ...credential.beside,
      ...(credential.header === undefined ? {} : { authorization: credential.header }),
    },
    ...(text === undefined ? {} : { body: text }),
  }
}
