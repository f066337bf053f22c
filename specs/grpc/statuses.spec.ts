import { expect } from 'vitest'
import { isObject } from '../../helpers/api/received.ts'
import { childrenOf } from '../../helpers/arrange/scratch.ts'
import { unissuedUids } from '../../helpers/arrange/unknown-uids.ts'
import { sameRefusal } from '../../helpers/assertions/both-protocols.ts'
import { refused } from '../../helpers/assertions/refused.ts'
import { type Context, requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

const family = { level: 'must', profile: 'grpc' } as const

/** Calls that are refused over both protocols for the same reason (R60). */
const refusals: Record<string, { says: string; call: (api: Context['api'], uid: string) => Promise<Answers> }> = {
  'bad-name': { says: 'a bad name', call: (api, uid) => api.attempt.groups.create(uid, { name: 'NO' }) },
  'no-name': { says: 'no name', call: (api, uid) => api.attempt.groups.create(uid, { description: 'nameless' }) },
  'negative-skip': {
    says: 'a negative skip',
    call: (api, uid) => api.attempt.groups.list({ ...childrenOf(uid), skip: -1 }),
  },
  'bad-token': {
    says: 'an unknown page token',
    call: (api, uid) => api.attempt.groups.list({ ...childrenOf(uid), page_token: 'never-issued' }),
  },
  'bad-order': {
    says: 'an unknown order',
    call: (api, uid) => api.attempt.groups.list({ ...childrenOf(uid), order_by: 'no_such_field' }),
  },
}

type Answers = Awaited<ReturnType<Context['api']['attempt']['groups']['list']>>

for (const [aspect, { says, call }] of Object.entries(refusals)) {
  requirement(
    {
      ...family,
      id: `grpc.error.status.${aspect}`,
      statement: 'S1.5, S7.1, R60',
      quote: 'its status must equal the JSON `code`',
      restsOn: ['error.*', 'group.name.*'],
      says: `The gRPC status of a call with ${says} equals the JSON code over HTTP`,
    },
    async ({ both: { grpc, http }, scratch, atLeast }) => {
      const [overGrpc, overHttp] = await Promise.all([call(grpc, scratch.uid), call(http, scratch.uid)])
      const refusedOnes = [overGrpc, overHttp].filter((answer) => !succeeded(answer))
      atLeast(2, 'refusals, one over each protocol', refusedOnes.length)

      sameRefusal(overGrpc, overHttp, `a call with ${says}`)
    },
  )
}

for (const operation of ['get', 'update', 'create'] as const) {
  requirement(
    {
      ...family,
      id: `grpc.error.missing.${operation}`,
      statement: 'S1.5, S4.1, R38, R60',
      quote: 'must not be answered with 2xx',
      restsOn: ['error.missing.*', 'group.*.missing*'],
      says: `${operation} over gRPC of a group that is not there is refused`,
    },
    async ({ both: { grpc }, scratch, run, names }) => {
      const [unissued] = await unissuedUids(grpc, scratch.uid, run.journal.operatorsGroup)
      const uid = run.journal.lend(unissued!)
      const calls = {
        get: () => grpc.attempt.groups.get(uid),
        update: () => grpc.attempt.groups.update(uid, { description: 'nobody' }),
        create: () => grpc.attempt.groups.create(uid, { name: names.fresh() }),
      }

      const answer = await calls[operation]()

      refused(answer, `${operation} of an unknown group over gRPC`)
      expect(isObject(answer.json) && answer.json.uid, 'a uid in the answer').not.toBe(uid)
    },
  )
}
