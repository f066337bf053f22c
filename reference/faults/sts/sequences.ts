import type { Item, Kind } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, type Replacement } from '../../replace.ts'
import { changed, foundByModel, watching } from '../run/histories.ts'

const keyOf = ({ claimMatch }: Item) => `${claimMatch?.issuer} ${claimMatch?.subject}`

const subjectOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub

/** API tokens that end early; `ended` gets every exchanged token with those of its identity, the oldest first. */
const endedEarly =
  (ended: (token: string, tokens: readonly string[]) => boolean): Replacement =>
  (contract) => {
    const tokensOf = new Map<string, string[]>()
    return {
      issued(token, at) {
        const issued = contract.issued(token, at)
        const subject = subjectOf(token)
        tokensOf.set(subject, [...(tokensOf.get(subject) ?? []), issued])
        return issued
      },
      async authenticate(token, reader, at) {
        const caller = await contract.authenticate(token, reader, at)
        const tokens = tokensOf.get(caller?.subject ?? '') ?? []
        return tokens.includes(token) && ended(token, tokens) ? undefined : caller
      },
    }
  }

const issuedAt = (token: string): number =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).iat * 1000

/** API tokens of identities that end when something happened after they were issued. */
const endingFor =
  (endOf: (identity: Item) => number | undefined): Replacement =>
  (contract) => ({
    async authenticate(token, reader, at) {
      const caller = await contract.authenticate(token, reader, at)
      const identity = caller && at.world.store.get('identities', caller.subject)
      return identity && issuedAt(token) <= (endOf(identity) ?? 0) ? undefined : caller
    },
  })

/** API tokens of identities that end when something of a kind is deleted in their group. */
const endingWith =
  (kind: Kind): Replacement =>
  (contract) => {
    const ended = new Map<string, number>()
    return {
      forget(steps, item, at) {
        contract.forget(steps, item, at)
        if (item.kind === kind) ended.set(item.parent, at.world.now())
      },
      ...endingFor(({ parent }) => ended.get(parent))(contract),
    }
  }

/** Faults in the token exchange that need several exchanges or changes to show (S2.11, R40, R41). */
export const stsSequencesFaults: readonly Fault[] = [
  fault('with an identity go the claims that it had once, no matter who has them now', foundByModel, (contract) => {
    const had = new Map<string, Set<string>>()
    const lost = new Set<string>()
    const has = (item: Item) => {
      had.set(item.uid, (had.get(item.uid) ?? new Set()).add(keyOf(item)))
      lost.delete(keyOf(item))
    }
    return {
      ...on('identities', () => ({
        ...watching(contract, (_old, next) => has(next)),
        keep(item, at) {
          has(item)
          contract.keep(item, at)
        },
        forget(steps, item, at) {
          for (const key of had.get(item.uid) ?? []) lost.add(key)
          contract.forget(steps, item, at)
        },
      }))(contract),
      assumable(uid, at) {
        const identity = contract.assumable(uid, at)
        return identity && lost.has(keyOf(identity)) ? undefined : identity
      },
    }
  }),
  fault('a deleted identity is assumed again when another one has its claims', foundByModel, (contract) => {
    const known = new Map<string, Item>()
    return {
      assumable(uid, at) {
        const identity = contract.assumable(uid, at)
        if (identity) known.set(uid, identity)
        const old = known.get(uid)
        const isBack = old && [...at.world.store.all('identities')].some((other) => keyOf(other) === keyOf(old))
        return identity ?? (isBack ? old : undefined)
      },
    }
  }),
  fault('an identity token is taken for a quarter of an hour after its end', foundByModel, (contract) => ({
    timely: ({ exp = 0, ...claims }, now, at) => contract.timely({ ...claims, exp: exp + 900 }, now, at),
  })),
  fault('an identity token that was taken once is taken for ever', foundByModel, (contract) => {
    const taken = new Set<string>()
    return {
      timely(claims, now, at) {
        const key = JSON.stringify(claims)
        const timely = taken.has(key) || contract.timely(claims, now, at)
        if (timely) taken.add(key)
        return timely
      },
    }
  }),
  fault(
    'the ninth exchange of an identity ends its first API token',
    ['sts.token.hour.lives', 'model.exchange.lifetime'],
    endedEarly((token, tokens) => !tokens.slice(-8).includes(token)),
  ),
  fault(
    'a change of an identity ends its API tokens',
    ['sts.token.hour.lives', 'model.exchange.lifetime'],
    (contract) => {
      const ended = new Set<string>()
      const known = new Map<string, readonly string[]>()
      return {
        ...endedEarly((token, tokens) => {
          known.set(subjectOf(token), tokens)
          return ended.has(token)
        })(contract),
        ...on('identities', () =>
          watching(contract, (old) => {
            for (const token of known.get(old.uid) ?? []) ended.add(token)
          }),
        )(contract),
      }
    },
  ),
  fault('a deleted identity takes the API tokens of its group along', foundByModel, endingWith('identities')),
  fault('a deleted binding ends the API tokens of its group', foundByModel, endingWith('roleBindings')),
  fault('claims that change end the API tokens of their issuer', foundByModel, (contract) => {
    const ended = new Map<string, number>()
    return {
      ...changed(contract, (old, next, at) => {
        if (keyOf(old) !== keyOf(next)) ended.set(old.claimMatch?.issuer ?? '', at.world.now())
        return next
      }),
      ...endingFor(({ claimMatch }) => ended.get(claimMatch?.issuer ?? ''))(contract),
    }
  }),
]
