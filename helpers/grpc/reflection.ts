import { create, type FileRegistry, fromBinary, toBinary } from '@bufbuild/protobuf'
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import { ServerReflection, ServerReflectionAlpha } from '../../schemas/proto/services.ts'
import type { Channel } from './channel.ts'
import { registryOf } from './descriptors.ts'
import { frameOf, messagesIn } from './frames.ts'

/** How long to wait for an answer of reflection, in milliseconds. */
const patience = 5_000

type Asking = (typeof ServerReflection)['method']['serverReflectionInfo']

/** Queries the target's reflection, v1 and then v1alpha, and returns the answers in the order of the questions. */
async function ask(channel: Channel, headers: Record<string, string>, questions: object[]) {
  for (const service of [ServerReflection, ServerReflectionAlpha]) {
    const { input, output, name } = service.method.serverReflectionInfo as Asking
    const frames = questions.map((messageRequest) =>
      frameOf(toBinary(input, create(input, { messageRequest } as never))),
    )
    const came = await channel.ask(`/${service.typeName}/${name}`, {
      headers: { ...headers, 'content-type': 'application/grpc', te: 'trailers' },
      bytes: Buffer.concat(frames),
      within: patience,
    })
    if (came.headers['grpc-status'] !== '0') continue
    return messagesIn(came.bytes, came.headers['grpc-encoding']).map(
      (bytes) => fromBinary(output, bytes).messageResponse,
    )
  }
  return []
}

/** The names of the services that the target lists by reflection; none where it has no reflection. */
export async function reflectedServices(channel: Channel, headers: Record<string, string>): Promise<string[]> {
  const [listed] = await ask(channel, headers, [{ case: 'listServices', value: '' }])
  return listed?.case === 'listServicesResponse' ? listed.value.service.map(({ name }) => name) : []
}

/** The target's own descriptors of its services, by reflection; undefined where it has none. */
export async function described(channel: Channel, headers: Record<string, string>): Promise<FileRegistry | undefined> {
  const names = (await reflectedServices(channel, headers)).filter((name) => !name.startsWith('grpc.'))
  const files = new Map<string, FileDescriptorProto>()
  let questions: object[] = names.map((value) => ({ case: 'fileContainingSymbol', value }))
  while (questions.length > 0) {
    for (const answer of await ask(channel, headers, questions)) {
      if (answer.case !== 'fileDescriptorResponse') continue
      for (const bytes of answer.value.fileDescriptorProto) {
        const file = fromBinary(FileDescriptorProtoSchema, bytes)
        files.set(file.name, file)
      }
    }
    const needed = [...new Set([...files.values()].flatMap(({ dependency }) => dependency))]
    const missing = needed.filter((name) => !files.has(name))
    const next = missing.map((value) => ({ case: 'fileByFilename', value }))
    if (JSON.stringify(next) === JSON.stringify(questions)) break
    questions = next
  }
  return files.size === 0 ? undefined : registryOf({ file: [...files.values()] }, 'the reflection of the target')
}
