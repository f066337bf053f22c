import { expect } from 'vitest'
import { isPublished, ownKinds } from '../../helpers/api/kinds.ts'
import { uids } from '../../helpers/api/received.ts'
import { makeOne } from '../../helpers/arrange/populations.ts'
import { childrenOf } from '../../helpers/arrange/scratch.ts'
import { goneOverBoth } from '../../helpers/assertions/both-protocols.ts'
import { goneFromGet } from '../../helpers/assertions/gone.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import { Driver } from '../../helpers/generate/driver.ts'
import { keptOf } from '../../helpers/generate/emptied.ts'
import { overEither } from '../../helpers/generate/over-either.ts'

const everywhere = 'The same host serves every endpoint over gRPC as well'
const family = { level: 'must', quote: everywhere } as const

requirementOnEach(
  ownKinds.filter((kind) => !isPublished(kind)),
  {
    ...family,
    id: 'grpc.delete.gone-over-http',
    statement: 'S1.5, R28, R60',
    restsOn: ['group.delete.*', 'grpc.group.delete.answers'],
    says: 'HTTP no longer shows {a} deleted over gRPC',
  },
  (kind) =>
    async ({ both: { http, grpc }, scratch, eventually }) => {
      const { uid } = await makeOne(scratch, kind, scratch.uid)
      await grpc[kind].delete(uid)

      await eventually(async () => {
        goneFromGet(await http.attempt[kind].get(uid), `Get of ${uid} over HTTP`)
      })
    },
)

requirementOnEach(
  ownKinds.filter((kind) => !isPublished(kind)),
  {
    ...family,
    id: 'grpc.delete.of-http',
    statement: 'S1.5, R28, R52, R60',
    restsOn: ['group.delete.*', 'grpc.group.list.answers'],
    says: 'gRPC no longer shows {a} deleted over HTTP',
  },
  (kind) =>
    async ({ both: { http, grpc }, scratch, eventually }) => {
      const home = await scratch.makeGroup()
      const { uid } = await makeOne(scratch, kind, home.uid)
      await eventually(async () => {
        expect(uids((await grpc[kind].list(childrenOf(home.uid))).items), 'the list before').toContain(uid)
      })
      await http[kind].delete(uid)

      await eventually(async () => {
        goneOverBoth(await grpc.attempt[kind].get(uid), await http.attempt[kind].get(uid), `Get of ${uid}`)
        expect(uids((await grpc[kind].list(childrenOf(home.uid))).items), 'the list after').not.toContain(uid)
      })
    },
)

requirement(
  {
    ...family,
    id: 'grpc.delete.empty',
    level: 'should',
    statement: 'S1.5, S4.7, R27',
    quote: 'A DELETE that succeeds answers with an empty body',
    says: 'Delete over gRPC answers with an empty message',
  },
  async ({ both: { grpc }, scratch }) => {
    const { uid } = await scratch.makeGroup()

    const answer = await grpc.groups.delete(uid)

    expect(answer.json, 'the message that answers Delete').toEqual({})
  },
)

requirement(
  {
    id: 'grpc.delete.emptied',
    level: 'must',
    statement: 'S4.7, S7.6, R29, R30',
    quote: 'a group must be deletable too when its content was made by the case and deleted again',
    restsOn: ['group.delete.emptied'],
    says: 'A group that is empty again can be deleted, whatever happened in it over either protocol',
  },
  async ({ run, api, scratch, evidence, atLeast }) => {
    await run.grpcSupport.mustBeServed()
    const log = { phase: 'act', exchanges: evidence } as const
    const driver = new Driver(overEither(run, 'emptied'), log, scratch.uid, 'grpc emptied')
    expect(await keptOf(driver, { api, scratch, atLeast }), 'the empty groups that stay').toEqual([])
  },
)
