import { expect } from 'vitest'
import type { Api } from '../../helpers/api/api.ts'
import { sideBySide } from '../../helpers/arrange/observed.ts'
import { got, mustBePresent, updated } from '../../helpers/arrange/optional-operations.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'
import { anotherClaim } from '../../helpers/sts/claims.ts'

/** Update of an identity that may be refused; inconclusive where the target has none (R49). */
async function patched(api: Api, uid: string, body: Record<string, unknown>) {
  const answer = await api.attempt.identities.update(uid, body)
  mustBePresent('identities', 'update', answer)
  return answer
}

requirement(
  {
    id: 'identity.claim-match.kept',
    level: 'must',
    statement: 'S2.11, R6',
    quote: 'A description or a `claimMatch` that was accepted must come back as sent, character for character',
    says: 'A claim match comes back as sent, character for character',
  },
  async ({ api, scratch, names, atLeast }) => {
    const first = await scratch.makeIdentity()
    const ofFirst = (subject: string) => ({ issuer: anotherClaim(first, '').issuer, subject })
    const claims = [
      (name: string) => anotherClaim(first, name),
      (name: string) => ofFirst(`auth0|${name}`),
      (name: string) => ofFirst(`repo:Owner/${name}:ref "x" & a+b%2Bc`),
      (name: string) => ofFirst(`Ζωή ${name}`.padEnd(120, 'x')),
      (name: string) => ({ issuer: `https://${name}.example/`, subject: `auth0|${name}` }),
      (name: string) => ({ issuer: `https://issuer.example/${name}?a=1&b=<2>`, subject: `Owner/${name}` }),
      (name: string) => ({ issuer: `https://issuer.example:443/${name}`, subject: name }),
      (name: string) => ({ issuer: `https://issuer.example/${name}/ü`, subject: name }),
    ]
    const sent = claims
      .map(() => names.fresh())
      .map((name, index) => ({ name, description: name, claimMatch: claims[index]!(name) }))

    const answers = await Promise.all(sent.map((body) => api.attempt.identities.create(scratch.uid, body)))
    const kept = sent.flatMap(({ claimMatch }, index) =>
      succeeded(answers[index]!) ? [{ claimMatch, answer: answers[index]! }] : [],
    )
    atLeast(1, 'claim matches that were accepted', kept.length)

    for (const { claimMatch, answer } of kept)
      expect(answer.json, 'the identity in the answer to Create').toMatchObject({ claimMatch })
  },
)

requirement(
  {
    id: 'identity.claim-match.others',
    level: 'observe',
    statement: 'S2.11, R54',
    quote: '`claimMatch` has `issuer` and `subject`',
    says: 'How an identity with a missing, partial, duplicate or pattern claim match is answered',
  },
  async ({ api, scratch, names, observe }) => {
    const taken = await scratch.makeIdentity()
    const { issuer, subject } = anotherClaim(taken, names.fresh())
    const create = (claimMatch?: unknown) => {
      const name = names.fresh()
      return api.attempt.identities.create(scratch.uid, { name, description: name, claimMatch })
    }

    observe(
      await sideBySide({
        none: create(),
        empty: create({}),
        'without a subject': create({ issuer }),
        'of another one': create(taken.claimMatch),
        'a pattern': create({ issuer, subjectPattern: `${subject}.*` }),
      }),
    )
  },
)

requirement(
  {
    id: 'identity.claim-match.stays',
    level: 'must',
    statement: 'S4.26, S2.11, R6',
    quote: 'a PATCH without `updateMask` changes only the fields that its body has',
    restsOn: ['update.keeps-omitted@identities'],
    says: 'A claim match survives Updates of other fields, also one set by an Update',
  },
  async ({ api, scratch, names, eventually }) => {
    const made = await scratch.makeIdentity()
    const wanted = anotherClaim(made, names.fresh())
    const answer = await eventually(() => patched(api, made.uid, { claimMatch: wanted }))
    const claimMatch = succeeded(answer) ? wanted : made.claimMatch

    for (const change of [{ name: names.fresh() }, { description: 'changed' }, { name: names.fresh() }])
      await eventually(() => updated(api, 'identities', made.uid, change))

    await eventually(async () =>
      expect((await got(api, 'identities', made.uid)).claimMatch, 'the claim match').toMatchObject(
        claimMatch as object,
      ),
    )
  },
)

requirement(
  {
    id: 'identity.claim-match.updated',
    level: 'must',
    statement: 'S4.26, S4.28, S2.11, R6',
    quote: 'a PATCH answers the resource as it is after the update',
    says: 'An accepted Update of a claim match takes effect',
  },
  async ({ api, scratch, names, eventually }) => {
    const made = await scratch.makeIdentity()
    const wanted = anotherClaim(made, names.fresh())

    const answer = await eventually(() => patched(api, made.uid, { claimMatch: wanted }))

    // a refusal of a new claim match is lawful
    const claimMatch = (succeeded(answer) ? wanted : made.claimMatch) as object
    expect(succeeded(answer) ? answer.json : made, 'the identity in the answer').toMatchObject({ claimMatch })
    await eventually(async () =>
      expect((await got(api, 'identities', made.uid)).claimMatch, 'the claim match').toMatchObject(claimMatch),
    )
  },
)
