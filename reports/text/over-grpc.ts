import type { Difference } from './difference.ts'

/** What was expected of a call over gRPC and what came, by the status that gRPC has, where HTTP's was named. */
export function inGrpcStatuses({ expected, got }: Difference): Difference {
  const [, status, body = ''] = /^(\d{3})(?: ([\s\S]*))?$/.exec(got) ?? []
  const [, code = status === '200' ? '0' : undefined] = /^\{"code":\s*(\d+)/.exec(body) ?? []
  if (code === undefined) return { expected, got }
  return {
    expected: expected
      .replace(/^a refusal: any status but 2xx$/, 'a refusal: any grpc-status but 0')
      .replace(/^a status of 2xx$/, 'grpc-status 0'),
    got: `grpc-status ${code} ${body}`.trim(),
  }
}
