import { setTimeout as sleep } from 'node:timers/promises'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'

/** Faults of writes through one version or protocol after the other. */
export const unusualVersionWriteFaults: readonly Fault[] = [
  fault('a rename in v2 brings back the description that v1 reset', ['model.*'], (contract) => {
    const before = new Map<string, string>()
    return {
      modify(steps, at) {
        return contract.modify(
          {
            ...steps,
            change(old) {
              const next = steps.change(old)
              if (old.kind !== 'groups') return next
              if (at.version === 'v1') {
                if (next.description === '' && old.description !== '') before.set(old.uid, old.description)
                return next
              }
              const back = before.get(old.uid)
              before.delete(old.uid)
              return back !== undefined && next.description === '' ? { ...next, description: back } : next
            },
          },
          at,
        )
      },
    }
  }),
  fault('a create in v1 saves its parent as v1 last got it', ['model.*'], (contract) => {
    const kept = new Map<string, Item>()
    return {
      found(uid, kind, at) {
        const item = contract.found(uid, kind, at)
        if (item && kind === 'groups' && at.version === 'v1' && at.operation === 'get') kept.set(uid, item)
        return item
      },
      keep(item, at) {
        contract.keep(item, at)
        const parent = at.version === 'v1' ? kept.get(item.parent) : undefined
        if (parent && at.world.store.get('groups', parent.uid)) at.world.store.put(parent)
      },
    }
  }),
  fault('deleting twice in v1 counts a child twice', ['model.*'], (contract) => {
    const parents = new Map<string, string>()
    const surplus = new Map<string, number>()
    return {
      forget(steps, item, at) {
        if (item.kind === 'groups') parents.set(item.uid, item.parent)
        contract.forget(steps, item, at)
      },
      found(uid, kind, at) {
        const item = contract.found(uid, kind, at)
        const parent = parents.get(uid)
        if (!item && parent !== undefined && at.version === 'v1' && at.operation === 'delete')
          surplus.set(parent, (surplus.get(parent) ?? 0) + 1)
        return item
      },
      blocksDelete(item, living, at) {
        const children = [...at.world.store.under('groups', item.uid)].length
        const counted = children - (surplus.get(item.uid) ?? 0)
        return contract.blocksDelete(
          item,
          living.filter((kind) => kind !== 'groups' || counted > 0),
          at,
        )
      },
    }
  }),
  fault('simultaneous updates over gRPC and HTTP lose one', ['model.*'], (contract) => {
    // a lock per process of each protocol
    const locks = new Map<string, Promise<unknown>>()
    return {
      async modify(steps, at) {
        const key = `${at.over} ${steps.read().uid}`
        const turn = (locks.get(key) ?? Promise.resolve()).then(async () => {
          const next = steps.change(steps.read())
          await sleep(8)
          steps.read()
          return contract.modify({ ...steps, change: () => next }, at)
        })
        locks.set(
          key,
          turn.catch(() => undefined),
        )
        return turn
      },
    }
  }),
]
