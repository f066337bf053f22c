import { existsSync } from 'node:fs'
import type { Complain, Target, Values } from './configuration.ts'

/** The names of the target's gRPC services, as far as set. */
export function grpcSettings(
  values: Values,
  complain: Complain,
): Pick<Target, 'grpcPackage' | 'grpcVersion' | 'protoDescriptors'> {
  const { RMAPI_GRPC_PACKAGE: name, RMAPI_GRPC_VERSION: version, RMAPI_PROTO_DESCRIPTORS: file } = values
  if (name && !/^[a-z]\w*(\.[a-z]\w*)*$/i.test(name))
    complain('RMAPI_GRPC_PACKAGE', `is '${name}', not what the name of a package begins with`)
  if (version && !/^v\d+[a-z0-9]*$/.test(version))
    complain('RMAPI_GRPC_VERSION', `is '${version}', not a version segment`)
  if (file && !existsSync(file)) complain('RMAPI_PROTO_DESCRIPTORS', `names '${file}', which is not there`)
  return {
    ...(name && { grpcPackage: name }),
    ...(version && { grpcVersion: version }),
    ...(file && { protoDescriptors: file }),
  }
}

/** The protocol of calls; complains where the contract does not have it. */
export function transportIn({ RMAPI_TRANSPORT: value }: Values, problems: string[]): { transport?: 'grpc' } {
  if (value === 'grpc') return { transport: 'grpc' }
  if (value !== undefined && value !== 'http')
    problems.push(
      `RMAPI_TRANSPORT (--transport) is '${value}', neither http nor grpc, for example RMAPI_TRANSPORT=grpc`,
    )
  return {}
}
