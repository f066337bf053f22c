import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, type Replacement } from '../../replace.ts'
import { pause } from '../pause.ts'
import { foundByModel, writtenLate } from '../run/histories.ts'

/** What was deleted is still found by some calls on role bindings. */
const findingDeleted =
  (applies: (at: At) => boolean): Replacement =>
  (contract) => {
    const gone = new Map<string, Item>()
    return {
      forget(steps, item, at) {
        if (item.kind === 'identities') gone.set(item.uid, item)
        contract.forget(steps, item, at)
      },
      found(uid, kind, at) {
        const isAsked = at.kind === 'roleBindings' && kind === 'identities' && applies(at)
        return contract.found(uid, kind, at) ?? (isAsked ? gone.get(uid) : undefined)
      },
    }
  }

/** Faults of role bindings that are updated, or that go with their identity (S2.14, S4.5, R28). */
export const reboundFaults: readonly Fault[] = [
  fault('lists show the identity that a binding was given by an update as it was then', foundByModel, (contract) => {
    const moved = new Map<string, Item | undefined>()
    return {
      async modify(steps, at) {
        const old = steps.read()
        const next = await contract.modify(steps, at)
        if (next.kind === 'roleBindings' && old.identityUid !== next.identityUid)
          moved.set(next.uid, at.world.store.get('identities', next.identityUid ?? ''))
        return next
      },
      hydrated(part, kind, binding, at) {
        const shown = contract.hydrated(part, kind, binding, at)
        const old = moved.get(binding.uid)
        return kind === 'identities' && at.operation === 'list' && shown && old?.uid === shown.uid ? old : shown
      },
    }
  }),
  fault('with an identity go twenty of its role bindings', foundByModel, (contract) => ({
    alsoRemoved(item, at) {
      const gone = contract.alsoRemoved(item, at)
      return item.kind === 'identities' ? gone.slice(0, 20) : gone
    },
  })),
  fault('of two identities of a group that are deleted at once one leaves its bindings', foundByModel, (contract) => {
    const going = new Map<string, { calls: number; lost: boolean }>()
    const homeIn = (url = '') => decodeURIComponent(/\/identities\/([^?]+)\/[^/?]+/.exec(url)?.[1] ?? '')
    return {
      async transport(request, response, serve, at) {
        if (at.kind !== 'identities' || at.operation !== 'delete')
          return contract.transport(request, response, serve, at)
        const home = homeIn(request.url)
        const together = going.get(home) ?? { calls: 0, lost: false }
        going.set(home, together)
        together.calls++
        await pause(5)
        try {
          await contract.transport(request, response, serve, at)
        } finally {
          if (--together.calls === 0) going.delete(home)
        }
      },
      alsoRemoved(item, at) {
        const together = item.kind === 'identities' ? going.get(item.parent) : undefined
        if (!together || together.calls < 2 || together.lost) return contract.alsoRemoved(item, at)
        together.lost = true
        return []
      },
    }
  }),
  fault('a binding that is made beside the update of another in its group is lost', foundByModel, (contract) => ({
    async transport(request, response, serve, at) {
      if (at.kind !== 'roleBindings' || at.operation !== 'update')
        return contract.transport(request, response, serve, at)
      const { store } = at.world
      const uid = decodeURIComponent(/\/roleBindings\/([^?]+)/.exec(request.url ?? '')?.[1] ?? '')
      const home = store.get('roleBindings', uid)?.parent
      const known = new Set(home === undefined ? [] : [...store.under('roleBindings', home)].map((each) => each.uid))
      await pause(6)
      await contract.transport(request, response, serve, at)
      for (const each of home === undefined ? [] : [...store.under('roleBindings', home)]) {
        if (known.has(each.uid)) continue
        store.drop(each)
        store.unlist(each)
      }
    },
  })),
  fault('a binding that is deleted beside an exchange of its identity comes back', foundByModel, (contract) => ({
    async transport(request, response, serve, at) {
      const uid = new URL(request.url ?? '', 'http://x').searchParams.get('identity')
      if (at.operation !== 'exchange' || !uid) return contract.transport(request, response, serve, at)
      const { store } = at.world
      const before = [...store.bindingsOf(uid)]
      await pause(6)
      await contract.transport(request, response, serve, at)
      if (response.statusCode > 299 || !store.get('identities', uid)) return
      for (const each of before)
        if (!store.get('roleBindings', each.uid) && store.get('groups', each.parent)) store.put(each)
    },
  })),
  fault('of two updates of one role binding at once one is lost', foundByModel, on('roleBindings', writtenLate(10))),
  fault(
    'over gRPC an identity is bound that was deleted',
    foundByModel,
    findingDeleted(({ over, operation }) => over === 'grpc' && operation === 'create'),
  ),
  fault(
    'an update of a role binding gives it an identity that was deleted',
    foundByModel,
    findingDeleted(({ operation }) => operation === 'update'),
  ),
]
