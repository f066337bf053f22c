import { type Kind, kinds, type Operation } from '../../../helpers/api/kinds.ts'
import { Paths } from '../../../helpers/api/resource-path.ts'
import { isOptional } from '../../../helpers/api/soft-refusal.ts'
import type { SchemaName } from '../../../helpers/assertions/schema.ts'
import { exchangePath } from '../../../helpers/http/access-token.ts'
import type { Json } from '../schema-samples.ts'
import { exchangeParameters, inPath, parameters, refToParameter } from './parameters.ts'
import { responsesOf } from './responses.ts'
import { inJson, refToSent } from './schemas.ts'

const paths = new Paths('v2beta1')
const methods = { list: 'get', get: 'get', create: 'post', update: 'patch', delete: 'delete' } as const
const everything = Object.keys(methods) as Operation[]
const reading: readonly Operation[] = ['list', 'get']

/** What the contract says of an operation: of one kind, or else of any kind. */
const says: Partial<Record<string, string>> = {
  list: "Send a scope: without one a server may refuse the call, or answer for the caller's organization alone (R21).",
  'role.list': 'No scope is needed (S4.4).',
  'group.create': 'The parent is named in the path and nowhere else (S4.2).',
  'roleBinding.create':
    'Grants the role to the identity within the group in the path (S2.15), and answers the binding with its embedded objects filled in (S4.5).',
  update:
    'Without updateMask only the members of the body change, with it only those that it lists (S4.26, S4.27). Answers the resource as it is after the update (S4.28).',
  'group.delete': 'Refused as long as the group has child resources (S7.6).',
  'v1.update': 'Takes the whole resource, and resets what is left out to its zero value (S9.4).',
}

const lacking =
  'A server may lack it, and answers 404, 405, 501 or an error of code 12 then. What else it answers is a reasonable reading'
const notPrinted = {
  identity:
    'The contract prints no path for this operation, which follows the pattern of the groups (S4.3): a server may lack it (R49).',
  v2: `The contract names this operation (S1.2 to S1.4) and prints no path for it: this one is of published definitions, or follows the others. ${lacking} (R49).`,
  v1: `The contract shows no paths of v1 except those of two lists: this one follows v2. ${lacking} (R44, R45, R49).`,
}

/** The bodies that the contract shows; of all others it shows no member. */
const sent: Partial<Record<string, Parameters<typeof refToSent>[0]>> = {
  'group.create': 'NewGroup',
  'group.update': 'GroupChange',
  'identity.create': 'NewIdentity',
  'identity.update': 'IdentityChange',
  'roleBinding.create': 'NewRoleBinding',
}

const listParameters = Object.keys(parameters)
  .filter((name) => name !== 'UpdateMask')
  .map((name) => refToParameter(name as keyof typeof parameters))
const notShown = { description: 'parameters of v1 are not shown: this is the scope of v2 (R44)' }
const listParametersOfV1 = [
  { ...refToParameter('DescendantsOf'), ...notShown },
  { ...refToParameter('ChildrenOf'), ...notShown },
]

/** `group.create` as `createGroup` and the list of groups as `listGroups`, as the services of gRPC call them. */
function idOf({ name, plural }: Kind, operation: Operation): string {
  const what = operation === 'list' ? plural : name
  return operation + what[0]!.toUpperCase() + what.slice(1)
}

const inWords = ({ label }: Kind, operation: Operation) =>
  operation === 'list' ? `List ${label.many}` : `${operation[0]!.toUpperCase()}${operation.slice(1)} one ${label.one}`

/** An operation on one kind in one version, with its path and its method. */
function operationOf(kind: Kind, operation: Operation, inV1 = false): [path: string, method: string, found: Json] {
  const named = `${inV1 ? 'v1.' : ''}${kind.name}.${operation}`
  const [one, page] = [kind.schema, kind.listSchema].map((name) => (inV1 ? `v1-${name}` : name) as SchemaName)
  const uid = inV1 ? 'id' : 'uid'
  const isList = operation === 'list'
  const isPrinted = !isOptional(named)
  const inWhich =
    operation === 'create'
      ? inPath(uid, 'group', `the ${uid} of the group that it is created in`)
      : inPath(uid, one!, `the ${uid} of the ${kind.label.one}`)
  const why = inV1 ? notPrinted.v1 : kind.name === 'identity' ? notPrinted.identity : notPrinted.v2
  const said = [inV1 ? says[`v1.${operation}`] : (says[named] ?? says[operation]), isPrinted ? undefined : why]
  const found = {
    operationId: `${idOf(kind, operation)}${inV1 ? 'V1' : ''}`,
    summary: `${inWords(kind, operation)}${inV1 ? ' in v1' : ''}`,
    ...(said.some(Boolean) && { description: said.filter(Boolean).join(' ') }),
    tags: [inV1 ? 'v1' : kind.plural],
    'x-printed': isPrinted,
    parameters: [
      ...(isList ? (inV1 ? listParametersOfV1 : listParameters) : [inWhich]),
      ...(operation === 'update' && !inV1 ? [refToParameter('UpdateMask')] : []),
    ],
    ...((operation === 'create' || operation === 'update') && {
      requestBody: { required: true, content: inJson(refToSent(sent[named] ?? 'NotShown')) },
    }),
    responses: responsesOf(named, operation === 'delete' ? undefined : isList ? page : one),
  }
  const collection = inV1 ? paths.of(kind, undefined, 'v1') : paths.of(kind)
  const method = inV1 && operation === 'update' ? 'put' : methods[operation]
  return [isList ? collection : `${collection}/{${uid}}`, method, found]
}

const exchange: Json = {
  operationId: 'exchangeToken',
  summary: 'Exchange an identity token for an access token',
  description: 'The access token is valid for one hour (S5.5).',
  tags: ['token exchange'],
  'x-printed': true,
  security: [{ identityToken: [] }],
  parameters: exchangeParameters,
  responses: responsesOf('sts.exchange', 'token'),
}

/** Every operation by path and method: those of S1.2 to S1.4, those of v1 that the suite knows, and the exchange. */
export function allPaths(authServers: readonly Json[]): Json {
  const found: Record<string, Json> = {}
  const add = ([path, method, operation]: ReturnType<typeof operationOf>) => {
    const template = path.includes('{') && { 'x-path-template': path.replace('}', '=**}') }
    found[path] = { ...found[path], ...template, [method]: operation }
  }
  for (const kind of Object.values(kinds))
    for (const operation of kind.family === 'iam' ? everything : reading) add(operationOf(kind, operation))
  for (const operation of everything) add(operationOf(kinds.groups, operation, true))
  add(operationOf(kinds.repos, 'list', true))
  return { ...found, [exchangePath]: { servers: authServers, get: exchange } }
}
