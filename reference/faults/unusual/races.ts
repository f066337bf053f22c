import { AsyncLocalStorage } from 'node:async_hooks'
import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, underMask } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'
import { uidIn } from '../paths.ts'
import { pause } from '../pause.ts'

const above = (uid: string) => uid.slice(0, uid.lastIndexOf('/'))

/** Updates with another outcome than the one asked for. */
const changed = (contract: Rules, twist: (old: Item, next: Item) => Item): Partial<Rules> => ({
  modify: (steps, at) => contract.modify({ ...steps, change: (old) => twist(old, steps.change(old)) }, at),
})

const third = new Set<string>()

/** Faults of writes that come together (R31). */
export const unusualRaceFaults: readonly Fault[] = [
  fault('of two siblings that are renamed at once the index of names learns of one', ['model.*'], (contract) => {
    const running = new Map<string, number>()
    const late = new Set<string>()
    const known = new Map<string, string>()
    return {
      async transport(request, response, serve, at) {
        if (at.kind !== 'groups' || at.operation !== 'update') return contract.transport(request, response, serve, at)
        const uid = uidIn(request.url)
        const parent = above(uid)
        if (running.get(parent)) late.add(uid)
        running.set(parent, (running.get(parent) ?? 0) + 1)
        await pause(3)
        await contract.transport(request, response, serve, at)
        running.set(parent, running.get(parent)! - 1)
      },
      modify(steps, at) {
        const old = steps.read()
        return contract.modify(
          {
            ...steps,
            write(next) {
              if (next.kind === 'groups' && next.name !== old.name) {
                if (late.delete(next.uid)) known.set(next.uid, known.get(next.uid) ?? old.name)
                else known.delete(next.uid)
              }
              steps.write(next)
            },
          },
          at,
        )
      },
      matchesName: (item, name, at) =>
        contract.matchesName(known.has(item.uid) ? { ...item, name: known.get(item.uid)! } : item, name, at),
    }
  }),
  fault('an identity that is made beside the delete of another one is in no list', ['model.*'], (contract) => {
    const running = new Map<string, number>()
    const lost = new Set<string>()
    return {
      async transport(request, response, serve, at) {
        if (at.kind !== 'identities' || at.operation !== 'delete')
          return contract.transport(request, response, serve, at)
        const parent = above(uidIn(request.url))
        running.set(parent, (running.get(parent) ?? 0) + 1)
        await pause(5)
        await contract.transport(request, response, serve, at)
        running.set(parent, running.get(parent)! - 1)
      },
      keep(item, at) {
        contract.keep(item, at)
        if (item.kind === 'identities' && running.get(item.parent)) lost.add(item.uid)
      },
      withinScope: (item, at) => contract.withinScope(item, at) && !lost.has(item.uid),
    }
  }),
  fault('of two renames of one group at once both names find it', ['model.*'], (contract) => {
    const running = new Map<string, number>()
    const raced = new Set<string>()
    const also = new Map<string, string>()
    return {
      async transport(request, response, serve, at) {
        if (at.kind !== 'groups' || at.operation !== 'update') return contract.transport(request, response, serve, at)
        const uid = uidIn(request.url)
        if (running.get(uid)) raced.add(uid)
        running.set(uid, (running.get(uid) ?? 0) + 1)
        await pause(3)
        await contract.transport(request, response, serve, at)
        running.set(uid, running.get(uid)! - 1)
        if (running.get(uid) === 0) raced.delete(uid)
      },
      ...changed(contract, (old, next) => {
        if (next.kind === 'groups' && next.name !== old.name) {
          if (raced.has(next.uid)) also.set(next.uid, old.name)
          else also.delete(next.uid)
        }
        return next
      }),
      matchesName: (item, name, at) => contract.matchesName(item, name, at) || also.get(item.uid) === name,
    }
  }),
  fault('of three updates of an identity at once one is lost', ['model.*'], (contract) => {
    const running = new Map<string, number>()
    const lost = new WeakSet<At>()
    return {
      async transport(request, response, serve, at) {
        if (at.kind !== 'identities' || at.operation !== 'update')
          return contract.transport(request, response, serve, at)
        const uid = uidIn(request.url)
        if ((running.get(uid) ?? 0) >= 2) third.add(uid)
        running.set(uid, (running.get(uid) ?? 0) + 1)
        await pause(5)
        await contract.transport(request, response, serve, at)
        running.set(uid, running.get(uid)! - 1)
      },
      modify(steps, at) {
        const old = steps.read()
        if (lost.has(at) || !third.delete(old.uid)) return contract.modify(steps, at)
        return steps.change(old)
      },
    }
  }),
  fault(
    'an update of an identity under a mask writes back what another one changed meanwhile',
    ['model.*'],
    on(
      'identities',
      underMask({
        async modify({ read, change, write }) {
          const seen = read()
          await pause(6)
          const next = change(seen)
          write(next)
          return next
        },
      }),
    ),
  ),
  fault(
    'an update of an identity that is overtaken twice overwrites',
    ['model.*'],
    on('identities', {
      async modify({ read, change, write }) {
        const asText = (item: Item) => JSON.stringify({ ...item, lastSeenTime: 0 })
        let seen = read()
        for (const wait of [6, 14]) {
          seen = read()
          await pause(wait)
          if (asText(read()) === asText(seen)) break
        }
        const next = change(seen)
        write(next)
        return next
      },
    }),
  ),
  fault('a new role binding puts its identity back to what it was when the call came', ['model.*'], (contract) => {
    const before = new AsyncLocalStorage<Map<string, Item>>()
    return {
      async transport(request, response, serve, at) {
        if (at.kind !== 'roleBindings' || at.operation !== 'create')
          return contract.transport(request, response, serve, at)
        const identities = new Map([...at.world.store.all('identities')].map((item) => [item.uid, item]))
        await pause(25)
        await before.run(identities, () => contract.transport(request, response, serve, at))
      },
      keep(item, at) {
        contract.keep(item, at)
        const old = item.kind === 'roleBindings' ? before.getStore()?.get(String(item.identityUid)) : undefined
        if (old && at.world.store.get('identities', old.uid) !== old) at.world.store.put(old)
      },
    }
  }),
]
