import { join } from 'node:path'
import { fromBinary } from '@bufbuild/protobuf'
import {
  type Client,
  credentials,
  loadPackageDefinition,
  Metadata,
  type ServiceClientConstructor,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packageRoot } from '../../cli/input/package.ts'
import { type Reference, startReference } from '../../reference/embed.ts'
import { StatusSchema } from '../../schemas/proto/services.ts'

const protos = join(packageRoot, 'schemas/proto')
const definition = loadSync(['groups.proto', 'grpc/reflection/v1/reflection.proto'], {
  includeDirs: [protos],
  longs: String,
  defaults: true,
})
const loaded = loadPackageDefinition(definition) as Record<string, never>

function constructorOf(name: string): ServiceClientConstructor {
  return name.split('.').reduce((at: Record<string, never>, part) => at[part]!, loaded) as never
}

type Call = (message: object, metadata: Metadata, done: (error: ServiceError | null, answer: never) => void) => void

/** Makes a unary call of a client that the suite did not write. */
function ask(client: Client, method: string, message: object, metadata: Metadata): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const call = (client as unknown as Record<string, Call>)[method]!.bind(client)
    call(message, metadata, (error, answer) => (error ? reject(error) : resolve(answer)))
  })
}

let reference: Reference
let groups: Client
const metadata = new Metadata()

beforeAll(async () => {
  reference = await startReference()
  const address = new URL(reference.baseUrl).host
  groups = new (constructorOf('chainguard.platform.iam.v2beta1.GroupsService'))(address, credentials.createInsecure())
  metadata.set('authorization', `Bearer ${reference.accessToken}`)
})

afterAll(async () => {
  groups.close()
  await reference.close()
})

test('grpc-js creates, gets, lists, updates and deletes a group', async () => {
  const parent = reference.groupUid
  const made = await ask(groups, 'CreateGroup', { parent, group: { name: 'by grpc-js' } }, metadata)
  const listed = await ask(groups, 'ListGroups', { uidp: { childrenOf: parent }, pageSize: 5 }, metadata)
  const patch = { group: { uid: made.uid, description: 'x', name: 'no' }, updateMask: { paths: ['description'] } }
  const updated = await ask(groups, 'UpdateGroup', patch, metadata)
  const http = await fetch(`${reference.baseUrl}/iam/v2beta1/groups/${made.uid}`, {
    headers: { authorization: `Bearer ${reference.accessToken}` },
  })

  expect(made).toMatchObject({ name: 'by grpc-js', verified: false })
  expect(listed).toMatchObject({ totalCount: '1', groups: [{ uid: made.uid }] })
  expect(updated).toMatchObject({ name: 'by grpc-js', description: 'x' })
  expect(await http.json()).toMatchObject({ uid: made.uid, description: 'x' })
  expect(await ask(groups, 'DeleteGroup', { uid: made.uid }, metadata)).toEqual({})
})

test('grpc-js reads the details of a refusal', async () => {
  const bad = ask(groups, 'CreateGroup', { parent: reference.groupUid, group: { name: 'NO' } }, metadata)
  const error: ServiceError = await bad.then(
    () => expect.unreachable(),
    (error) => error,
  )
  const details = fromBinary(StatusSchema, error.metadata.get('grpc-status-details-bin')[0] as Buffer)

  expect(error.code).toBe(status.INVALID_ARGUMENT)
  expect(error.details).toMatch(/^Invalid argument: name: /)
  expect(details.details.map(({ typeUrl }) => typeUrl)).toEqual([
    'type.googleapis.com/google.rpc.ErrorInfo',
    'type.googleapis.com/google.rpc.BadRequest',
  ])
})

test.each([
  ['without a token', () => ask(groups, 'ListGroups', {}, new Metadata()), status.UNAUTHENTICATED],
  [
    'of a service that is not there',
    () => {
      const address = new URL(reference.baseUrl).host
      const none = { ...constructorOf('chainguard.platform.iam.v2beta1.GroupsService').service.ListGroups }
      const client = new (loadNothing({ ListGroups: { ...none, path: '/no.such.Service/List' } }))(
        address,
        credentials.createInsecure(),
      )
      return ask(client, 'ListGroups', {}, metadata).finally(() => client.close())
    },
    status.UNIMPLEMENTED,
  ],
])('a call %s is refused', async (_what, call, code) => {
  await expect(call()).rejects.toMatchObject({ code })
})

function loadNothing(service: object): ServiceClientConstructor {
  const { a } = loadPackageDefinition({ 'a.B': service } as never) as unknown as { a: { B: ServiceClientConstructor } }
  return a.B
}

test('grpc-js lists the services by reflection', async () => {
  const address = new URL(reference.baseUrl).host
  const client = new (constructorOf('grpc.reflection.v1.ServerReflection'))(address, credentials.createInsecure())
  const stream = (client as unknown as Record<string, () => import('@grpc/grpc-js').ClientDuplexStream<object, object>>)
    .ServerReflectionInfo!()
  const came = new Promise((resolve, reject) => stream.once('data', resolve).once('error', reject))
  stream.write({ listServices: '' })

  expect(JSON.stringify(await came)).toContain('chainguard.platform.registry.v2.ReposService')
  stream.end()
  client.close()
})
