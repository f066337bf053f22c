import type { At } from '../../domain/at.ts'
import type { Fields, Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, inV1, on, overGrpc } from '../../replace.ts'
import { day } from '../durations.ts'
import { foundBySimilarUid, knowingMade } from '../lookups.ts'
import { foundByModel, storedAs } from '../run/histories.ts'

const isOld = ({ createTime }: Item, at: At) => at.world.now() - createTime > day

/** What one version or protocol does not know of the other, and what it does with things that are days old. */
export const ordinaryElsewhereFaults: readonly Fault[] = [
  // S1.5, S4.28
  fault('an update over gRPC under a mask leaves the cache of Get over HTTP as it was', foundByModel, (contract) => {
    const [cache, masked] = [new Map<string, Item>(), new WeakSet<At>()]
    return {
      mask(raw, at) {
        const fields = contract.mask(raw, at)
        if (fields) masked.add(at)
        return fields
      },
      seen(item, at) {
        const now = contract.seen(item, at)
        const isGet = at.kind === 'groups' && at.operation === 'get' && at.over === undefined && at.version !== 'v1'
        if (!isGet || !now || item.kind !== 'groups') return now
        const kept = cache.get(item.uid) ?? now
        cache.set(item.uid, kept)
        return kept
      },
      async modify(steps, at) {
        const next = await contract.modify(steps, at)
        if (!(at.over === 'grpc' && masked.has(at))) cache.delete(next.uid)
        return next
      },
      forget(store, item, at) {
        cache.delete(item.uid)
        contract.forget(store, item, at)
      },
    }
  }),
  // S1.5, S4.26
  fault(
    'over gRPC an update of a group that is older than a day is answered and forgotten',
    foundByModel,
    overGrpc(
      on('groups', (contract) => ({
        modify: (steps, at) => (isOld(steps.read(), at) ? steps.change(steps.read()) : contract.modify(steps, at)),
      })),
    ),
  ),
  // R28
  fault(
    'over gRPC a delete of an identity that is older than a day is answered and forgotten',
    foundByModel,
    overGrpc(
      on('identities', (contract) => ({
        alsoRemoved: (item, at) => (isOld(item, at) ? [] : contract.alsoRemoved(item, at)),
        forget(store, item, at) {
          if (!isOld(item, at)) contract.forget(store, item, at)
        },
      })),
    ),
  ),
  fault(
    'a delete in v1 of a group that is older than a day is answered and forgotten',
    foundByModel,
    inV1(
      on('groups', (contract) => ({
        forget(store, item, at) {
          if (!isOld(item, at)) contract.forget(store, item, at)
        },
      })),
    ),
  ),
  // R38
  fault(
    'a PUT in v1 finds a group by the beginning of its uid',
    foundByModel,
    inV1(foundBySimilarUid('update', (item, uid) => item.uid.length - uid.length < 5 && item.uid.startsWith(uid))),
  ),
  // S2.17, R44
  fault(
    'a Get in v1 shows the oldest group of that name in the organization',
    foundByModel,
    inV1(
      during('get', (contract) => ({
        seen(item, at) {
          const now = contract.seen(item, at)
          if (now?.kind !== 'groups') return now
          const alike = [...at.world.store.all('groups')].filter(
            ({ name, org }) => name === now.name && org === now.org,
          )
          return alike.reduce((old, one) => (one.createTime < old.createTime ? one : old), now)
        },
      })),
    ),
  ),
  // R28, R38
  fault('a group that was deleted over gRPC still takes groups over HTTP', foundByModel, (contract) => {
    const gone = new Map<string, Item>()
    return {
      forget(store, item, at) {
        if (at.over === 'grpc' && item.kind === 'groups') gone.set(item.uid, item)
        contract.forget(store, item, at)
      },
      found: (uid, kind, at) =>
        contract.found(uid, kind, at) ??
        (kind === 'groups' && at.kind === 'groups' && at.operation === 'create' && at.over === undefined
          ? gone.get(uid)
          : undefined),
    }
  }),
  // S7.6
  fault(
    'over HTTP a group is deleted whose children gRPC has made',
    foundByModel,
    on(
      'groups',
      knowingMade(
        ({ over }) => over === 'grpc',
        (isOne, contract) => ({
          blocksDelete(item, living, at) {
            const isMade = ({ uid }: Item) => isOne(uid)
            const isOnly = living.every((kind) => kind === 'groups') && at.over === undefined
            const all = [...at.world.store.under('groups', item.uid)]
            return !(isOnly && all.every(isMade)) && contract.blocksDelete(item, living, at)
          },
        }),
      ),
    ),
  ),
  // R6, R3
  fault(
    'over gRPC a subject loses its letters beyond ASCII',
    foundByModel,
    overGrpc(
      on('identities', (contract) => ({
        stored(value, field, at) {
          const kept = contract.stored(value, field, at)
          if (field !== 'claimMatch' || typeof kept !== 'object' || kept === null) return kept
          const { issuer, subject } = kept as Fields
          return { issuer, subject: typeof subject === 'string' ? subject.replace(/[^\x20-\x7e]/gu, '?') : subject }
        },
      })),
    ),
  ),
  // R3, S1.5
  fault(
    'over gRPC a name of a group keeps a hundred and twenty-eight characters',
    foundByModel,
    overGrpc(
      on(
        'groups',
        storedAs('name', (text) => text.slice(0, 128)),
      ),
    ),
  ),
  // S4.3, R28
  fault('with an identity go thirty of its role bindings', foundByModel, (contract) => ({
    alsoRemoved(item, at) {
      const gone = contract.alsoRemoved(item, at)
      return item.kind === 'identities' ? gone.slice(0, 30) : gone
    },
  })),
  // S1.7, S4.2
  fault(
    'an identity is made in the parent that its body names',
    foundByModel,
    on(
      'identities',
      during('create', (contract) => ({ settable: (at) => [...contract.settable(at), 'parent'] })),
    ),
  ),
  fault(
    'an update of an identity moves it into the parent that its body names',
    foundByModel,
    on(
      'identities',
      during('update', (contract) => ({ settable: (at) => [...contract.settable(at), 'parent'] })),
    ),
  ),
]
