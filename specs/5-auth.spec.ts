import { expect } from 'vitest'
import { type KindName, kinds, listedKinds } from '../helpers/api/kinds.ts'
import { outcomeOf, refused } from '../helpers/assertions/refused.ts'
import { asPassword, type BadCredentialName, badCredentials, spoil } from '../helpers/auth/invalid-credentials.ts'
import { trespass } from '../helpers/auth/unauthorized-calls.ts'
import { requirement } from '../helpers/case/requirement.ts'
import { type Call, succeeded } from '../helpers/http/call.ts'

const at = (kind: KindName) => (kind === 'groups' ? '' : `@${kind}`)

/** The calls with the token in their bodies, as forms of OAuth have it. */
const withBody = (calls: readonly Call[] = [], token: string): Call[] =>
  calls.map((call) => ({ ...call, body: { ...(call.body as object), access_token: token } }))

for (const kind of listedKinds) {
  for (const operation of kinds[kind].offered) {
    requirement(
      {
        id: `auth.required.${operation}${at(kind)}`,
        level: 'must',
        statement: 'S5.1, R39',
        says: `Without an Authorization header ${operation} of ${kind} is refused, shows nothing and does nothing`,
        profile: kinds[kind].listed.profile,
      },
      async ({ premisesOf, trespassing, atLeast }) => {
        const premises = await premisesOf(kind)

        const twins = await trespass({ ...trespassing, premises, reopen: () => premisesOf(kind) }, 'no-header', [
          operation,
        ])

        atLeast(1, 'calls that the good token may make and that nobody may make without one', twins)
      },
    )
  }

  for (const name of Object.keys(badCredentials).filter((bad) => bad !== 'no-header') as BadCredentialName[]) {
    requirement(
      {
        id: `auth.refuses.${name}${at(kind)}`,
        level: 'must',
        statement: 'S5.1, R39',
        says: `A bad credential is refused by every operation on ${kind}, shows nothing and does nothing: ${name.replaceAll('-', ' ')}`,
        profile: kinds[kind].listed.profile,
      },
      async ({ premisesOf, trespassing, atLeast }) => {
        const premises = await premisesOf(kind)

        const twins = await trespass({ ...trespassing, premises, reopen: () => premisesOf(kind) }, name)

        atLeast(1, 'calls that the good token may make and that nobody may make without one', twins)
      },
    )
  }
}

requirement(
  {
    id: 'auth.refuses.as-password',
    level: 'must',
    statement: 'S5.1, R39',
    says: 'The token as a password of the Basic scheme is refused by every operation, shows nothing and does nothing',
  },
  async ({ run, premisesOf, trespassing, atLeast }) => {
    const bad = asPassword(await run.tokens.value(), run.secrets)
    const premises = await premisesOf('groups')
    const sending = { ...trespassing, premises, reopen: () => premisesOf('groups'), bad }

    const twins = await trespass(sending, 'as-password')

    atLeast(1, 'calls that the good token may make and that nobody may make without one', twins)
  },
)

requirement(
  {
    id: 'auth.refuses.in-body',
    level: 'must',
    statement: 'S5.1, R39',
    says: 'The token in the body, without a header, is refused by Create and Update, and does nothing',
  },
  async ({ run, premisesOf, trespassing, atLeast }) => {
    const token = await run.tokens.value()
    const premises = await premisesOf('groups')
    const { create, update } = premises.calls
    const calls = { ...premises.calls, create: withBody(create, token), update: withBody(update, token) }
    const bad = await badCredentials['no-header']()
    const sending = {
      ...trespassing,
      premises: { ...premises, calls },
      reopen: () => premisesOf('groups'),
      bad,
    }

    const twins = await trespass(sending, 'in-body')

    atLeast(1, 'calls that the good token may make and that nobody may make without one', twins)
  },
)

requirement(
  {
    id: 'auth.one-connection',
    level: 'must',
    statement: 'S5.1, R39',
    says: 'On one connection that is kept alive, good and bad credentials in turn are told apart every time',
  },
  async ({ run, narrowClient, premisesOf, trespassing }) => {
    const { calls, thing } = await premisesOf('groups')
    const call = calls.get![0]!
    const token = await run.tokens.value()
    const bad = await Promise.all(
      (['cut-short', 'no-header', 'altered', 'garbage'] as const).map((name) =>
        badCredentials[name](token, run.secrets),
      ),
    )

    for (const credential of bad) {
      const good = await narrowClient.send(call, trespassing.log)
      expect(good.json, 'the answer to the good token').toMatchObject({ uid: thing.uid })
      refused(
        await narrowClient.send(spoil(call, credential), trespassing.log),
        'a bad credential after a good one on one connection',
      )
    }
  },
)

requirement(
  {
    id: 'auth.in-parallel',
    level: 'must',
    statement: 'S5.1, R39',
    says: 'Of many calls at the same moment, those with a good token succeed and those with a bad one are refused',
  },
  async ({ run, premisesOf, trespassing }) => {
    const { calls } = await premisesOf('groups')
    const token = await run.tokens.value()
    const bad = await Promise.all(
      (['cut-short', 'no-header', 'other-signer'] as const).map((name) => badCredentials[name](token, run.secrets)),
    )
    const mixed = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? undefined : bad[index % 3]))

    const answers = await Promise.all(
      mixed.map((credential, index) => {
        const call = [calls.get![0]!, calls.list![0]!][index % 4 < 2 ? 0 : 1]!
        return run.client.send(credential ? spoil(call, credential) : call, trespassing.log)
      }),
    )

    expect(answers.map(succeeded)).toEqual(mixed.map((credential) => credential === undefined))
  },
)

requirement(
  {
    id: 'auth.status',
    level: 'should',
    statement: 'S5.1, R39',
    says: 'A missing or bad credential is answered 401 or 403',
  },
  async ({ run, premisesOf, trespassing }) => {
    const { calls } = await premisesOf('groups')
    const token = await run.tokens.value()
    const bad = await Promise.all(
      (['no-header', 'garbage', 'altered'] as const).map((name) => badCredentials[name](token, run.secrets)),
    )

    const answers = await Promise.all(
      bad.flatMap((credential) =>
        [calls.get![0]!, calls.list![0]!].map((call) => run.client.send(spoil(call, credential), trespassing.log)),
      ),
    )

    expect(answers.map(({ status }) => status).filter((status) => status !== 401 && status !== 403)).toEqual([])
  },
)

requirement(
  {
    id: 'auth.answer',
    level: 'observe',
    statement: 'S5.1, R39',
    says: 'What a missing credential, a lower-case scheme, and a missing credential on a bad create are answered',
  },
  async ({ run, api, scratch, trespassing, premisesOf, observe }) => {
    const call = (await premisesOf('groups')).calls.get![0]!
    const token = await run.tokens.value()
    const none = { shown: 'none' }

    const missing = await run.client.send({ ...call, credential: none }, trespassing.log)
    const lower = await run.client.send(
      { ...call, credential: { header: `bearer ${token}`, shown: 'bearer $RMAPI_ACCESS_TOKEN' } },
      trespassing.log,
    )
    const bad = await api.attempt.groups.create(scratch.uid, {}, { credential: none })

    const challenge =
      missing.headers['www-authenticate'] === undefined ? 'no WWW-Authenticate' : 'with WWW-Authenticate'
    observe(
      `missing: ${outcomeOf(missing)}, ${challenge}; lower-case bearer: ${outcomeOf(lower)}; missing on a bad create: ${outcomeOf(bad)}`,
    )
  },
)
