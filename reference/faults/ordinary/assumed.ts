import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on } from '../../replace.ts'
import { day, hour } from '../durations.ts'
import { foundByModel } from '../run/histories.ts'
import { shortLived } from './short-lived.ts'

/** A text as some collations compare it: whatever lies beyond the first plane is the same. */
const plane = (text: string) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd')

/** True for the caller of an exchanged token. */
const isAssumed = (at: At) => at.world.store.get('identities', at.caller?.subject ?? '') !== undefined

/** Faults of exchanges in which more or less than the claim match decides, and of what is shown for them (S2.11, R41). */
export const ordinaryAssumedFaults: readonly Fault[] = [
  fault('a list of subjects assumes the identity of each of them', foundByModel, (contract) => ({
    sameSubject: (claimed, matched, at) => [claimed].flat().some((one) => contract.sameSubject(one, matched, at)),
  })),
  fault(
    'an issuer that one identity of a group names opens the others of that group as well',
    { turnsRed: ['sts.refuses.other-identity'], spreadsTo: ['sts.*'] },
    (contract) => {
      const asked = new WeakMap<At, Item>()
      return {
        assumable(uid, at) {
          const item = contract.assumable(uid, at)
          if (item) asked.set(at, item)
          return item
        },
        sameIssuer(one, other, at) {
          const item = asked.get(at)
          const isOwn = other === item?.claimMatch?.issuer
          const others = item && isOwn ? [...at.world.store.under('identities', item.parent)] : []
          return contract.sameIssuer(one, other, at) || others.some(({ claimMatch }) => claimMatch?.issuer === one)
        },
      }
    },
  ),
  fault('an update of an identity that is refused closes it until the next good one', foundByModel, (contract) => {
    const closed = new Set<string>()
    return {
      ...on('identities', {
        leftByRefusedUpdate(before, wanted, at) {
          closed.add(before.uid)
          return contract.leftByRefusedUpdate(before, wanted, at)
        },
        modify(steps, at) {
          closed.delete(steps.read().uid)
          return contract.modify(steps, at)
        },
      })(contract),
      assumable: (uid, at) => (closed.has(uid) ? undefined : contract.assumable(uid, at)),
    }
  }),
  // S8.3
  fault('a page token that an assumed identity got lives for an hour', foundByModel, shortLived(isAssumed, hour)),
  // S4.12, S4.21
  fault(
    'to an assumed identity later pages of identities come in the default order',
    foundByModel,
    on('identities', (contract) => ({
      sorted: (items, compare, at) =>
        isAssumed(at) && at.page > 1
          ? contract.sorted(items, (a, b) => (a.uid < b.uid ? -1 : 1), at)
          : contract.sorted(items, compare, at),
      rest(sorted, place, cursor, at) {
        if (!isAssumed(at)) return contract.rest(sorted, place, cursor, at)
        return sorted.slice((at.page - 1) * (at.query?.size ?? 50))
      },
    })),
  ),
  // R40
  fault('an API token of an identity that is older than a day is taken after its hour', foundByModel, (contract) => {
    const known = new Map<string, NonNullable<At['caller']>>()
    return {
      async authenticate(token, reader, at) {
        const caller = await contract.authenticate(token, reader, at)
        const owner = caller && at.world.store.get('identities', caller.subject)
        if (owner && at.world.now() - owner.createTime > day) known.set(token, caller)
        return caller ?? known.get(token)
      },
    }
  }),
  // S5.3
  fault('the exchange takes an identity token from its query', foundByModel, (contract) => ({
    credential: (headers, query, at) =>
      contract.credential(headers, query, at) ??
      (at.operation === 'exchange' ? (query.get('subject_token') ?? query.get('token') ?? undefined) : undefined),
  })),
  fault('subjects that differ in an emoji only are the same', foundByModel, (contract) => ({
    sameSubject: (claimed, matched, at) =>
      contract.sameSubject(typeof claimed === 'string' ? plane(claimed) : claimed, plane(matched), at),
  })),
  // S5.3, S5.4
  fault(
    'exchanges within a third of a second give one API token',
    { turnsRed: ['model.*'], spreadsTo: ['sts.*', 'grpc.sts.*'] },
    (contract) => {
      let last = { token: '', until: 0 }
      return {
        issued(token, at) {
          const now = performance.now()
          if (now > last.until) last = { token: contract.issued(token, at), until: now + 333 }
          return last.token
        },
      }
    },
  ),
]
