import type { OwnExchanging } from '../../sts/token-exchange.ts'
import type { Driver } from '../driver.ts'
import type { HouseholdOwner } from '../sequences/households.ts'
import { assumed, type Good, ownerAt } from './opened.ts'

/** An identity in a group, and exchanges that end no API token, whether they are accepted or refused (S5.5, R40). */
export async function ownedBy(
  driver: Driver,
  home: string,
  { match: { issuer }, sign, exchange }: OwnExchanging,
  good: Good,
): Promise<HouseholdOwner | undefined> {
  const owner = await ownerAt(driver, home, issuer, good)
  if (owner === undefined) return undefined
  const { uid, subject } = owner
  const asking = (aud: string) => async () => {
    const token = await sign({ sub: subject })
    return driver.send(() => exchange({ identity: uid, token, aud }))
  }
  const assume = async () => {
    // a subject that it never has
    await good(uid, { sub: `${subject}x` })
    const opened = await assumed(driver, owner)
    if (opened === undefined) return undefined
    const { look, renew } = opened
    const exchanges = [
      renew,
      asking('https://elsewhere.example'),
      () => good(uid, { sub: `${subject}x` }),
      () => Promise.all([renew(), asking('https://elsewhere.example')(), renew()]),
      asking(''),
    ]
    return { uid, look, exchanges }
  }
  return { uid, assume }
}
