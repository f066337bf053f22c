import { type DescFile, type FileRegistry, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import type { ConnectRouter } from '@connectrpc/connect'
import { ServerReflection, ServerReflectionAlpha, servicesIn } from '../../schemas/proto/services.ts'

/** The parts of a request that are the same in both versions of the protocol. */
interface Asked {
  messageRequest: { case?: string | undefined; value?: unknown }
}

const notFound = { errorCode: 5, errorMessage: 'there is nothing of that name' }

/** Serves server reflection, v1 and v1alpha: which services there are, and the files that describe them. */
export function serveReflection(router: ConnectRouter, registries: readonly FileRegistry[]): void {
  const files = registries.flatMap((registry) => [...registry.files])
  const names = registries.flatMap((registry) => servicesIn(registry).map(({ typeName }) => typeName))
  const listed = [...names, ServerReflection.typeName, ServerReflectionAlpha.typeName].map((name) => ({ name }))
  const own = [ServerReflection.file, ServerReflectionAlpha.file]

  const answer = ({ messageRequest: { case: wanted, value } }: Asked) => {
    if (wanted === 'listServices') return { case: 'listServicesResponse' as const, value: { service: listed } }
    const file =
      wanted === 'fileByFilename'
        ? [...files, ...own].find(({ proto }) => proto.name === value)
        : fileOf(String(value), registries, own)
    if (file === undefined) return { case: 'errorResponse' as const, value: notFound }
    const fileDescriptorProto = withDependencies(file).map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto))
    return { case: 'fileDescriptorResponse' as const, value: { fileDescriptorProto } }
  }

  async function* serverReflectionInfo(requests: AsyncIterable<Asked & { host: string }>) {
    for await (const originalRequest of requests)
      yield { validHost: originalRequest.host, messageResponse: answer(originalRequest) }
  }
  router.service(ServerReflection, { serverReflectionInfo })
  router.service(ServerReflectionAlpha, { serverReflectionInfo })
}

/** The file of a service, a method or a message. */
function fileOf(symbol: string, registries: readonly FileRegistry[], own: readonly DescFile[]): DescFile | undefined {
  for (const registry of registries) {
    const found = registry.get(symbol) ?? registry.get(symbol.replace(/\.\w+$/, ''))
    if (found) return found.file
  }
  return own.find(({ proto }) => symbol.startsWith(`${proto.package}.`))
}

function withDependencies(file: DescFile): DescFile[] {
  return [...new Set([file, ...file.dependencies.flatMap(withDependencies)])]
}
