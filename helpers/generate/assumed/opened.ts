import { setTimeout as sleep } from 'node:timers/promises'
import { type KindName, kinds } from '../../api/kinds.ts'
import { isObject } from '../../api/received.ts'
import { type Answer, type Call, type Credential, exchangedToken, succeeded } from '../../http/call.ts'
import type { Query } from '../../http/url.ts'
import type { Driver } from '../driver.ts'

/** Exchanges an otherwise good token with these claims for an identity. */
export type Good = (uid?: string, claims?: Record<string, unknown>) => Promise<Answer | undefined>

/** The pauses before an exchange is repeated, in milliseconds: a change or a deletion may take effect late (R41). */
const pauses = [300, 1_000, 3_000, 6_500]

/** Repeats an exchange while its answer is not the wanted one but may still become so; returns the last. */
export async function inTime(
  exchange: () => Promise<Answer | undefined>,
  { run }: Driver,
  wanted: 'accepted' | 'refused' = 'accepted',
): Promise<Answer | undefined> {
  let [answer, spent] = [await exchange(), 0]
  for (const pause of pauses) {
    const isAsWanted = answer === undefined || succeeded(answer) === (wanted === 'accepted')
    // an old claim that still opens is a breach only after 10 seconds (R41)
    if (isAsWanted || (wanted === 'accepted' && spent >= run.patience.rights)) return answer
    await sleep(pause)
    spent += pause
    answer = await exchange()
  }
  return answer
}

/** Uses the API tokens of identities that do not change. */
export type Look = () => Promise<unknown>

/** An identity with a role in a group, which may be assumed. */
export interface Owner {
  uid: string
  name: string
  issuer: string
  subject: string
  /** The group in which it has a role, and its binding there. */
  home: string
  binding: string | undefined
  /** Gets another API token for it. */
  renew(): Promise<Credential | undefined>
}

/** One that was assumed: `look` uses its first API token and its newest. */
export interface Opened extends Owner {
  look: Look
  credential: Credential
}

/** A Get of a resource, or a List. */
export const readOf = (
  driver: Driver,
  kind: KindName,
  asked: { uid?: string; query?: Query; version?: string },
): Call => ({
  operation: `${asked.version === undefined ? '' : `${asked.version}.`}${kinds[kind].name}.${asked.uid === undefined ? 'list' : 'get'}`,
  method: 'GET',
  path: driver.path(kind, asked.uid, asked.version),
  ...(asked.query && { query: asked.query }),
})

/** Sends reads with an API token, and repeats those answered with 401 until that counts (R41). */
export async function readWith(driver: Driver, credential: Credential, reads: readonly Call[]): Promise<void> {
  let left = reads
  for (const pause of [0, ...pauses]) {
    if (left.length === 0) return
    await sleep(pause)
    const answers = await Promise.all(left.map((call) => driver.call({ ...call, credential })))
    left = left.filter((_, index) => answers[index]?.status === 401)
  }
}

/** The API token in the answer to an exchange. */
export function credentialIn(answer: Answer | undefined): Credential | undefined {
  const token = isObject(answer?.json) ? answer.json.token : undefined
  return typeof token === 'string' ? exchangedToken(token) : undefined
}

/** Makes an identity in a group and binds it; undefined where that is refused. */
export async function ownerAt(
  driver: Driver,
  home: string,
  issuer: string,
  good: Good,
  name: string = driver.name(),
): Promise<Owner | undefined> {
  const subject = `beside ${driver.name()}`
  const identity = await driver.identity(home, { name, claimMatch: { issuer, subject } })
  if (identity === undefined) return undefined
  const binding = await driver.binding(home, identity)
  const renew = async () => credentialIn(await inTime(() => good(identity.uid, { sub: subject }), driver))
  return { uid: identity.uid, name, issuer, subject, home, binding: binding?.uid, renew }
}

/** Assumes an identity; undefined where that is refused. */
export async function assumed(driver: Driver, owner: Owner | undefined): Promise<Opened | undefined> {
  const credential = await owner?.renew()
  if (owner === undefined || credential === undefined) return undefined
  const path = driver.path('groups', owner.home)
  let newest = credential
  const isRefused = async (one: Credential) =>
    (await driver.call({ operation: 'group.get', method: 'GET', path, credential: one }))?.status === 401
  let waits = true
  const look = async () => {
    const used = [...new Set([credential, newest])]
    // a refusal means something once the token is older than 10 seconds (R41)
    for (let tries = 0; (await Promise.all(used.map(isRefused))).includes(true) && waits; tries++) {
      if (tries === pauses.length) waits = false
      else await sleep(pauses[tries])
    }
  }
  const renew = async () => {
    const renewed = await owner.renew()
    newest = renewed ?? newest
    return renewed
  }
  return { ...owner, look, credential, renew }
}

/** Makes an identity in a group, binds and assumes it; undefined where any of that is refused. */
export const openAt = async (driver: Driver, home: string, issuer: string, good: Good, name?: string) =>
  assumed(driver, await ownerAt(driver, home, issuer, good, name))
