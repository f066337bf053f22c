import { expect } from 'vitest'
import { kinds, listedKinds } from '../../helpers/api/kinds.ts'
import { isObject } from '../../helpers/api/received.ts'
import { mustBeOffered, mustBePresent } from '../../helpers/arrange/optional-operations.ts'
import { oneUnissued } from '../../helpers/arrange/unknown-uids.ts'
import { sameRefusal, sameStatusOverBoth } from '../../helpers/assertions/both-protocols.ts'
import { refused } from '../../helpers/assertions/refused.ts'
import { mustAnswerGoodCall } from '../../helpers/auth/good-calls.ts'
import { badCredentials } from '../../helpers/auth/invalid-credentials.ts'
import { type Context, requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import { type Place, perhapsRefused, refusable, refusals } from '../../helpers/grpc/refused-calls.ts'
import { noCredential, succeeded } from '../../helpers/http/call.ts'

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
      id: `grpc.error.status.${aspect}`,
      level: 'must',
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
        await mustAnswerGoodCall(overGrpc, both.grpc, scratch, names.fresh())
        await mustAnswerGoodCall(overHttp, both.http, scratch, names.fresh())

        sameRefusal(overGrpc, overHttp, `a call with ${says}`)
      })
    },
  )
}

for (const [aspect, [says, place, call]] of Object.entries(perhapsRefused)) {
  requirement(
    {
      id: `grpc.error.status.${aspect}`,
      level: 'must',
      statement: 'S1.5, S7.1, R28, R60',
      quote: 'its status must equal the JSON `code`',
      restsOn: ['error.*', 'grpc.error.status.missing@*'],
      says: `Where both protocols refuse ${says} they use the same code`,
    },
    async ({ both, scratch, run, names }) => {
      const uid = await places[place]({ scratch, both, run })

      const overGrpc = await call(both.grpc, uid, names.fresh(), scratch.uid)
      const overHttp = await call(both.http, uid, names.fresh(), scratch.uid)
      await mustAnswerGoodCall(overGrpc, both.grpc, scratch, names.fresh())
      await mustAnswerGoodCall(overHttp, both.http, scratch, names.fresh())

      for (const refusal of [overGrpc].filter((one) => !succeeded(one) && !succeeded(overHttp)))
        sameRefusal(refusal, overHttp, says)
    },
  )
}

for (const [aspect, [says, query]] of Object.entries(refusable)) {
  requirement(
    {
      id: `grpc.error.status.${aspect}`,
      level: 'must',
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
    id: 'grpc.error.status.no-token',
    level: 'must',
    statement: 'S1.5, S7.1, R60',
    quote: 'its status must equal the JSON `code`',
    restsOn: ['auth.required.*', 'grpc.auth.required'],
    says: 'The gRPC status of a call without a token equals the JSON code over HTTP',
  },
  async ({ both: { grpc, http }, scratch, atLeast }) => {
    const overGrpc = await grpc.attempt.groups.list(scratch.children, noCredential)
    const overHttp = await http.attempt.groups.list(scratch.children, noCredential)

    atLeast(1, 'refusals over HTTP', succeeded(overHttp) ? 0 : 1)
    sameRefusal(overGrpc, overHttp, 'a call without a token')
  },
)

/** How a token is spoilt. */
const spoilt = ['garbage', 'altered', 'cut-short', 'other-signer', 'unknown-key', 'unsigned'] as const

requirement(
  {
    id: 'grpc.error.status.garbage-token',
    level: 'must',
    statement: 'S1.5, S7.1, R60',
    quote: 'its status must equal the JSON `code`',
    restsOn: ['auth.refuses.garbage', 'grpc.auth.refuses.garbage'],
    says: 'The gRPC status of a call with a garbage token equals the JSON code over HTTP',
  },
  async ({ both: { grpc, http }, scratch, run, atLeast }) => {
    const token = await run.tokens.value()

    for (const spoil of spoilt) {
      const { credential: bad } = await badCredentials[spoil](token, run.secrets)
      const overGrpc = await grpc.attempt.groups.list(scratch.children, bad)
      const overHttp = await http.attempt.groups.list(scratch.children, bad)
      atLeast(1, 'refusals over HTTP', succeeded(overHttp) ? 0 : 1)
      sameRefusal(overGrpc, overHttp, `a call with ${bad.shown}`)
    }
  },
)

/** The kinds that the cases above do not cover. */
const otherKinds = listedKinds.filter((kind) => kind !== 'groups')

requirementOnEach(
  otherKinds,
  {
    id: 'grpc.error.status.missing',
    level: 'must',
    statement: 'S1.5, S7.1, R60',
    quote: 'its status must equal the JSON `code`',
    restsOn: ['error.*', 'grpc.get.same*'],
    says: 'The gRPC status of Get of an unknown {one} equals the JSON code over HTTP',
  },
  (kind) =>
    async ({ both: { http, grpc }, inTurn, eventually, atLeast }) => {
      await inTurn(kind, async ({ operationCalls: { thing } }) => {
        await eventually(async () => {
          mustBeOffered(await http.attempt[kind].get(thing.uid))
          mustBeOffered(await grpc.attempt[kind].get(thing.uid))
        })
        const unknown = `${thing.uid}0`

        const overHttp = await http.attempt[kind].get(unknown)
        atLeast(1, 'refusals over HTTP', succeeded(overHttp) ? 0 : 1)
        sameRefusal(await grpc.attempt[kind].get(unknown), overHttp, `Get of an unknown ${kinds[kind].label.one}`)
      })
    },
)

requirementOnEach(
  otherKinds,
  {
    id: 'grpc.error.status.odd-list',
    level: 'must',
    statement: 'S1.5, S7.1, R60',
    quote: 'its status must equal the JSON `code`',
    restsOn: ['error.*', 'list.*', 'grpc.list.same*'],
    says: 'Where both protocols refuse an odd list of {many} they use the same code',
  },
  (kind) =>
    async ({ both: { http, grpc }, withPopulation, atLeast }) => {
      await withPopulation(kind, async ({ scope }) => {
        const plain = await grpc.attempt[kind].list(scope)
        mustBeOffered(plain)
        mustBePresent(kind, 'list', plain)

        const pairs = Object.values(refusable).map(async ([says, query]) => ({
          says,
          overGrpc: await grpc.attempt[kind].list({ ...scope, ...query }),
          overHttp: await http.attempt[kind].list({ ...scope, ...query }),
        }))
        // how either answers such a list is open
        const alike = (await Promise.all(pairs)).filter(
          ({ overGrpc, overHttp }) => succeeded(overGrpc) === succeeded(overHttp),
        )

        atLeast(1, 'lists of one outcome over both', alike.length)
        for (const { says, overGrpc, overHttp } of alike)
          sameStatusOverBoth(overGrpc, overHttp, `a list of ${kinds[kind].label.many} with ${says}`)
      })
    },
)

for (const operation of ['get', 'update', 'create'] as const) {
  requirement(
    {
      id: `grpc.error.missing.${operation}`,
      level: 'must',
      statement: 'S1.5, S4.1, R38, R60',
      quote: 'must not be answered with 2xx',
      restsOn: ['error.missing.*', 'group.*.missing*'],
      says: `${operation} over gRPC of a group that is not there is refused`,
    },
    async ({ both: { grpc }, scratch, run, names, skip }) => {
      const uid = run.journal.lend(await oneUnissued(grpc, { uid: scratch.uid }, run.journal.operatorsGroup))
      const calls = {
        get: () => grpc.attempt.groups.get(uid),
        update: () => grpc.attempt.groups.update(uid, { description: 'nobody' }),
        create: () => grpc.attempt.groups.create(uid, { name: names.fresh() }),
      }

      const answer = await calls[operation]()

      // a Get that lags does not know what another case has made
      skip(run.journal.made(uid), `${uid} was issued after all`)
      refused(answer, `${operation} of an unknown group over gRPC`)
      expect(isObject(answer.json) && answer.json.uid, 'a uid in the answer').not.toBe(uid)
    },
  )
}
