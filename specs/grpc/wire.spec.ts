import { expect } from 'vitest'
import { kinds } from '../../helpers/api/kinds.ts'
import { sideBySide } from '../../helpers/arrange/observed.ts'
import { blamedOnClient, encodingOf, statusOf } from '../../helpers/assertions/both-protocols.ts'
import { accepted, refused } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'

const family = { quote: 'The same host serves every endpoint over gRPC as well' } as const

requirement(
  {
    ...family,
    id: 'grpc.wire.malformed',
    level: 'must',
    statement: 'S1.5, R37, R60',
    quote: 'Malformed JSON must never be answered with 2xx',
    says: 'gRPC refuses bytes that are not a valid message',
  },
  async ({ both: { rpc } }) => {
    accepted(await rpc({ operation: 'grpc.group.list', rpc: {} }), 'a whole message')

    // cut in the length of a text: some decoders accept a text that is shorter than its length
    const message = Buffer.from([0x12, 0x85])
    refused(await rpc({ operation: 'grpc.group.list', rpc: { message } }), 'a message that is cut short')
  },
)

requirement(
  {
    ...family,
    id: 'grpc.wire.metadata',
    level: 'must',
    statement: 'S1.5, R60',
    says: 'Unknown metadata does not affect a call',
  },
  async ({ both: { rpc } }) => {
    const metadata = { 'x-suite-unknown': 'some text', 'x-suite-bytes-bin': 'AAEC' }

    accepted(await rpc({ operation: 'grpc.group.list', rpc: { metadata } }), 'a call with unknown metadata')
  },
)

requirement(
  {
    ...family,
    id: 'grpc.wire.deadline.ample',
    level: 'must',
    statement: 'S1.5, R60',
    says: 'A call with a long deadline succeeds',
  },
  async ({ both: { rpc } }) => {
    const answers = await Promise.all(
      ['25S', '25000m', '25000000u', '1M', '1H'].map(async (deadline) => {
        const metadata = { 'grpc-timeout': deadline }
        return { deadline, answer: await rpc({ operation: 'grpc.group.list', rpc: { metadata } }) }
      }),
    )

    for (const { deadline, answer } of answers) accepted(answer, `a call with a deadline of ${deadline}`)
  },
)

requirement(
  {
    ...family,
    id: 'grpc.wire.unknown-method',
    level: 'should',
    statement: 'S1.5, R33, R60',
    says: 'An unknown method gets an error that blames the client',
  },
  async ({ both: { rpc }, run }) => {
    const path = `/${run.grpcSupport.serviceOf('groups')}/RenameGroupOfTheSuite`

    const answer = await rpc({ operation: 'grpc.unknown', rpc: { path } })

    blamedOnClient(answer, 'a call of an unknown method')
  },
)

requirement(
  {
    ...family,
    id: 'grpc.wire.unknown-service',
    level: 'should',
    statement: 'S1.5, R33, R60',
    says: 'An unknown service gets an error that blames the client',
  },
  async ({ both: { rpc } }) => {
    const answer = await rpc({ operation: 'grpc.unknown', rpc: { path: '/suite.unknown.v1.NoService/List' } })

    blamedOnClient(answer, 'a call of an unknown service')
  },
)

requirement(
  {
    ...family,
    id: 'grpc.wire.gzip',
    level: 'should',
    statement: 'S1.5, R51',
    says: 'A compressed request is answered as an uncompressed one, or UNIMPLEMENTED',
  },
  async ({ both: { rpc, grpc }, run, scratch, eventually }) => {
    await eventually(() => grpc.groups.get(scratch.uid))
    const path = run.paths.of(kinds.groups, scratch.uid)

    const answer = await rpc({ operation: 'grpc.group.get', path, query: {}, rpc: { gzip: true } })

    const others = [statusOf(answer)].filter((status) => status !== 0 && status !== 12)
    expect(others, 'a status of the compressed call besides OK and UNIMPLEMENTED').toEqual([])
    const shown = [answer].filter((one) => statusOf(one) === 0).map(({ json }) => json)
    expect(shown, 'what it shows').toEqual(shown.map(() => expect.objectContaining({ uid: scratch.uid })))
  },
)

requirement(
  {
    ...family,
    id: 'grpc.wire.cancelled',
    level: 'should',
    statement: 'S1.5, R60',
    says: 'Cancelled calls do not affect later calls on the same connection',
  },
  async ({ both: { rpc } }) => {
    const given = { operation: 'grpc.group.list', rpc: { cancel: true } } as const
    await Promise.all(Array.from({ length: 10 }, () => rpc(given)))

    accepted(await rpc({ operation: 'grpc.group.list', rpc: {} }), 'the call after ten that were given up')
  },
)

requirement(
  {
    ...family,
    id: 'grpc.wire.content-type',
    level: 'should',
    statement: 'S1.5',
    says: 'The content type application/grpc+proto is accepted',
  },
  async ({ both: { rpc } }) => {
    const metadata = { 'content-type': 'application/grpc+proto' }

    accepted(await rpc({ operation: 'grpc.group.list', rpc: { metadata } }), 'a call of that content type')
  },
)

requirement(
  {
    ...family,
    id: 'grpc.wire.roles-without-scope',
    level: 'must',
    statement: 'S1.5, S4.4, R60',
    quote: 'Roles can be listed without any scope parameter',
    restsOn: ['role.list.*', 'grpc.role.list.answers'],
    says: 'An empty message over gRPC lists roles',
  },
  async ({ both: { grpc } }) => {
    const { items } = await grpc.roles.list({})

    expect(items.length, 'how many roles are listed').toBeGreaterThan(0)
  },
)

requirement(
  {
    ...family,
    id: 'grpc.wire.open',
    level: 'observe',
    statement: 'S1.5',
    says: 'How an ended deadline, large metadata and an unknown member are answered over gRPC',
  },
  async ({ both: { rpc }, observe }) => {
    const list = 'grpc.group.list'
    const unknownMember = Buffer.from([0xfa, 0x7f, 0x01, 0x61])

    observe(
      await sideBySide({
        'a deadline of a nanosecond': rpc({ operation: list, rpc: { metadata: { 'grpc-timeout': '1n' } } }),
        '6 KiB of metadata': rpc({ operation: list, rpc: { metadata: { 'x-suite-large': 'x'.repeat(6_144) } } }),
        'an unknown member': rpc({ operation: list, rpc: { message: unknownMember } }),
      }),
    )
  },
)

requirement(
  {
    ...family,
    id: 'grpc.wire.reflection',
    level: 'observe',
    statement: 'S1.5',
    says: 'Which services the target lists by server reflection',
  },
  async ({ both: _, run, observe }) => {
    const services = await run.grpcSupport.reflected()
    observe(services.length === 0 ? 'no reflection' : `${services.length} services`)
  },
)

requirement(
  {
    ...family,
    id: 'grpc.wire.identity',
    level: 'should',
    statement: 'S1.5, R51',
    says: 'A client that reads no compressed messages gets none over gRPC',
  },
  async ({ both: { rpc } }) => {
    const answer = await rpc({ operation: 'grpc.group.list', rpc: {} })

    accepted(answer, 'a call that takes no compressed answer')
    expect(encodingOf(answer), 'the encoding of the answer').toBe('identity')
  },
)
