import { isObject } from '../../helpers/api/received.ts'
import { outcomeOf } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

requirement(
  {
    id: 'sts.answer.refusals',
    level: 'observe',
    statement: 'S5.3, R41',
    quote: 'A workload exchanges the token of its identity provider',
    says: 'How an exchange with garbage, without a token or for an unknown identity is answered',
  },
  async ({ exchanging, observe }) => {
    const [garbage, missing, unknown] = await exchanging.besideGood([
      { token: 'garbage', shown: 'garbage' },
      { token: undefined },
      { identity: `${exchanging.uid}0` },
    ])

    const challenge = missing!.headers['www-authenticate'] === undefined ? 'no WWW-Authenticate' : 'WWW-Authenticate'
    observe(
      `garbage: ${outcomeOf(garbage!)}; no token: ${outcomeOf(missing!)}, ${challenge}; unknown identity: ${outcomeOf(unknown!)}`,
    )
  },
)

const elsewhere = 'https://elsewhere.example'

requirement(
  {
    id: 'sts.answer.audience',
    level: 'observe',
    statement: 'S5.3, R41',
    quote: '`aud` is the address of the API and serves as the audience',
    says: 'How an exchange for a foreign, empty or missing audience is answered',
  },
  async ({ exchanging, observe }) => {
    const [foreign, empty, none] = await exchanging.besideGood([{ aud: elsewhere }, { aud: '' }, { aud: undefined }])

    observe(`foreign: ${outcomeOf(foreign!)}; empty: ${outcomeOf(empty!)}; none: ${outcomeOf(none!)}`)
  },
)

requirement(
  {
    id: 'sts.answer.claims',
    level: 'observe',
    statement: 'S5.3, R41',
    quote: 'A workload exchanges the token of its identity provider',
    says: 'How identity tokens with an odd audience, odd validity times or a second use are answered',
  },
  async ({ sts, observe }) => {
    const once = await sts.sign()
    const claims = [{ aud: elsewhere }, { aud: undefined }, { nbf: 4_102_444_800 }, { exp: undefined }]
    const tokens = await Promise.all(claims.map((changed) => sts.sign(changed)))
    await sts.exchange({ token: once })

    const answers = await sts.besideGood([...tokens, once].map((token) => ({ token })))

    const [foreign, none, early, endless, twice] = answers.map(outcomeOf)
    observe(`foreign: ${foreign}; none: ${none}; not yet: ${early}; no end: ${endless}; twice: ${twice}`)
  },
)

requirement(
  {
    id: 'sts.answer.identity',
    level: 'observe',
    statement: 'S5.3, R41',
    quote: '`identity` is the uid of the identity',
    says: 'How an exchange without an identity, or with an empty one, is answered',
  },
  async ({ exchanging, observe }) => {
    const [none, empty] = await exchanging.besideGood([{ identity: undefined }, { identity: '' }])

    observe(`none: ${outcomeOf(none!)}; empty: ${outcomeOf(empty!)}`)
  },
)

requirement(
  {
    id: 'sts.answer.post',
    level: 'observe',
    statement: 'S5.3',
    quote: '`GET {auth_url}/sts/exchange?aud=…&identity=…`, with that identity token as bearer',
    says: 'How an exchange by POST is answered',
  },
  async ({ exchanging, observe }) => {
    const [posted] = await exchanging.besideGood([{ method: 'POST' }])

    observe(`POST: ${outcomeOf(posted!)}`)
  },
)

requirement(
  {
    id: 'sts.answer.members',
    level: 'observe',
    statement: 'S5.4',
    quote: 'The exchange answers a JSON object, and its `token` is the API token',
    says: 'Members that an exchange returns besides the token',
  },
  async ({ exchanging, observe }) => {
    const answer = await exchanging.exchange()

    const others = Object.keys(isObject(answer.json) ? answer.json : {}).filter((member) => member !== 'token')
    const beside = others.length === 0 ? 'nothing' : others.sort().join(', ')
    observe(succeeded(answer) ? beside : outcomeOf(answer))
  },
)

requirement(
  {
    id: 'sts.answer.after-deletion',
    level: 'observe',
    statement: 'S5.3, R41',
    quote: 'A workload exchanges the token of its identity provider',
    says: 'How the API answers a token whose identity was deleted',
  },
  async ({ api, sts, scratch, observe }) => {
    const token = await sts.workingToken()
    // a binding that was listed once has gone with its identity as soon as a list leaves it out
    await api.attempt.roleBindings.list(scratch.children)

    await api.identities.delete(sts.uid)

    observe(`read: ${outcomeOf(await sts.read(token))}`)
  },
)
