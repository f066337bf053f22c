import { expect } from 'vitest'
import { isOfRegistry, kinds, listedKinds } from '../../helpers/api/kinds.ts'
import { isOptional } from '../../helpers/api/soft-refusal.ts'
import { mustAnswer } from '../../helpers/arrange/optional-operations.ts'
import { attempt } from '../../helpers/auth/operation-calls.ts'
import { requirement } from '../../helpers/case/requirement.ts'

const everywhere = 'The same host serves every endpoint over gRPC as well'

for (const kind of listedKinds) {
  const { name, offered } = kinds[kind]
  for (const operation of offered) {
    requirement(
      {
        id: `grpc.${name}.${operation}.answers`,
        level: isOptional(`${name}.${operation}`) && kind !== 'identities' ? 'should' : 'must',
        statement: 'S1.5, R49, R60',
        quote: everywhere,
        restsOn: [`${name}.${operation}.answers`],
        says: `${operation} of ${kinds[kind].label.many} answers over gRPC`,
      },
      isOfRegistry(kind) && operation === 'get'
        ? // what others delete between a list and this Get is no fault (R24)
          async ({ both, withPopulation }) => {
            await withPopulation(kind, async ({ items: [one] }) =>
              mustAnswer(kind, operation, await both.grpc.attempt[kind].get(one!.uid)),
            )
          }
        : async ({ both, inTurn, eventually }) => {
            await inTurn(kind, ({ operationCalls }) =>
              eventually(async () =>
                mustAnswer(kind, operation, await attempt(both.grpc.attempt[kind], operationCalls, operation)),
              ),
            )
          },
    )
  }
}

requirement(
  {
    id: 'grpc.identity.claims',
    level: 'must',
    statement: 'S1.5, S2.11, R60',
    quote: everywhere,
    restsOn: ['identity.create.*', 'identity.claim*'],
    says: 'An identity created over gRPC has the claim match that was sent',
  },
  async ({ both: { http, grpc }, scratch, names, eventually }) => {
    const name = names.fresh()
    const claimMatch = await scratch.claimMatchFor(name)

    const made = await grpc.identities.create(scratch.uid, { name, claimMatch })

    expect(made.claimMatch, 'in the answer to Create').toMatchObject({ ...claimMatch })
    await eventually(async () => {
      expect((await http.identities.get(made.uid)).claimMatch, 'over HTTP').toMatchObject({ ...claimMatch })
    })
  },
)
