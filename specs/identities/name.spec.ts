import { expect } from 'vitest'
import { isReceived } from '../../helpers/api/received.ts'
import { sideBySide } from '../../helpers/arrange/observed.ts'
import { got } from '../../helpers/arrange/optional-operations.ts'
import { clientsMistake, refused } from '../../helpers/assertions/refused.ts'
import { hasShape } from '../../helpers/assertions/schema.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'
import { anotherClaim } from '../../helpers/sts/claims.ts'

requirement(
  {
    id: 'identity.name.required',
    level: 'must',
    statement: 'S2.10, R36',
    quote: 'a `name` that a create needs',
    says: 'Create of an identity without a name is refused',
  },
  async ({ api, scratch, names }) => {
    const taken = await scratch.makeIdentity()
    const nameless = { description: 'nameless', claimMatch: anotherClaim(taken, names.fresh()) }

    refused(await api.attempt.identities.create(scratch.uid, nameless), 'creating an identity without a name')
  },
)

requirement(
  {
    id: 'identity.name.error',
    level: 'should',
    statement: 'S7.5, R36',
    quote: 'a BadRequest with one violation on `name`',
    says: 'A nameless identity is refused with the 4xx error of a nameless group',
  },
  async ({ api, scratch, names }) => {
    const taken = await scratch.makeIdentity()

    const answer = await api.attempt.identities.create(scratch.uid, {
      description: 'nameless',
      claimMatch: anotherClaim(taken, names.fresh()),
    })

    clientsMistake(answer, 'creating an identity without a name')
    hasShape(answer.json, 'error-invalid-name')
  },
)

requirement(
  {
    id: 'identity.name.kept',
    level: 'must',
    statement: 'S2.10, R3, R54',
    quote: 'a `name` that a create needs',
    says: 'The accepted name of an identity is kept as sent, whatever its characters',
  },
  async ({ api, scratch, names, eventually, atLeast }) => {
    const first = await scratch.makeIdentity()
    const plain = [names.fresh(), `${names.fresh()}7`, names.fresh().padEnd(30, 'x')]
    const sent = [
      ...plain,
      ...[' ', '.', '_', '-'].map((mark) => `a${mark}${names.fresh()}${mark}9`),
      `A${names.fresh()}É`,
    ]

    const answers = await Promise.all(
      sent.map((name) =>
        api.attempt.identities.create(scratch.uid, {
          name,
          description: 'as sent',
          claimMatch: anotherClaim(first, names.fresh()),
        }),
      ),
    )

    const made = answers.flatMap((answer, index) =>
      succeeded(answer) && isReceived(answer.json)
        ? [{ got: answer.json, uid: answer.json.uid, sent: sent[index] }]
        : [],
    )
    atLeast(1, 'names that were accepted', made.length)
    for (const { got, sent } of made) expect(got.name, 'the name in the answer to Create').toBe(sent)
    await eventually(async () => {
      for (const { uid, sent } of made)
        expect((await got(api, 'identities', uid)).name, 'the name in the answer to Get').toBe(sent)
    })
  },
)

requirement(
  {
    id: 'identity.name.ordinary',
    level: 'must',
    statement: 'S2.10, R3, R54',
    quote: 'a `name` that a create needs',
    says: 'The name of an identity may have 3 to 30 letters and digits',
  },
  async ({ api, scratch, names }) => {
    const first = await scratch.makeIdentity()

    for (const name of [`${names.fresh().slice(-2)}7`, `a${names.fresh()}42`, names.fresh().padEnd(30, 'x')]) {
      const claimMatch = anotherClaim(first, names.fresh())
      const made = await api.identities.create(scratch.uid, { name, description: 'as sent', claimMatch })
      expect(made.name, 'the name in the answer to Create').toBe(name)
    }
  },
)

requirement(
  {
    id: 'identity.name.others',
    level: 'observe',
    statement: 'S2.10, R3',
    quote: 'a `name` that a create needs',
    says: 'Which names other than letters and digits an identity may have',
  },
  async ({ api, scratch, names, observe }) => {
    const first = await scratch.makeIdentity()
    const others = { space: ' ', dot: '.', underscore: '_', hyphen: '-', capital: 'B', 'letter beyond ASCII': 'é' }

    const asked = Object.entries(others).map(([what, mark]) => {
      const body = { name: `a${mark}${names.fresh()}`, claimMatch: anotherClaim(first, names.fresh()) }
      return [what, api.attempt.identities.create(scratch.uid, body)] as const
    })

    observe(await sideBySide(Object.fromEntries(asked)))
  },
)
