import {
  type DescMethod,
  type DescService,
  fromJson,
  type JsonObject,
  type Message,
  ScalarType,
} from '@bufbuild/protobuf'
import { ConnectError, type HandlerContext } from '@connectrpc/connect'
import { detailTypes, resourceMember } from '../../schemas/proto/services.ts'
import { errorBody } from '../domain/error-body.ts'
import type { Fields, Kind, Operation } from '../domain/item.ts'
import { list } from '../domain/lists.ts'
import { create, get, remove, update } from '../domain/operations.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Context } from '../domain/service.ts'
import type { TokenReader } from '../rules/values.ts'
import { askedFor, fieldsOf, messageOf, resourceIn } from './messages.ts'

const operations: readonly Operation[] = ['list', 'get', 'create', 'update', 'delete']

/** The kind and the operation that a method is for: `ListRoleBindings` of `RoleBindingsService` lists role bindings. */
export function placeOf(service: DescService, method: DescMethod): { kind: Kind; operation: Operation } {
  const plural = service.name.replace(/Service$/, '')
  const operation = operations.find((one) => method.name.toLowerCase().startsWith(one))!
  return { kind: (plural.charAt(0).toLowerCase() + plural.slice(1)) as Kind, operation }
}

/** Answers a call over gRPC: authentication first, then the same operation as over HTTP (S1.5, S5.1). */
export async function answerGrpc(
  method: DescMethod,
  message: Message,
  { requestHeader, responseHeader }: HandlerContext,
  reader: TokenReader,
  asked: Context,
): Promise<Message> {
  const { rules, now, operator } = asked.world
  const headers = Object.fromEntries(requestHeader)
  let at = asked
  try {
    responseHeader.set('date', new Date(now()).toUTCString())
    if (!rules.grpcServes(at)) throw new Refusal('unimplemented', 'method', 'this method is not implemented')
    const caller = rules.needsToken(at) ? await authenticated(headers, reader, at) : operator
    at = { ...at, caller }
    const request = rules.grpcRequest(fieldsOf(method.input, message), at)
    const body = (await perform(request, method, at)) ?? {}
    for (const [name, value] of Object.entries(rules.grpcMetadata(at))) responseHeader.set(name, value)
    const answer = messageOf(method.output, rules.grpcMessage(body, at))
    const unknown = rules.grpcUnknownFields(at)
    if (unknown.length > 0) answer.$unknown = [...unknown] as NonNullable<Message['$unknown']>
    return answer
  } catch (error) {
    throw refused(error, at)
  }
}

async function authenticated(headers: Record<string, string>, reader: TokenReader, at: Context) {
  const { rules } = at.world
  const token = rules.credential(headers, new URLSearchParams(), at)
  const caller = token === undefined ? undefined : await rules.authenticate(token, reader, at)
  if (!caller) throw new Refusal('unauthenticated', 'authorization', 'a valid bearer token is required')
  return caller
}

function perform(request: Fields, method: DescMethod, at: Context): Fields | undefined | Promise<Fields> {
  const { kind, operation } = at as { kind: Kind; operation: Operation }
  const resource = resourceIn(request, resourceMember(method))
  const uid = String(request.uid ?? '')
  const handlers: Record<Operation, () => Fields | undefined | Promise<Fields>> = {
    list: () => list(kind, askedFor(request), at),
    get: () => get(kind, uid, at),
    create: () => create(kind, String(request.parent ?? ''), resource, at),
    update: () => {
      const { uid: own, ...fields } = resource
      const mask = request.updateMask === undefined ? undefined : String(request.updateMask)
      return update(kind, String(own ?? ''), { ...emptiedBy(mask, method), ...fields }, mask, at)
    },
    delete: () => remove(kind, uid, at),
  }
  return handlers[operation]()
}

/** What a mask lists is sent, though a text at its default is not written. */
function emptiedBy(mask: string | undefined, { input }: DescMethod): Fields {
  const [resource] = input.fields.flatMap(({ message }) => message ?? [])
  const isText = (name: string) =>
    resource?.fields.some((field) => field.jsonName === name && field.scalar === ScalarType.STRING)
  return Object.fromEntries((mask?.split(',') ?? []).filter(isText).map((name) => [name, '']))
}

/** A refusal with the code, the message and the details of its JSON form (S7.1, R60). */
function refused(error: unknown, at: Context): ConnectError {
  const { rules } = at.world
  const refusal = error instanceof Refusal ? error : new Refusal('internal', 'server', String(error))
  const body = errorBody(refusal, at)
  const details = rules.grpcDetails(body.details as readonly Fields[], refusal, at)
  return new ConnectError(
    rules.grpcStatusMessage(String(body.message), refusal, at),
    rules.grpcStatus(Number(body.code), refusal, at),
    undefined,
    details.flatMap(detailOf),
  )
}

function detailOf({ '@type': type, ...members }: Fields) {
  const desc = detailTypes.getMessage(String(type).replace(/^.*\//, ''))
  return desc ? [{ desc, value: fromJson(desc, members as JsonObject, { ignoreUnknownFields: true }) }] : []
}
