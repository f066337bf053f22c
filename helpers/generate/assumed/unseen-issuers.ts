import { signedByAnother } from '../../auth/forged-jwt.ts'
import type { Answer } from '../../http/call.ts'
import type { Wish } from '../../sts/exchange-call.ts'
import type { OwnExchanging } from '../../sts/token-exchange.ts'
import type { Driver } from '../driver.ts'

/** Exchanges, whatever the answer. */
export type Ask = (wish: Wish) => Promise<Answer | undefined>

/** Issuers whose first token has ended, or is signed by another: nothing of them is known by then (R41). */
export async function askUnseenIssuers(driver: Driver, { match, sign, now }: OwnExchanging, ask: Ask): Promise<void> {
  const signers = [
    (claims: object) => sign({ ...claims, iat: now() - 10_800, exp: now() - 7_200 }),
    async (claims: object) => signedByAnother(await sign({ ...claims })),
  ]
  for (const signBadly of signers) {
    const [issuer, subject] = [`${match.issuer}/${driver.name()}`, `unseen ${driver.name()}`]
    const identity = await driver.identity(driver.scope, { claimMatch: { issuer, subject } })
    if (identity) await ask({ identity: identity.uid, token: await signBadly({ iss: issuer, sub: subject }) })
  }
}

/** Exchanges tokens of issuers that publish no key: no signature is theirs (R41). */
export async function askKeyless(driver: Driver, { keyless, sign }: OwnExchanging, ask: Ask): Promise<void> {
  for (const issuer of keyless) {
    const subject = `without a key ${driver.name()}`
    const identity = await driver.identity(driver.scope, { claimMatch: { issuer, subject } })
    if (identity === undefined) continue
    await driver.binding(driver.scope, identity)
    // the good key of another issuer comes first, in case it is remembered
    for (const token of [
      await sign({ iss: issuer, sub: subject }),
      await signedByAnother(await sign({ iss: issuer, sub: subject })),
    ])
      await ask({ identity: identity.uid, token })
  }
}
