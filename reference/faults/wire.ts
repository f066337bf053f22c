import { gzipSync } from 'node:zlib'
import { type Fault, fault } from '../fault.ts'
import { withRequest } from '../replace.ts'
import { foundByModel } from './run/histories.ts'

/** A header of the request in small letters; empty over gRPC. */
const headerOf = (headers: Record<string, unknown> | undefined, name: string) => String(headers?.[name] ?? '')

/** Faults that show only if the same call is sent in another form (R51). */
export const wireFaults: readonly Fault[] = [
  fault(
    'a body of JSON with a charset is not read',
    foundByModel,
    withRequest((request, contract) => ({
      body: (bytes, at) =>
        at.over !== 'grpc' && /charset/.test(headerOf(request()?.headers, 'content-type'))
          ? {}
          : contract.body(bytes, at),
    })),
  ),
  fault(
    'a body without a length is not read',
    foundByModel,
    withRequest((request, contract) => ({
      body: (bytes, at) =>
        at.over !== 'grpc' && headerOf(request()?.headers, 'transfer-encoding') === 'chunked'
          ? {}
          : contract.body(bytes, at),
    })),
  ),
  fault('an escaped pair of surrogates becomes two question marks', foundByModel, (contract) => ({
    body: (bytes, at) =>
      contract.body(
        Buffer.from(
          Buffer.from(bytes)
            .toString()
            .replace(/\\ud[89a-f][0-9a-f]{2}/gi, '\\ufffd'),
        ),
        at,
      ),
  })),
  fault('an escaped slash keeps its backslash', foundByModel, (contract) => ({
    body: (bytes, at) => contract.body(Buffer.from(Buffer.from(bytes).toString().replaceAll('\\/', '\\\\/')), at),
  })),
  fault('names of members are not unescaped', foundByModel, (contract) => ({
    body(bytes, at) {
      const fields = contract.body(bytes, at)
      const text = Buffer.from(bytes).toString()
      return fields && Object.fromEntries(Object.entries(fields).filter(([name]) => text.includes(`"${name}"`)))
    },
  })),
  fault('a compressed answer ends after sixteen KiB', foundByModel, (contract) => ({
    transport(request, response, serve, at) {
      if (!/\bgzip\b/.test(headerOf(request.headers, 'accept-encoding')))
        return contract.transport(request, response, serve, at)
      const { writeHead, end } = response
      let head: [number, Record<string, string>] = [200, {}]
      response.writeHead = ((...given: typeof head) => {
        head = given
        return response
      }) as typeof writeHead
      response.end = ((text = '') => {
        const bytes = gzipSync(Buffer.from(text).subarray(0, 16_384))
        const length = `${bytes.length}`
        writeHead.call(response, head[0], { ...head[1], 'content-encoding': 'gzip', 'content-length': length })
        return end.call(response, bytes as never, 'utf8')
      }) as typeof end
      return contract.transport(request, response, serve, at)
    },
  })),
  fault(
    'messages are in the language of the caller',
    foundByModel,
    withRequest((request, contract) => ({
      errorMessage(refusal, at) {
        const message = contract.errorMessage(refusal, at)
        if (at.over === 'grpc' || !/^de\b/.test(headerOf(request()?.headers, 'accept-language'))) return message
        return message
          .replace('Invalid argument', 'Ungültiges Argument')
          .replace('Precondition failed', 'Vorbedingung nicht erfüllt')
      },
    })),
  ),
]
