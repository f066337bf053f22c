import { setTimeout as sleep } from 'node:timers/promises'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on } from '../../replace.ts'

/** Faults that only many of something show. */
export const unusualCountFaults: readonly Fault[] = [
  fault('of one identity only 25 bindings are listed', ['model.*'], (contract) => ({
    withinScope(item, at) {
      const others = item.kind === 'roleBindings' ? at.world.store.bindingsOf(item.identityUid ?? '') : []
      const isBeyond = others.length > 25 && !others.slice(-25).some(({ uid }) => uid === item.uid)
      return !isBeyond && contract.withinScope(item, at)
    },
  })),
  fault('what is more than 25 levels below is not listed', ['model.*'], (contract) => ({
    withinScope(item, at) {
      const scope = at.query?.descendantsOf
      const levels = scope === undefined ? 0 : item.parent.split('/').length - scope.split('/').length
      return levels <= 25 && contract.withinScope(item, at)
    },
  })),
  fault('the hundredth change of a group is lost', ['model.*'], (contract) => {
    const versions = new Map<string, number>()
    return {
      modify(steps, at) {
        return contract.modify(
          {
            ...steps,
            write(next) {
              const version = (versions.get(next.uid) ?? 0) + 1
              versions.set(next.uid, version)
              // a version of two digits: 100 reads 10, which is older than 99
              if (version < 100) steps.write(next)
            },
          },
          at,
        )
      },
    }
  }),
  fault('a group that was read ten times is shown after its deletion', ['model.*'], (contract) => {
    const reads = new Map<string, number>()
    const hot = new Map<string, Item>()
    return {
      found(uid, kind, at) {
        const item = contract.found(uid, kind, at)
        if (kind !== 'groups' || at.operation !== 'get' || at.version === 'v1') return item
        if (!item) return hot.get(uid)
        reads.set(uid, (reads.get(uid) ?? 0) + 1)
        if (reads.get(uid)! >= 10) hot.set(uid, item)
        return item
      },
    }
  }),
  fault(
    'only the last 256 page tokens are remembered',
    { turnsRed: ['list.token.twice'], spreadsTo: ['list.*', 'model.*'] },
    (contract) => {
      const kept = new Set<string>()
      let serial = 0
      return {
        cursor: (...given) => ({ ...contract.cursor(...given), serial: serial++ }),
        encodeToken(cursor, at) {
          const token = contract.encodeToken(cursor, at)
          kept.add(token)
          if (kept.size > 256) kept.delete(kept.values().next().value!)
          return token
        },
        decodeToken: (token, at) => (kept.has(token) ? contract.decodeToken(token, at) : undefined),
        badTokenRestarts: () => true,
      }
    },
  ),
  fault('an update is given up silently after three conflicts', ['model.*'], (contract) => ({
    async modify(steps, at) {
      let next = steps.read()
      for (let tries = 0; tries < 4; tries++) {
        const before = steps.read()
        next = steps.change(before)
        await sleep(2)
        if (steps.read() === before) return contract.modify(steps, at)
      }
      return next
    },
  })),
  fault("below the operator's own group only four levels are listed", ['list.scope.from-above'], (contract) => ({
    withinScope(item, at) {
      const scope = at.query?.descendantsOf?.split('/').length
      const isFar = scope === 2 && item.parent.split('/').length - scope > 3
      return !isFar && contract.withinScope(item, at)
    },
  })),
  fault('page tokens keep the first 64 letters of a name', ['model.*'], (contract) => ({
    cursor: (last, key, ...further) =>
      contract.cursor(last, typeof key === 'string' && key !== last.uid ? key.slice(0, 64) : key, ...further),
  })),
  fault(
    'a page holds a hundred identities at most',
    ['model.*'],
    on('identities', (contract) => ({
      pageSize: (asked, cursor, at) => Math.min(contract.pageSize(asked, cursor, at), 100),
    })),
  ),
  fault('what is more than a hundred levels below is not listed', ['model.*'], (contract) => ({
    withinScope(item, at) {
      const scope = at.query?.descendantsOf
      const levels = scope === undefined ? 0 : item.parent.split('/').length - scope.split('/').length
      return levels < 100 && contract.withinScope(item, at)
    },
  })),
  fault('matches of a name are counted up to fifty', ['model.*', 'list.total.filtered@tags'], (contract) => ({
    totalCount: (counts, at) =>
      at.query?.name === undefined ? contract.totalCount(counts, at) : String(Math.min(counts.matches, 50)),
  })),
  fault(
    'identities are sought in a hundred of the groups below',
    ['model.*'],
    on('identities', (contract) => ({
      *candidates(at) {
        const scope = at.query?.childrenOf === undefined ? at.query?.descendantsOf : undefined
        if (scope === undefined) return yield* contract.candidates(at)
        const groups = [scope]
        for (const group of groups) groups.push(...[...at.world.store.under('groups', group)].map(({ uid }) => uid))
        for (const group of groups.slice(0, 101)) yield* at.world.store.under('identities', group)
      },
    })),
  ),
]
