import type { At } from '../../domain/at.ts'
import { type Fault, fault } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'
import { foundByModel, onGroups, watching } from '../run/histories.ts'
import { revoking } from './revoking.ts'

const claimsOf = (token: string): { iat: number; sub: string } =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

const issuedAt = (token: string): number => claimsOf(token).iat * 1000

const subjectOf = (token: string): string => claimsOf(token).sub

/** API tokens that end when something happens after they were issued; `ended` gives when, by identity or group. */
const endingAt =
  (ended: ReadonlyMap<string, number>): Replacement =>
  (contract) => ({
    async authenticate(token, reader, at) {
      const caller = await contract.authenticate(token, reader, at)
      const identity = caller && at.world.store.get('identities', caller.subject)
      if (identity === undefined) return caller
      const end = Math.max(ended.get(identity.uid) ?? 0, ended.get(identity.parent) ?? 0)
      return issuedAt(token) <= end ? undefined : caller
    },
  })

/** Faults in API tokens that depend on what else happens to their identity (S5.5, R40). */
export const stsConditionFaults: readonly Fault[] = [
  fault('a rename of a group ends the API tokens of its identities', foundByModel, (contract) => {
    const ended = new Map<string, number>()
    return {
      ...onGroups((groups) => ({
        modify(steps, at) {
          const old = steps.read()
          if (steps.change(old).name !== old.name) ended.set(old.uid, at.world.now())
          return groups.modify(steps, at)
        },
      }))(contract),
      ...endingAt(ended)(contract),
    }
  }),
  fault('a refused exchange ends the API tokens of its identity', foundByModel, (contract) => {
    const ended = new Map<string, number>()
    const asked = new WeakMap<At, string>()
    return {
      assumable(uid, at) {
        asked.set(at, uid)
        return contract.assumable(uid, at)
      },
      sameSubject(claimed, matched, at) {
        const isSame = contract.sameSubject(claimed, matched, at)
        if (!isSame) ended.set(asked.get(at) ?? '', at.world.now())
        return isSame
      },
      ...endingAt(ended)(contract),
    }
  }),
  fault('the 21st API token of an identity ends its first', foundByModel, (contract) => {
    const tokensOf = new Map<string, string[]>()
    return {
      issued(token, at) {
        const subject = subjectOf(token)
        tokensOf.set(subject, [...(tokensOf.get(subject) ?? []), token].slice(-20))
        return contract.issued(token, at)
      },
      async authenticate(token, reader, at) {
        const caller = await contract.authenticate(token, reader, at)
        // the operator has no identity
        const isKept = !caller?.subject.includes('/') || tokensOf.get(caller.subject)?.includes(token) !== false
        return isKept ? caller : undefined
      },
    }
  }),
  fault('the token of an identity with ten bindings is not taken', foundByModel, (contract) => ({
    async authenticate(token, reader, at) {
      const caller = await contract.authenticate(token, reader, at)
      return at.world.store.bindingsOf(caller?.subject ?? '').length < 10 ? caller : undefined
    },
  })),
  fault('the token of an identity with two roles is not taken', foundByModel, (contract) => ({
    async authenticate(token, reader, at) {
      const caller = await contract.authenticate(token, reader, at)
      const bound = at.world.store.bindingsOf(caller?.subject ?? '')
      return new Set(bound.map(({ roleUid }) => roleUid)).size > 1 ? undefined : caller
    },
  })),
  fault('a refused update of an identity ends its API tokens', foundByModel, (contract) => {
    const { end, rules } = revoking(contract)
    return {
      ...rules,
      leftByRefusedUpdate(before, wanted, at) {
        if (before.kind === 'identities') end(before.uid)
        return contract.leftByRefusedUpdate(before, wanted, at)
      },
    }
  }),
  fault('the API does not take what an identity exchanges after a rename', foundByModel, (contract) => {
    const [renamed, dead] = [new Set<string>(), new Set<string>()]
    return {
      ...watching(contract, (old, next) => {
        if (next.kind === 'identities' && old.name !== next.name) renamed.add(next.uid)
      }),
      issued(token, at) {
        const shown = contract.issued(token, at)
        if (renamed.has(subjectOf(token))) dead.add(shown)
        return shown
      },
      authenticate: async (token, reader, at) =>
        dead.has(token) ? undefined : contract.authenticate(token, reader, at),
    }
  }),
]
