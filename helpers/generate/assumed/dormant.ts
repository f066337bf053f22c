import { apiOver } from '../../api/api.ts'
import { OverflowGroups } from '../../arrange/overflow-groups.ts'
import { makeScratch } from '../../arrange/scratch.ts'
import { TargetGone } from '../../http/case-errors.ts'
import { type OwnIssuer, openOwn } from '../../sts/identities.ts'
import type { Driver } from '../driver.ts'

/**
 * Makes two sorts of identities, and assumes only one of them at once; returns what assumes both later: nothing says
 * that identities expire (S2.11, R41). Undefined where the target does not trust our issuer.
 */
export async function openDormant(driver: Driver, ownIssuer: OwnIssuer): Promise<(() => Promise<void>) | undefined> {
  const opened = await openIn(driver, ownIssuer).catch((error) => {
    if (error instanceof TargetGone) throw error
  })
  if (opened === undefined) return undefined
  const { sts, home } = opened
  const subject = `dormant ${driver.name()}`
  const other = await driver.identity(home, { claimMatch: { issuer: sts.match.issuer, subject } })
  await driver.binding(home, other)
  const look = () =>
    Promise.all([sts, other].map((one) => one && driver.send(() => driver.api.identities.get(one.uid))))
  await look()
  return async () => {
    await driver.send(async () => sts.exchange({ token: await sts.sign() }))
    if (other)
      await driver.send(async () => sts.exchange({ identity: other.uid, token: await sts.sign({ sub: subject }) }))
    // the effect of an exchange may depend on how long ago the last one was
    await look()
    // an older token is exchanged later all the same: lastSeenTime does not go back (R41)
    const [iat, exp] = [sts.now() - 600, sts.now() + 3_600]
    await driver.send(async () => sts.exchange({ token: await sts.sign({ iat, exp }) }))
    await look()
  }
}

async function openIn({ run, log, scope }: Driver, ownIssuer: OwnIssuer) {
  const api = apiOver(run, log)
  const scratch = await makeScratch(api, { ...run, runGroup: { uid: scope, overflow: new OverflowGroups(scope) } })
  const sts = await openOwn({ run, api, scratch, log, arranged: log }, ownIssuer)
  await sts.bind()
  return { sts, home: scratch.uid }
}
