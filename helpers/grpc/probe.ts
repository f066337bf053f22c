import { connect } from 'node:http2'
import { rootCertificates } from 'node:tls'
import { present } from '../../schemas/present.ts'
import { publishedPrefix } from '../../schemas/proto/services.ts'
import type { Target } from '../settings/configuration.ts'
import { grpcVersionOf } from './descriptors.ts'

/** How long to wait for a sign of gRPC, in milliseconds. */
const patience = 5_000

/** The empty message: not compressed, of length 0. */
const emptyMessage = Buffer.alloc(5)

/** The path of a list in the target's packages: it follows the version segment (S1.5, S9.7). */
const listGroups = (target: Target) =>
  `/${target.grpcPackage ?? publishedPrefix}.iam.${grpcVersionOf(target)}.GroupsService/ListGroups`

/**
 * Tries one gRPC method over HTTP/2, and says in comparable words what came: never an error, and never later than the
 * patience. Cleartext uses prior knowledge, TLS uses ALPN.
 */
export function probeGrpc(
  target: Target,
  authorization: string | undefined,
  within = patience,
  path = listGroups(target),
): Promise<string> {
  const { grpcUrl, baseUrl, headers, ca } = target
  const { origin } = new URL(grpcUrl ?? baseUrl)
  const asked = new Promise<string>((resolve) => {
    const session = connect(origin, {
      rejectUnauthorized: true,
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    })
    const timer = setTimeout(() => end(`nothing within ${within / 1000} s`), within)
    const end = (what: string) => {
      clearTimeout(timer)
      session.destroy()
      resolve(what)
    }
    let [spoken, status, code]: [boolean, number?, string?] = [false]
    const inWords = () => {
      if (status === undefined) return spoken ? 'no answer' : 'no HTTP/2'
      return `HTTP ${status}, ${code === undefined ? 'no grpc-status' : `grpc-status ${code}`}`
    }
    session.on('remoteSettings', () => {
      spoken = true
    })
    session.on('error', () => end(inWords()))
    session.on('close', () => end(inWords()))
    const stream = session.request({
      ...headers,
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...present({ authorization }),
    })
    stream.on('response', (came) => {
      status = came[':status']
      code = text(came['grpc-status'])
    })
    stream.on('trailers', (came) => {
      code ??= text(came['grpc-status'])
    })
    stream.on('error', () => end(inWords()))
    stream.on('close', () => end(inWords()))
    stream.resume()
    stream.end(emptyMessage)
  })
  return asked.catch(() => 'not asked: a header that a gateway wants cannot go over HTTP/2')
}

/** A gRPC status is digits; anything else is named as such, because a report shows it. */
function text(value: unknown): string | undefined {
  if (value === undefined) return undefined
  return /^\d{1,3}$/.test(String(value)) ? String(value) : 'no number'
}
