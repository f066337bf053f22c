import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { readToken } from '../../identity/tokens.ts'
import { during, inV1, on, overGrpc, type Replacement, withBody, withRequest } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'
import { revoking } from '../sts/revoking.ts'

/** The identity that each role binding was made with, by the uid of the binding. */
function firstIdentities({ keep }: Rules) {
  const first = new Map<string, string | undefined>()
  return {
    first,
    keep(item: Item, at: At) {
      if (item.kind === 'roleBindings') first.set(item.uid, item.identityUid)
      keep(item, at)
    },
  }
}

/** Sees each update, before and after. */
const updating =
  (see: (before: Item, after: Item, at: At) => void): Replacement =>
  (contract) => ({
    async modify(steps, at) {
      const before = steps.read()
      const after = await contract.modify(steps, at)
      see(before, after, at)
      return after
    },
  })

/** Faults in which one kind changes another, or a credential what it must not (R28, R29, R40). */
export const relatedFaults: readonly Fault[] = [
  fault(
    'an identity token assumes what its authorized party would, too',
    ['model.*'],
    withRequest((request, contract) => {
      const parties = new WeakMap<object, unknown>()
      return {
        timely(claims, now, at) {
          const call = request()
          if (call) parties.set(call, (claims as { azp?: unknown }).azp)
          return contract.timely(claims, now, at)
        },
        sameSubject(claimed, matched, at) {
          const call = request()
          const party = call && parties.get(call)
          return (
            contract.sameSubject(claimed, matched, at) ||
            (party !== undefined && contract.sameSubject(party, matched, at))
          )
        },
      }
    }),
  ),
  fault('an exchange for another audience ends the API tokens that the identity has', ['model.*'], (contract) => {
    const { end, rules } = revoking(contract)
    return {
      ...rules,
      issued(token, at) {
        const { sub = '', iss, aud } = (readToken(token)?.claims ?? {}) as { sub?: string; iss?: string; aud?: string }
        if (![aud].flat().includes(iss)) end(sub)
        return rules.issued!(token, at)
      },
    }
  }),
  fault('a delete of an identity that is refused for its token ends its API tokens', ['model.*'], (contract) => {
    const { end, rules } = revoking(contract)
    return {
      ...rules,
      unauthenticated(rawUid, body, at) {
        if (at.kind === 'identities' && at.operation === 'delete') end(decodeURIComponent(rawUid))
        contract.unauthenticated(rawUid, body, at)
      },
    }
  }),
  fault('an update of a role binding ends the API tokens of its identity', ['model.*'], (contract) => {
    const { end, rules } = revoking(contract)
    const see = updating((before, { kind, roleUid, identityUid = '' }) => {
      if (kind === 'roleBindings' && before.roleUid !== roleUid) end(identityUid)
    })
    return { ...rules, ...see(contract) }
  }),
  fault(
    'an identity with the claims of a deleted one was last seen when that one was',
    ['model.*'],
    withBody((sent, contract) => {
      const gone = new Map<string, number | undefined>()
      return {
        forget(steps, item, at) {
          if (item.kind === 'identities') gone.set(JSON.stringify(item.claimMatch), item.lastSeenTime)
          contract.forget(steps, item, at)
        },
        born(now, at) {
          const { issuer, subject } = (sent(at).claimMatch ?? {}) as Record<string, unknown>
          const old = at.kind === 'identities' ? gone.get(JSON.stringify({ issuer, subject })) : undefined
          return { ...contract.born(now, at), ...(old !== undefined && { lastSeenTime: old }) }
        },
      }
    }),
  ),
  fault('role bindings that were given to an identity later do not go with it', ['model.*'], (contract) => {
    const { first, keep } = firstIdentities(contract)
    return {
      keep,
      alsoRemoved: (item, at) =>
        contract.alsoRemoved(item, at).filter(({ uid }) => (first.get(uid) ?? item.uid) === item.uid),
    }
  }),
  fault('a role binding that was given another identity still goes with its first one', ['model.*'], (contract) => {
    const { first, keep } = firstIdentities(contract)
    return {
      keep,
      alsoRemoved(item, at) {
        const gone = contract.alsoRemoved(item, at)
        if (item.kind !== 'identities') return gone
        const moved = [...first].flatMap(([uid, owner]) =>
          owner === item.uid ? [at.world.store.get('roleBindings', uid) ?? []].flat() : [],
        )
        return [...gone, ...moved.filter(({ uid }) => !gone.some((other) => other.uid === uid))]
      },
    }
  }),
  fault(
    'an update of a role binding that is refused for its role keeps the identity',
    ['model.*'],
    on('roleBindings', (contract) => ({
      leftByRefusedUpdate(before, wanted, at) {
        const isMoved = wanted.identityUid !== before.identityUid
        const isThere = at.world.store.get('identities', wanted.identityUid ?? '') !== undefined
        return isMoved && isThere
          ? { ...before, ...(wanted.identityUid && { identityUid: wanted.identityUid }) }
          : contract.leftByRefusedUpdate(before, wanted, at)
      },
    })),
  ),
  fault(
    'a mask that lists the role of a role binding lets the identity beside it through',
    ['model.*'],
    on('roleBindings', (contract) => ({
      changed: (sent, mask, settable, at) =>
        mask?.includes('roleUid')
          ? settable.filter((field) => sent.includes(field))
          : contract.changed(sent, mask, settable, at),
    })),
  ),
  fault(
    'an invite to a role that does not exist is refused and kept',
    ['model.*'],
    on('groupInvites', { leftByRefusedCreate: (draft) => [draft] }),
  ),
  fault(
    'the name of an identity provider loses its capitals',
    ['model.*'],
    on('identityProviders', (contract) => ({
      stored(value, field, at) {
        const kept = contract.stored(value, field, at)
        return field === 'name' && typeof kept === 'string' ? kept.toLowerCase() : kept
      },
    })),
  ),
  fault('under the version v2 nobody needs a token', ['auth.refuses.path-shapes'], (contract) => ({
    needsToken: (at) => String(at.version) !== 'v2' && contract.needsToken(at),
  })),
  fault(
    'over gRPC a list of groups ignores the name that an exchanged token asks for',
    ['model.*'],
    on(
      'groups',
      overGrpc((contract) => ({
        matchesName: (item, name, at) =>
          at.world.store.get('identities', at.caller?.subject ?? '') !== undefined ||
          contract.matchesName(item, name, at),
      })),
    ),
  ),
  fault(
    'a PUT of v1 without a name empties the name',
    ['model.*'],
    on(
      'groups',
      inV1(
        during(
          'update',
          withBody((sent, contract) => ({
            nameProblem: (name, at) =>
              name === '' && sent(at).name === undefined ? undefined : contract.nameProblem(name, at),
          })),
        ),
      ),
    ),
  ),
]
