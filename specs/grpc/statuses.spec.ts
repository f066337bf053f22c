import { expect } from 'vitest'
import { isObject } from '../../helpers/api/received.ts'
import { oneUnissued } from '../../helpers/arrange/unknown-uids.ts'
import { sameRefusal, sameStatusOverBoth } from '../../helpers/assertions/both-protocols.ts'
import { refused } from '../../helpers/assertions/refused.ts'
import { type Context, requirement } from '../../helpers/case/requirement.ts'
import { type Answer, succeeded } from '../../helpers/http/call.ts'
import type { Query } from '../../helpers/http/url.ts'

const family = { level: 'must', profile: 'grpc' } as const

/** What such calls are aimed at: the scratch group, a group with a child, a uid that was never issued, or an identity. */
type Place = 'home' | 'full' | 'missing' | 'identity'
type Refusal = (api: Context['api'], uid: string, name: string, home: string) => Promise<Answer>

/** Calls that are refused over both protocols for the same reason (R60). */
const refusals: Record<string, [says: string, place: Place, call: Refusal]> = {
  'bad-name': ['a bad name', 'home', (api, uid) => api.attempt.groups.create(uid, { name: 'NO' })],
  'no-name': ['no name', 'home', (api, uid) => api.attempt.groups.create(uid, { description: 'nameless' })],
  'bad-rename': ['a bad new name', 'home', (api, uid) => api.attempt.groups.update(uid, { name: 'NO' })],
  'nameless-identity': [
    'an identity without a name',
    'home',
    (api, uid) => api.attempt.identities.create(uid, { description: 'nameless' }),
  ],
  'full-group': ['a group that has a child', 'full', (api, uid) => api.attempt.groups.delete(uid)],
  'missing-group': ['an unknown group', 'missing', (api, uid) => api.attempt.groups.get(uid)],
  'missing-changed': [
    'an unknown group to change',
    'missing',
    (api, uid) => api.attempt.groups.update(uid, { description: 'nobody' }),
  ],
  'missing-identity': ['an unknown identity', 'missing', (api, uid) => api.attempt.identities.get(uid)],
  'missing-identity-changed': [
    'an unknown identity to change',
    'missing',
    (api, uid) => api.attempt.identities.update(uid, { description: 'nobody' }),
  ],
  'unknown-identity': [
    'an unknown identity to bind',
    'missing',
    (api, uid, _, home) => api.attempt.roleBindings.create(home, { identityUid: uid, roleUid: uid }),
  ],
  'unknown-role': [
    'an unknown role to bind',
    'identity',
    (api, uid, _, home) => api.attempt.roleBindings.create(home, { identityUid: uid, roleUid: 'f'.repeat(40) }),
  ],
  'missing-parent': ['an unknown parent', 'missing', (api, uid, name) => api.attempt.groups.create(uid, { name })],
}

/** Calls of a list that both protocols refuse, or neither (R14, R18, R20). */
const refusable: Record<string, [says: string, query: Query]> = {
  'negative-skip': ['a negative skip', { skip: -1 }],
  'bad-token': ['an unknown page token', { page_token: 'never-issued' }],
  'bad-order': ['an unknown order', { order_by: 'no_such_field' }],
}

const places: Record<Place, (context: Pick<Context, 'scratch' | 'both' | 'run'>) => Promise<string>> = {
  home: async ({ scratch }) => scratch.uid,
  full: async ({ scratch }) => {
    const { uid } = await scratch.makeGroup()
    await scratch.makeGroup({}, uid)
    return uid
  },
  identity: async ({ scratch }) => (await scratch.makeIdentity()).uid,
  missing: async ({ scratch, both, run }) => {
    return run.journal.lend(await oneUnissued(both.http, { uid: scratch.uid }, run.journal.operatorsGroup))
  },
}

for (const [aspect, [says, place, call]] of Object.entries(refusals)) {
  requirement(
    {
      ...family,
      id: `grpc.error.status.${aspect}`,
      statement: 'S1.5, S7.1, R60',
      quote: 'its status must equal the JSON `code`',
      restsOn: ['error.*', 'group.name.*', 'group.*.missing*', 'group.delete.*', 'roleBinding.create.unknown'],
      says: `The gRPC status of a call with ${says} equals the JSON code over HTTP`,
    },
    async ({ both, scratch, run, names, eventually, atLeast }) => {
      const uid = await places[place]({ scratch, both, run })

      await eventually(async () => {
        const overGrpc = await call(both.grpc, uid, names.fresh(), scratch.uid)
        const overHttp = await call(both.http, uid, names.fresh(), scratch.uid)
        atLeast(1, 'refusals over HTTP', succeeded(overHttp) ? 0 : 1)

        sameRefusal(overGrpc, overHttp, `a call with ${says}`)
      })
    },
  )
}

for (const [aspect, [says, query]] of Object.entries(refusable)) {
  requirement(
    {
      ...family,
      id: `grpc.error.status.${aspect}`,
      statement: 'S1.5, S7.1, R60',
      quote: 'its status must equal the JSON `code`',
      restsOn: ['error.*', 'list.*'],
      says: `A list with ${says} is refused over both protocols with one code, or over neither`,
    },
    async ({ both: { grpc, http }, scratch, atLeast }) => {
      const [overGrpc, overHttp] = await Promise.all(
        [grpc, http].map((api) => api.attempt.groups.list({ ...scratch.children, ...query })),
      )
      const alike = [overGrpc!, overHttp!].filter((answer) => succeeded(answer) === succeeded(overHttp!))
      atLeast(2, 'answers of one outcome, one over each protocol', alike.length)

      sameStatusOverBoth(overGrpc!, overHttp!, `a list with ${says}`)
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
      const uid = run.journal.lend(await oneUnissued(grpc, { uid: scratch.uid }, run.journal.operatorsGroup))
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
