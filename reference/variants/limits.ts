import type { Item } from '../domain/item.ts'
import { Refusal } from '../domain/refusal.ts'
import { type Variant, variant } from '../fault.ts'
import { during, inV1, on, type Replacement, when } from '../replace.ts'
import { twoClocks } from './products/deployments.ts'

const forbidden = () => new Refusal('forbidden', 'rights', 'you may not do this')

/** Valid writes are aborted for so long in every period, in milliseconds. */
const aborted =
  (long: number, period: number): Replacement =>
  (contract) => {
    const began = performance.now()
    const busy = () => {
      if ((performance.now() - began) % period > period - long) throw new Refusal('taken', 'lock', 'locked')
    }
    return {
      keep(item, at) {
        busy()
        contract.keep(item, at)
      },
      modify(steps, at) {
        busy()
        return contract.modify(steps, at)
      },
      forget(steps, item, at) {
        busy()
        contract.forget(steps, item, at)
      },
      errorCode: (refusal, at) => (refusal.field === 'lock' ? 10 : contract.errorCode(refusal, at)),
      errorReason: (refusal, at) => (refusal.field === 'lock' ? 'ABORTED' : contract.errorReason(refusal, at)),
    }
  }

/** Only so many groups can be made. */
const atMost =
  (most: number, status: number): Replacement =>
  (contract) => {
    let made = 0
    return {
      keep(item, at) {
        if (item.kind === 'groups' && ++made > most) throw new Refusal('exhausted', 'groups', 'the quota is used up')
        contract.keep(item, at)
      },
      errorStatus: (refusal, at) => (refusal.problem === 'exhausted' ? status : contract.errorStatus(refusal, at)),
    }
  }

/** Lawful limits, and rights that are missing. */
export const limitVariants: readonly Variant[] = [
  variant('four hundred groups are made and no more, which is forbidden', atMost(400, 403)),
  variant('writes are aborted for three seconds in every twenty', aborted(3_000, 20_000)),
  variant(
    'an identity can be bound two seconds after it was made',
    (contract) => ({
      referenceHolds: (found, kind, at) =>
        contract.referenceHolds(found, kind, at) &&
        (kind !== 'identities' || at.world.now() - (found?.createTime ?? 0) > 2_000),
    }),
    ['service.lag.get'],
    'may warn',
  ),
  variant('nobody may change a group', on('groups', during('update', { objection: forbidden }))),
  variant(
    'nobody may list what is further down',
    when(({ operation, query }) => operation === 'list' && query?.descendantsOf !== undefined, {
      objection: forbidden,
    }),
  ),
  variant('v1 is forbidden', inV1({ objection: forbidden })),
  variant(
    'nobody may list roles',
    when(({ kind, operation }) => kind === 'roles' && operation === 'list', { objection: forbidden }),
  ),
  variant(
    'nobody may make or delete bindings',
    when(({ kind, operation }) => kind === 'roleBindings' && (operation === 'create' || operation === 'delete'), {
      objection: forbidden,
    }),
  ),
  variant('claims that were used are never taken again, whatever their case', (contract) => {
    const used = new Map<string, string>()
    return {
      nameTaken(wanted, at) {
        if (wanted.kind !== 'identities') return contract.nameTaken(wanted, at)
        const key = JSON.stringify(wanted.claimMatch).toLowerCase()
        const other = used.get(key)
        if (other !== undefined && other !== wanted.uid) return true
        used.set(key, wanted.uid)
        return contract.nameTaken(wanted, at)
      },
    }
  }),
  variant('the clocks of two nodes are forty milliseconds apart', (contract) => {
    let turn = 0
    const skew = (): number => (turn++ % 2) * 40
    return {
      born: (now, at) => contract.born(now + skew(), at),
      touched: (old, differs, now, at) => contract.touched(old, differs, now + skew(), at),
    }
  }),
  variant('the clocks of two nodes are three hundred milliseconds apart, and no time goes back', twoClocks(300)),
  variant('a group that nobody made is there, and empty', (contract) => {
    const dead = new Set<string>()
    return {
      forget(steps, item, at) {
        contract.forget(steps, item, at)
        dead.add(item.uid)
      },
      found(uid, kind, at) {
        const found = contract.found(uid, kind, at)
        const isGet = kind === 'groups' && at.kind === 'groups' && at.operation === 'get' && at.version !== 'v1'
        const above = at.world.store.get('groups', uid.slice(0, Math.max(0, uid.lastIndexOf('/'))))
        const isOther = (['identities', 'roleBindings'] as const).some((other) => at.world.store.get(other, uid))
        if (found || !isGet || isOther || !above || !/\/[0-9a-f]{4,32}$/.test(uid) || dead.has(uid)) return found
        const item: Item = { ...above, uid, parent: above.uid, name: `group ${uid.slice(-4)}`, description: '' }
        return item
      },
    }
  }),
  variant('the limits of a group say how many calls are left in these ten seconds', (contract) => {
    let [window, calls] = [0, 0]
    return {
      group(item, time, at) {
        const now = Math.floor(performance.now() / 10_000)
        if (now !== window) [window, calls] = [now, 0]
        return { ...contract.group(item, time, at), resourceLimits: { callsLeft: 5_000 - (calls++ % 5_000) } }
      },
    }
  }),
]
