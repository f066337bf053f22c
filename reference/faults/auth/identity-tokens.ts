import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { readToken } from '../../identity/tokens.ts'
import { during, inV1, type Replacement } from '../../replace.ts'

/** Takes a token of an identity provider for the identity whose claim match fits. */
const takesIdentityTokens: Replacement = (contract) => ({
  async authenticate(token, reader, at) {
    const { iss, sub } = readToken(token)?.claims ?? {}
    const fits = ({ claimMatch }: Item) => claimMatch?.issuer === iss && claimMatch?.subject === sub
    const identity = iss === undefined ? undefined : [...at.world.store.all('identities')].find(fits)
    return identity ? { subject: identity.uid, org: identity.org } : contract.authenticate(token, reader, at)
  },
})

/** Identity tokens that are taken without an exchange (S5.3, R39). */
export const identityTokenFaults: readonly Fault[] = [
  fault('the API takes identity tokens as they are', ['auth.refuses.identity-token*'], takesIdentityTokens),
  fault(
    'lists of v1 take identity tokens as they are',
    ['auth.refuses.identity-token@v1'],
    inV1(during('list', takesIdentityTokens)),
  ),
]
