import { setTimeout as sleep } from 'node:timers/promises'
import type { At } from '../../domain/at.ts'
import { type Item, type Kind, keyOf, publishedKinds } from '../../domain/item.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Variant, variant } from '../../fault.ts'
import { type Replacement, withRequest } from '../../replace.ts'
import type { Answer } from '../../rules/values.ts'
import type { Rules } from '../../rules.types.ts'
import { remove } from '../jobs.ts'
import { lagging, lagRows } from '../lists/lagging.ts'

/** Each update waits up to so many milliseconds for its turn, and its updateTime is that of its beginning. */
const timedAtBegin =
  (longest: number): Replacement =>
  () => {
    let turns = 0
    return {
      async modify({ read, change, write }, at) {
        const began = at.world.now()
        await sleep((turns++ % 4) * (longest / 3))
        const old = read()
        const next = change(old)
        const isChanged = next.updateTime !== old.updateTime
        const timed = isChanged ? { ...next, updateTime: Math.max(began, next.createTime) } : next
        write(timed)
        return timed
      },
    }
  }

/** What other lags replace, unchanged: on one server they would add up to more than five seconds (R52). */
const alone = ({ seen, found, hydrated, totalCount }: Rules) => ({ seen, found, hydrated, totalCount })

/** The answer to each reading is kept so many milliseconds, by caller and parameters. */
const kept = (lag: number): Replacement =>
  withRequest((request, contract) => {
    const known = new Map<string, { answer: Answer; until: number }>()
    return {
      ...alone(contract),
      forget: contract.forget,
      render(answer, at) {
        const isReading = at.operation === 'list' || at.operation === 'get'
        if (!isReading || answer.status !== 200) return contract.render(answer, at)
        const { url = '', headers } = request()
        const [path = '', query = ''] = url.split('?')
        const key = [headers.authorization, path, ...query.split('&').sort()].join(' ')
        const old = known.get(key)
        if (old && old.until > at.world.now()) return contract.render(old.answer, at)
        known.set(key, { answer, until: at.world.now() + lag })
        return contract.render(answer, at)
      },
    }
  })

/** What lives in a group at any depth, or binds an identity. */
function dependents({ kind, uid }: Item, at: At): Item[] {
  const { store } = at.world
  if (kind === 'identities') return [...store.bindingsOf(uid)]
  if (kind !== 'groups') return []
  const inside = (['groups', 'identities', 'roleBindings', ...publishedKinds] as const).flatMap((one) => [
    ...store.under(one, uid),
  ])
  return inside.flatMap((item) => [...dependents(item, at), item])
}

/** A delete takes effect so many milliseconds later, for everything but other deletes and exchanges. */
const queuedDeletes =
  (lag: number): Replacement =>
  (contract) => {
    const dead = new Set<string>()
    const isDead = (item: Item) => dead.has(keyOf(item))
    return {
      ...alone(contract),
      forget(steps, item, at) {
        if (isDead(item)) return
        dead.add(keyOf(item))
        setTimeout(() => {
          for (const one of dependents(item, at)) remove(at, one)
          contract.forget(steps, item, at)
        }, lag).unref()
      },
      blocksDelete(item, living, at) {
        const holds = (kind: Kind) => [...at.world.store.under(kind, item.uid)].some((one) => !isDead(one))
        return contract.blocksDelete(item, living.filter(holds), at)
      },
      assumable: (uid, at) => (dead.has(`identities ${uid}`) ? undefined : contract.assumable(uid, at)),
    }
  }

/** Lawful servers whose writes and readings wait for each other, or for others (R26, R43, R52). */
export const contentionVariants: readonly Variant[] = [
  variant(
    'an update waits up to three tenths of a second for its turn, and has the time at which its transaction began',
    timedAtBegin(300),
  ),
  lagging('the answer to every reading is kept for four seconds, for its caller and its parameters', kept(4_000)),
  variant(
    'a delete is queued, and takes effect two seconds later',
    queuedDeletes(2_000),
    [...lagRows, 'v1.lag', 'sts.refuses.deleted-identity.at-once'],
    'may warn',
  ),
  variant('an exchange is unavailable while nobody can reach the issuer', (contract) => {
    const isOfIssuer = ({ description }: Refusal) => description === 'is of no issuer that is trusted here'
    return {
      errorStatus: (refusal, at) => (isOfIssuer(refusal) ? 503 : contract.errorStatus(refusal, at)),
      errorCode: (refusal, at) => (isOfIssuer(refusal) ? 14 : contract.errorCode(refusal, at)),
    }
  }),
  variant('an exchange is unavailable while the issuer publishes no key', (contract) => ({
    signedByIssuer(token, header, keys, at) {
      if (keys.length === 0) throw new Refusal('unavailable', 'issuer', 'it publishes no keys')
      return contract.signedByIssuer(token, header, keys, at)
    },
  })),
]
