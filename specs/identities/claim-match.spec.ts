import { expect } from 'vitest'
import { sideBySide } from '../../helpers/arrange/observed.ts'
import { got, updated } from '../../helpers/arrange/optional-operations.ts'
import { claimMatchFor } from '../../helpers/arrange/scratch.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

const profile = 'identities'

requirement(
  {
    id: 'identity.claim-match.kept',
    level: 'must',
    statement: 'S2.11, R6',
    quote: 'A description or a `claimMatch` that was accepted must come back as sent, character for character',
    says: 'A claim match comes back as sent, character for character',
    profile,
  },
  async ({ api, scratch, names, atLeast }) => {
    const claims = [
      (name: string) => claimMatchFor(name),
      (name: string) => ({ issuer: `https://${name}.example/`, subject: `auth0|${name}` }),
      (name: string) => ({
        issuer: `https://issuer.example/${name}?a=1&b=<2>`,
        subject: `repo:Owner/${name}:ref "x"`,
      }),
      (name: string) => ({ issuer: `https://issuer.example:443/${name}`, subject: `a+b%2Bc:${name}` }),
      (name: string) => ({
        issuer: `https://issuer.example/${name}/ü`,
        subject: `Ζωή ${name}`.padEnd(120, 'x'),
      }),
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
    profile,
  },
  async ({ api, scratch, names, observe }) => {
    const taken = await scratch.makeIdentity()
    const { issuer, subject } = claimMatchFor(names.fresh())
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
    says: 'A claim match set by an Update survives later Updates of other fields',
    profile: 'identities',
  },
  async ({ api, scratch, names, eventually, atLeast }) => {
    const { uid } = await scratch.makeIdentity()
    const claimMatch = claimMatchFor(names.fresh())
    const answer = await api.attempt.identities.update(uid, { claimMatch })
    const shown = succeeded(answer) && JSON.stringify(answer.json)
    const changed = shown ? shown.includes(JSON.stringify(claimMatch.subject)) : false
    atLeast(1, 'claim matches that an Update changed', changed ? 1 : 0)

    for (const change of [{ name: names.fresh() }, { description: 'changed' }, { name: names.fresh() }])
      await eventually(() => updated(api, 'identities', uid, change))

    await eventually(async () =>
      expect((await got(api, 'identities', uid)).claimMatch, 'the claim match').toMatchObject(claimMatch),
    )
  },
)
