import { type DescMessage, fromJson, type JsonObject, type JsonValue, type Message, toJson } from '@bufbuild/protobuf'
import type { Fields } from '../domain/item.ts'
import type { Asked } from '../domain/queries.ts'

/** A message in protobuf's JSON, members at their default value left out. */
export const fieldsOf = (desc: DescMessage, message: Message): Fields => toJson(desc, message) as JsonObject

/** The message of some fields; values it cannot express are left out, as are fields that the message does not name. */
export function messageOf(desc: DescMessage, fields: Fields): Message {
  try {
    return fromJson(desc, fields as JsonObject, { ignoreUnknownFields: true })
  } catch {
    return fromJson(desc, fitting(desc, fields), { ignoreUnknownFields: true })
  }
}

function fitting(desc: DescMessage, fields: Fields): JsonObject {
  const pairs = desc.fields.flatMap((field): [string, JsonValue][] => {
    const { jsonName: name, message } = field
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    const inside = message && !message.typeName.startsWith('google.protobuf.') ? message : undefined
    const pruned =
      inside && field.fieldKind === 'message' && isObject(value)
        ? fitting(inside, value)
        : inside && field.fieldKind === 'list' && Array.isArray(value)
          ? value.filter(isObject).map((one) => fitting(inside, one))
          : (value as JsonValue | undefined)
    return pruned !== undefined && fits(desc, name, pruned) ? [[name, pruned]] : []
  })
  return Object.fromEntries(pairs)
}

function fits(desc: DescMessage, name: string, value: JsonValue): boolean {
  try {
    fromJson(desc, { [name]: value })
    return true
  } catch {
    return false
  }
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const text = (value: unknown) => (value === undefined ? undefined : String(value))

/** The list parameters of a request (section 4, list parameters). */
export function askedFor(request: Fields): Asked {
  const uidp = isObject(request.uidp) ? request.uidp : {}
  return {
    descendantsOf: text(uidp.descendantsOf),
    childrenOf: text(uidp.childrenOf),
    name: text(request.name),
    pageSize: text(request.pageSize),
    pageToken: text(request.pageToken),
    orderBy: text(request.orderBy),
    skip: text(request.skip),
  }
}

/** The resource in a request to create or update it. */
export function resourceIn(request: Fields, member: string | undefined): Fields {
  const resource = member === undefined ? undefined : request[member]
  return isObject(resource) ? resource : {}
}
