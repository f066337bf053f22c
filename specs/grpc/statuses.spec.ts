import { expect } from 'vitest'
import { isObject } from '../../helpers/api/received.ts'
import { childrenOf } from '../../helpers/arrange/scratch.ts'
import { unissuedUids } from '../../helpers/arrange/unknown-uids.ts'
import { sameRefusal } from '../../helpers/assertions/both-protocols.ts'
import { refused } from '../../helpers/assertions/refused.ts'
import { type Context, requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

const family = { level: 'must', profile: 'grpc' } as const

/** Where such calls are aimed at. */
interface Places {
  home: string
  /** A group with a child. */
  full: string
  missing: string
}

type Refusal = (
  api: Context['api'],
  places: Places,
  name: string,
) => ReturnType<Context['api']['attempt']['groups']['list']>

/** Calls that are refused over both protocols for the same reason (R60). */
const refusals: Record<string, [says: string, call: Refusal]> = {
  'bad-name': ['a bad name', (api, { home }) => api.attempt.groups.create(home, { name: 'NO' })],
  'no-name': ['no name', (api, { home }) => api.attempt.groups.create(home, { description: 'nameless' })],
  'bad-rename': ['a bad new name', (api, { home }) => api.attempt.groups.update(home, { name: 'NO' })],
  'nameless-identity': [
    'an identity without a name',
    (api, { home }) => api.attempt.identities.create(home, { description: 'nameless' }),
  ],
  'full-group': ['a group that has a child', (api, { full }) => api.attempt.groups.delete(full)],
  'missing-group': ['an unknown group', (api, { missing }) => api.attempt.groups.get(missing)],
  'missing-changed': [
    'an unknown group to change',
    (api, { missing }) => api.attempt.groups.update(missing, { description: 'nobody' }),
  ],
  'missing-parent': ['an unknown parent', (api, { missing }, name) => api.attempt.groups.create(missing, { name })],
  'negative-skip': ['a negative skip', (api, { home }) => api.attempt.groups.list({ ...childrenOf(home), skip: -1 })],
  'bad-token': [
    'an unknown page token',
    (api, { home }) => api.attempt.groups.list({ ...childrenOf(home), page_token: 'never-issued' }),
  ],
  'bad-order': [
    'an unknown order',
    (api, { home }) => api.attempt.groups.list({ ...childrenOf(home), order_by: 'no_such_field' }),
  ],
}

for (const [aspect, [says, call]] of Object.entries(refusals)) {
  requirement(
    {
      ...family,
      id: `grpc.error.status.${aspect}`,
      statement: 'S1.5, S7.1, R60',
      quote: 'its status must equal the JSON `code`',
      restsOn: ['error.*', 'group.name.*', 'group.*.missing*', 'group.delete.*'],
      says: `The gRPC status of a call with ${says} equals the JSON code over HTTP`,
    },
    async ({ both: { grpc, http }, scratch, run, names, eventually, atLeast }) => {
      const [unissued] = await unissuedUids(http, scratch.uid, run.journal.operatorsGroup)
      const { uid: full } = await scratch.makeGroup()
      await scratch.makeGroup({}, full)
      const places = { home: scratch.uid, full, missing: run.journal.lend(unissued!) }

      await eventually(async () => {
        const answers = [await call(grpc, places, names.fresh()), await call(http, places, names.fresh())] as const
        atLeast(2, 'refusals, one over each protocol', answers.filter((answer) => !succeeded(answer)).length)

        sameRefusal(...answers, `a call with ${says}`)
      })
    },
  )
}

requirement(
  {
    ...family,
    id: 'grpc.error.status.no-token',
    statement: 'S1.5, S7.1, R60',
    quote: 'its status must equal the JSON `code`',
    restsOn: ['auth.required.*', 'grpc.auth.required'],
    says: 'The gRPC status of a call without a token equals the JSON code over HTTP',
  },
  async ({ both: { grpc, http }, scratch, atLeast }) => {
    const none = { shown: 'none' }
    const overGrpc = await grpc.attempt.groups.list(scratch.children, none)
    const overHttp = await http.attempt.groups.list(scratch.children, none)

    atLeast(1, 'refusals over HTTP', succeeded(overHttp) ? 0 : 1)
    sameRefusal(overGrpc, overHttp, 'a call without a token')
  },
)

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
