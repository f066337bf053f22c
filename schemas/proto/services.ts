import {
  createFileRegistry,
  createRegistry,
  type DescMethod,
  type DescService,
  type FileRegistry,
  fromJson,
  type Registry,
  toJson,
} from '@bufbuild/protobuf'
import type { GenFile } from '@bufbuild/protobuf/codegenv2'
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { file_account_associations } from './gen/account_associations_pb.ts'
import { file_advisories } from './gen/advisories_pb.ts'
import { file_google_rpc_error_details } from './gen/google/rpc/error_details_pb.ts'
import { file_group_invites } from './gen/group_invites_pb.ts'
import { file_groups } from './gen/groups_pb.ts'
import { file_identities } from './gen/identities_pb.ts'
import { file_identity_providers } from './gen/identity_providers_pb.ts'
import { file_repos } from './gen/repos_pb.ts'
import { file_role_bindings } from './gen/role_bindings_pb.ts'
import { file_roles } from './gen/roles_pb.ts'
import { file_tags } from './gen/tags_pb.ts'

export { StatusSchema } from './gen/google/rpc/status_pb.ts'
export { ServerReflection } from './gen/grpc/reflection/v1/reflection_pb.ts'
export { ServerReflection as ServerReflectionAlpha } from './gen/grpc/reflection/v1alpha/reflection_pb.ts'

const written = [
  file_groups,
  file_identities,
  file_roles,
  file_role_bindings,
  file_identity_providers,
  file_account_associations,
  file_group_invites,
  file_repos,
  file_tags,
  file_advisories,
]

/** The prefix of the packages as they are published (S9.7). */
export const publishedPrefix = 'chainguard.platform'

/** The types of the details that errors carry (S7.1). */
export const detailTypes: Registry = createRegistry(file_google_rpc_error_details)

const made = new Map<string, FileRegistry>()

/** The published services in packages of another prefix and version, dependencies first. */
export function publishedServices(prefix = publishedPrefix, version = 'v2beta1'): FileRegistry {
  const key = `${prefix} ${version}`
  const known = made.get(key)
  if (known) return known
  const all = new Map<string, FileDescriptorProto>()
  for (const file of written) collect(file, all)
  const renamed = [...all.values()].map((file) => renaming(file, prefix, version))
  const registry = createFileRegistry(
    fromJson(FileDescriptorSetSchema, { file: renamed.map((file) => toJson(FileDescriptorProtoSchema, file)) }),
  )
  made.set(key, registry)
  return registry
}

function collect(
  { proto, dependencies }: Pick<GenFile, 'proto' | 'dependencies'>,
  all: Map<string, FileDescriptorProto>,
) {
  for (const one of dependencies) collect(one, all)
  all.set(proto.name, proto)
}

/** A file in another package; its name follows the version, because two versions may be served at once. */
function renaming(file: FileDescriptorProto, prefix: string, version: string): FileDescriptorProto {
  if (file.package.startsWith('google.')) return file
  const text = JSON.stringify(toJson(FileDescriptorProtoSchema, file))
  return fromJson(
    FileDescriptorProtoSchema,
    JSON.parse(
      text
        .replace(/chainguard\.platform\.(iam|registry|vulnerabilities)\.v2beta1/g, `${prefix}.$1.${version}`)
        .replaceAll('chainguard.platform.common', `${prefix}.common`)
        .replace(/"name":"(?!common)(\w+)\.proto"/, `"name":"${version}/$1.proto"`),
    ),
  )
}

/** The word with its first letter in upper case. */
const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** The services of a registry. */
export function servicesIn(registry: Iterable<{ kind: string }>): DescService[] {
  return [...registry].filter((one): one is DescService => one.kind === 'service')
}

/** The service of a kind, by its plural; one in a package of that version first. */
export function serviceOf(registry: FileRegistry, plural: string, version: string): DescService | undefined {
  const named = servicesIn(registry).filter(({ name }) => name === `${capitalized(plural)}Service`)
  return named.find(({ file }) => file.proto.package.split('.').includes(version)) ?? named[0]
}

/** The method of an operation, by the word that it begins with: `list`, `get`, `create`, `update` or `delete`. */
export function methodOf({ methods, name }: DescService, operation: string): DescMethod | undefined {
  const plural = name.replace(/Service$/, '')
  const word = capitalized(operation)
  const begins = methods.filter((method) => method.name.startsWith(word) && method.methodKind === 'unary')
  return begins.find((method) => method.name === word + plural) ?? begins[0]
}

/** The member of a request that holds the resource itself. */
export function resourceMember({ input }: DescMethod): string | undefined {
  return input.fields.find((field) => field.fieldKind === 'message' && !isOfGoogle(field.message.typeName))?.jsonName
}

const isOfGoogle = (typeName: string) => typeName.startsWith('google.protobuf.')
