import { readFileSync } from 'node:fs'
import { create, createFileRegistry, type FileRegistry, fromBinary } from '@bufbuild/protobuf'
import { type FileDescriptorProto, type FileDescriptorSet, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { publishedServices, serviceOf } from '../../schemas/proto/services.ts'
import { Inconclusive } from '../http/case-errors.ts'
import type { Target } from '../settings/configuration.ts'

/** The version segment of the packages: by default that of the paths. */
export const grpcVersionOf = ({ apiVersion, grpcVersion }: Target) => grpcVersion ?? apiVersion

/** The descriptors that the operator gives, or else the published ones in the target's packages (S9.7). */
export function descriptorsFor(target: Target): FileRegistry {
  const { protoDescriptors, grpcPackage } = target
  if (protoDescriptors === undefined) return publishedServices(grpcPackage, grpcVersionOf(target))
  return registryOf(readDescriptors(protoDescriptors), protoDescriptors)
}

/** A FileDescriptorSet in a file, as protoc and buf write it. */
const readDescriptors = (path: string): FileDescriptorSet => fromBinary(FileDescriptorSetSchema, readFileSync(path))

/** The registry of some files, in any order. */
export function registryOf({ file }: Pick<FileDescriptorSet, 'file'>, from: string): FileRegistry {
  const sorted: FileDescriptorProto[] = []
  const add = (one: FileDescriptorProto) => {
    if (sorted.includes(one)) return
    for (const needed of file.filter(({ name }) => one.dependency.includes(name))) add(needed)
    sorted.push(one)
  }
  for (const one of file) add(one)
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: sorted }))
  if (serviceOf(registry, 'groups', '') !== undefined) return registry
  throw new Inconclusive(`${from} describes no GroupsService: nothing can be asked over gRPC`)
}
