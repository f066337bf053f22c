import { decodeJwt } from 'jose'
import { type Fault, fault } from '../../fault.ts'
import { when, withRequest } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

/** Faults in the answer of the exchange (S5.3, S5.4). */
export const stsExchangeFaults: readonly Fault[] = [
  fault('a new API token ends the one before it', ['sts.exchange.again', 'sts.token.hour.lives'], (contract) => {
    const last = new Map<string, string>()
    return {
      issued(token, at) {
        last.set(String(decodeJwt(token).sub), token)
        return contract.issued(token, at)
      },
      async authenticate(token, reader, at) {
        const caller = await contract.authenticate(token, reader, at)
        const ended =
          at.world.store.get('identities', caller?.subject ?? '') && last.get(caller?.subject ?? '') !== token
        return ended ? undefined : caller
      },
    }
  }),
  fault('an exchange calls its token access_token', ['sts.exchange.token'], () => ({
    exchanged: (token) => ({ access_token: token }),
  })),
  fault('an exchange answers a number for a token', ['sts.exchange.token'], () => ({
    exchanged: () => ({ token: 42 }),
  })),
  fault('the API does not know the token of an exchange', ['sts.exchange.usable'], () => ({
    exchanged: (token) => ({ token: token.slice(0, -9) }),
  })),
  fault(
    'an exchange changes its identity',
    ['sts.exchange.changes-nothing'],
    when(
      ({ operation }) => operation === 'exchange',
      (contract) => ({
        exchanged(token, at) {
          const identity = at.world.store.get('identities', String(decodeJwt(token).sub))
          if (identity) at.world.store.put({ ...identity, description: 'seen', updateTime: at.world.now() })
          return contract.exchanged(token, at)
        },
      }),
    ),
  ),
  fault('an exchange for an unknown identity breaks', ['sts.refusal.status', 'service.faults'], (contract) => ({
    assumable(uid, at) {
      const identity = contract.assumable(uid, at)
      if (!identity) throw new TypeError('identity is undefined')
      return identity
    },
  })),
  fault(
    'an exchange by POST takes any subject',
    ['model.exchange.refusal'],
    withRequest((request, contract) => ({
      sameSubject: (claimed, matched, at) => request().method === 'POST' || contract.sameSubject(claimed, matched, at),
    })),
  ),
  fault('an issuer that publishes a key on a curve beside its own is believed no more', foundByModel, (contract) => ({
    signedByIssuer: async (token, header, keys, at) =>
      keys.every(({ kty }) => kty === 'RSA') && contract.signedByIssuer(token, header, keys, at),
  })),
]
