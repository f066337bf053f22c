import {
  type DescMethod,
  type FileRegistry,
  fromJson,
  type JsonObject,
  type JsonValue,
  toBinary,
  toJson,
} from '@bufbuild/protobuf'
import { methodOf, resourceMember, serviceOf } from '../../schemas/proto/services.ts'
import { readPath } from '../api/resource-path.ts'
import type { Call } from '../http/call.ts'

/** A call as gRPC carries it. */
export interface GrpcForm {
  /** `/package.Service/Method`. */
  path: string
  method: DescMethod
  message: Uint8Array
  /** The message in protobuf's JSON, as a report shows it. */
  shown: string
}

/**
 * The method and the message of a call to the API (S9.7); undefined where it has none: calls about HTTP itself, another
 * version, a member that the message lacks, or one that protobuf cannot distinguish from its default.
 */
export function grpcForm(
  call: Call,
  registry: FileRegistry,
  versions: { http: string; grpc: string },
): GrpcForm | undefined {
  const { method, path, at, contentType, headers } = call
  const place = readPath(path) ?? withoutUid(call)
  if (place?.version !== versions.http || at !== undefined || (contentType ?? headers) !== undefined) return undefined
  const { kind, uid } = place
  const service = serviceOf(registry, kind, versions.grpc)
  const does = uid === undefined ? (method === 'GET' ? 'list' : undefined) : operations[method]
  const named = service && does && methodOf(service, does)
  const request = named && requestOf(does, named, call, uid)
  if (!named || request === undefined) return undefined
  try {
    const message = fromJson(named.input, request)
    const shown = JSON.stringify(toJson(named.input, message))
    return { path: `/${service.typeName}/${named.name}`, method: named, message: toBinary(named.input, message), shown }
  } catch {
    return undefined
  }
}

/** A path that ends before its uid; over HTTP that is another path, which nobody requests over gRPC by chance. */
function withoutUid({ path, over }: Call) {
  const place = over === 'grpc' && path.endsWith('/') ? readPath(path.slice(0, -1)) : undefined
  return place?.uid === undefined && place ? { ...place, uid: '' } : undefined
}

const operations: Partial<Record<Call['method'], string>> = {
  GET: 'get',
  POST: 'create',
  PATCH: 'update',
  DELETE: 'delete',
}

function requestOf(does: string, method: DescMethod, { query = {}, body }: Call, uid = ''): JsonObject | undefined {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined)
  if (does === 'list') return body === undefined ? listRequest(sent) : undefined
  if (uid === '' && does !== 'get') return undefined
  const { updateMask, ...others } = query
  if (Object.keys(others).length > 0) return undefined
  if (does === 'get' || does === 'delete') return sent.length === 0 && body === undefined ? { uid } : undefined
  const member = resourceMember(method)
  const fields = body === undefined ? {} : fieldsIn(body)
  if (member === undefined || fields === undefined) return undefined
  if (does === 'create')
    return updateMask === undefined ? { parent: uid, ...(body !== undefined && { [member]: fields }) } : undefined
  if (fields.uid !== undefined && fields.uid !== uid) return undefined
  // without a mask, a value at its default looks as if it was not sent
  if (updateMask === undefined && Object.values(fields).some(isDefault)) return undefined
  return { [member]: { ...fields, uid }, ...(updateMask !== undefined && { updateMask: String(updateMask) }) }
}

/** The parameters of a list: `uidp.children_of` is a member of `uidp`. */
function listRequest(sent: readonly (readonly [string, unknown])[]): JsonObject {
  const request: JsonObject = {}
  for (const [name, value] of sent) {
    const [outer = '', inner] = name.split('.')
    if (inner === undefined) request[outer] = value as JsonValue
    else request[outer] = { ...(request[outer] as JsonObject | undefined), [inner]: value as JsonValue }
  }
  return request
}

function fieldsIn(body: unknown): JsonObject | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || 'raw' in body) return undefined
  return body as JsonObject
}

const isDefault = (value: unknown) =>
  value === '' ||
  value === 0 ||
  value === false ||
  value === null ||
  (typeof value === 'object' && Object.keys(value ?? {}).length === 0)
