import { decodeJwt } from 'jose'
import type { OwnKeys } from '../api/own-keys.ts'
import { isObject, isReceived } from '../api/received.ts'
import { mustBeOffered } from '../arrange/optional-operations.ts'
import type { Run } from '../arrange/run.ts'
import { outcomeOf } from '../assertions/refused.ts'
import type { BadCredential } from '../auth/invalid-credentials.ts'
import { exchangePath } from '../http/access-token.ts'
import { type Answer, codeIn, succeeded } from '../http/call.ts'
import { Inconclusive, Stopped } from '../http/case-errors.ts'
import { readIdentityToken } from '../http/identity-token.ts'
import type { Assumed } from '../settings/configuration.ts'
import { apiTokenIn } from './api-token.ts'
import { type Issuer, openIssuer } from './issuer.ts'
import {
  bindIn,
  type Exchanging,
  exchangingFor,
  inTime,
  type OwnExchanging,
  type StsContext,
  secondsAt,
  untilSuccess,
} from './token-exchange.ts'

/** The target gives no token for identity tokens of the suite's own issuer. */
class NotTrusted extends Inconclusive {}

/** The suite's own issuer, and whether the target is known to trust it; shared by all cases of a run. */
export class OwnIssuer {
  readonly #issuerUrl: string | undefined
  readonly #keys: OwnKeys
  #opened: Promise<Issuer> | undefined
  #first: Promise<unknown> | undefined

  constructor(issuerUrl: string | undefined, keys: OwnKeys) {
    this.#issuerUrl = issuerUrl
    this.#keys = keys
  }

  /** Opens it on the first call; inconclusive where its port is taken. */
  open(): Promise<Issuer> {
    this.#opened ??= openIssuer(this.#issuerUrl, this.#keys).catch((error: Error) => {
      throw new Inconclusive(`the suite's own token issuer cannot listen: ${error.message}`)
    })
    return this.#opened
  }

  /** Makes what needs the target's trust; once it is known to have none, nothing more is tried. */
  async trusted<T>(make: (issuer: Issuer) => Promise<T>): Promise<T> {
    const issuer = await this.open()
    const first = this.#first
    const made = first === undefined ? make(issuer) : untilTrusted(first).then(() => make(issuer))
    this.#first ??= made
    return made
  }

  async close(): Promise<void> {
    const issuer = await this.#opened?.catch(() => undefined)
    await issuer?.close()
  }
}

async function untilTrusted(first: Promise<unknown>): Promise<void> {
  await first.catch((error) => {
    if (error instanceof NotTrusted) throw error
  })
}

/** The operator's identity, with its own token. */
export async function openAssumed(
  context: StsContext,
  { identityUid, audience, identityToken }: Assumed,
): Promise<Exchanging> {
  const fresh = () => readIdentityToken(identityToken, context.run.secrets)
  const operators = { ...context, hides: 'hide' as const }
  const answer = await exchangingFor({ ...operators, log: context.arranged }, identityUid, audience, fresh).exchange()
  if (succeeded(answer)) return exchangingFor(operators, identityUid, audience, fresh)
  throw new Inconclusive(
    `the identity token of RMAPI_IDENTITY_UID was not exchanged (${outcomeOf(answer)}): it may have ended, or been used`,
  )
}

/** The issuer of the operator's identity, if its token is set; its subject is never used. */
export async function issuerOfOperator({ config, secrets }: Run): Promise<string | undefined> {
  const { credentials, sts } = config
  const identityToken = 'identityToken' in credentials ? credentials.identityToken : sts.assumed?.identityToken
  return identityToken === undefined ? undefined : decodeJwt(await readIdentityToken(identityToken, secrets)).iss
}

/** Makes an identity that the suite's own issuer vouches for, and waits until it can be assumed. */
export function openOwn(context: StsContext, own: OwnIssuer): Promise<OwnExchanging> {
  return own.trusted((issuer) => openAt(context, issuer))
}

/** The first good exchange of an identity, which may be unknown there at first, or need a role before (R41). */
async function firstToken(arranging: Exchanging, { patience }: Run): Promise<Answer> {
  const answer = await arranging.exchange()
  if (succeeded(answer)) return answer
  await arranging.bind()
  return untilSuccess(() => arranging.exchange(), patience.rights)
}

async function openAt(context: StsContext, issuer: Issuer): Promise<OwnExchanging> {
  const { run, api } = context
  const [{ uid, match }] = await Promise.all([makeIdentity(context, issuer), askForTheTime(context)])
  const sign = signerOf(issuer, match, run)
  const { audience } = run.config.sts
  const arranging = exchangingFor({ ...context, log: context.arranged }, uid, audience, () => sign())
  const answer = await firstToken(arranging, run).catch((error) => {
    throw error instanceof Stopped ? new NotTrusted(`the exchange cannot be judged: ${error.message}`) : error
  })
  if (!succeeded(answer)) throw new NotTrusted(notTrusted(issuer, run, answer))
  await mustExchange(arranging, answer, run)
  return {
    ...exchangingFor(context, uid, audience, () => sign(), arranging.bind),
    match,
    keys: { strange: issuer.strangeKeys, own: issuer.publicKey },
    sign,
    now: () => secondsAt(run),
    rematch: async (subject, beside = {}) => {
      const changed = await api.attempt.identities.update(uid, { ...beside, claimMatch: { ...match, subject } })
      mustBeOffered(changed)
      const { claimMatch } = isObject(changed.json) ? changed.json : {}
      if (succeeded(changed) && isObject(claimMatch) && claimMatch.subject === subject) return
      throw new Inconclusive(`this target lets no claim match change: ${outcomeOf(changed)}`)
    },
    stranger: { name: issuer.stranger.name, sign: signerOf(issuer, match, run, issuer.stranger.sign) },
    keyless: issuer.keyless,
    publishAnother: async () => {
      const renewed = await issuer.publishAnother()
      return () => signerOf(issuer, match, run, renewed)()
    },
    takesEffect: (when, judge) => (when === 'in time' ? inTime(judge, run.patience.rights) : judge()),
  }
}

/** Reads a movable clock once: identity tokens follow it. */
async function askForTheTime({ run: { clock }, arranged }: StsContext): Promise<void> {
  if (!clock.movable || clock.lastKnown() !== undefined) return
  await clock.advance(0, arranged).catch((error) => {
    if (!(error instanceof Inconclusive)) throw error
  })
}

/** Makes a subject longer than a column of 64 characters, like those of CI services. */
const longPart = 'a-shop-with-a-name-that-is-rather-long-for-a-shop'

/** An identity in the scratch group whose claim match names the suite's own issuer, with its own subject. */
async function makeIdentity({ run, api, scratch }: StsContext, issuer: Issuer) {
  const name = run.names.fresh()
  const match = { issuer: issuer.name, subject: `repo:${name}/${longPart}:ref.main` }
  const sent = { name, description: `identity ${name}`, claimMatch: match }
  const made = await api.attempt.identities.create(scratch.uid, sent)
  if (succeeded(made) && isReceived(made.json)) return { uid: made.json.uid, match }
  throw new NotTrusted(
    `this target makes no identity for the suite's own token issuer ${issuer.name}: ${outcomeOf(made)}`,
  )
}

function signerOf(issuer: Issuer, match: OwnExchanging['match'], run: Run, sign = issuer.sign) {
  return async (claims: Record<string, unknown> = {}, header?: Record<string, unknown>) => {
    const now = secondsAt(run)
    const { issuer: iss, subject: sub } = match
    // the clock of the exchange may be behind the known one
    const [iat, exp] = [now - 30, now + 570]
    const good = { iss, sub, aud: run.config.sts.identityAudience, iat, exp }
    const token = await sign({ ...good, jti: crypto.randomUUID(), ...claims }, header)
    run.secrets.hideSignature(token, '<identity token>')
    return token
  }
}

/** Rules out a page that answers everything: it gives no token, and answers garbage like a good token. */
async function mustExchange(arranging: Exchanging, answer: Answer, { config: { target } }: Run): Promise<void> {
  if (apiTokenIn(answer) !== undefined) return
  const garbage = await arranging.exchange({ token: 'garbage', shown: 'garbage' })
  if (!succeeded(garbage) || garbage.text !== answer.text) return
  throw new NotTrusted(
    `${target.authUrl}${exchangePath} answers garbage as it answers a good identity token: no tokens are exchanged there, so RMAPI_AUTH_URL may be another`,
  )
}

function notTrusted({ name }: Issuer, { config: { sts, target } }: Run, answer: Answer): string {
  const isElsewhere = [404, 405, 501].includes(answer.status) || answer.status < 400 || /^\s*<[!h]/i.test(answer.text)
  if (isElsewhere && codeIn(answer) === undefined)
    return `${target.authUrl}${exchangePath} answers a good identity token with ${outcomeOf(answer)}: no tokens are exchanged there, so RMAPI_AUTH_URL may be another`
  const ways = [
    `RMAPI_IDENTITY_AUDIENCE may have to be another than '${sts.identityAudience}'`,
    ...(sts.issuerUrl === undefined ? ['RMAPI_ISSUER_URL helps where it cannot reach the loopback here'] : []),
  ]
  return `this target does not trust the suite's own token issuer ${name} (${outcomeOf(answer)}): ${ways.join('; ')}`
}

/** Returns identity tokens that were not exchanged, valid for an exchange if the target trusts their issuer (R39). */
export async function unexchangedTokens(context: StsContext, own: OwnIssuer): Promise<() => Promise<BadCredential>> {
  const { run } = context
  const { assumed } = run.config.sts
  const source = assumed
    ? () => readIdentityToken(assumed.identityToken, run.secrets)
    : await own.open().then(async (issuer) => {
        const made = await makeIdentity(context, issuer).catch((error) => {
          if (error instanceof NotTrusted) return undefined
          throw error
        })
        if (made) await bindIn(context, made.uid)
        return signerOf(issuer, made?.match ?? { issuer: issuer.name, subject: 'nobody' }, run)
      })
  return async () => {
    const header = `Bearer ${await source()}`
    return { credential: { header, shown: run.secrets.redact(header) } }
  }
}
