import { setTimeout as sleep } from 'node:timers/promises'
import type { At } from '../domain/at.ts'
import type { Item, Kind } from '../domain/item.ts'
import { Refusal } from '../domain/refusal.ts'
import { type Variant, variant } from '../fault.ts'
import { during, on, type Replacement } from '../replace.ts'
import type { Rules } from '../rules.types.ts'

const contentKinds: readonly Kind[] = ['groups', 'identities', 'roleBindings']

/** What is the target's own never prevents a delete, and goes with the group that it is in. */
export const sparing = (
  contract: Rules,
  own: ReadonlySet<string>,
  kinds: readonly Kind[] = contentKinds,
): Pick<Rules, 'blocksDelete' | 'alsoRemoved'> => ({
  blocksDelete(item, living, at) {
    const holds = (inside: Kind) => [...at.world.store.under(inside, item.uid)].some(({ uid }) => !own.has(uid))
    return contract.blocksDelete(item, living.filter(holds), at)
  },
  alsoRemoved: (item, at) => [
    ...contract.alsoRemoved(item, at),
    ...kinds.flatMap((inside) => [...at.world.store.under(inside, item.uid)].filter(({ uid }) => own.has(uid))),
  ],
})

/** The target puts something of its own into every new group, some milliseconds later; it is deleted with the group. */
export const fills =
  (kind: Kind, lag: () => number, ...things: ((group: Item) => Partial<Item>)[]): Replacement =>
  (contract) => {
    const own = new Set<string>()
    const fill = (group: Item, at: At) => {
      const { store } = at.world
      if (!store.get('groups', group.uid)) return
      const time = Math.max(at.world.now(), group.createTime)
      for (const thing of things) {
        const uid = contract.mintUid(group, at)
        own.add(uid)
        const shown = { description: 'Made for every group.', createTime: time, updateTime: time, ...thing(group) }
        store.put({ ...group, ...shown, kind, uid, parent: group.uid })
      }
    }
    return {
      ...sparing(contract, own, [...contentKinds, kind]),
      keep(item, at) {
        contract.keep(item, at)
        if (item.kind !== 'groups') return
        const ms = lag()
        if (ms === 0) fill(item, at)
        else setTimeout(() => fill(item, at), ms).unref()
      },
    }
  }

export const identity = ({ uid, createTime }: Item): Partial<Item> => ({
  name: 'default',
  claimMatch: { issuer: 'https://issuer.reference.test', subject: uid },
  lastSeenTime: createTime,
})

const noMore = (why: string) => new Refusal('forbidden', 'parent', why)

/** Creates below one group that come at once: one is refused, with that code. */
const oneAtATime =
  (code: number): Replacement =>
  () => {
    const busy = new Set<string>()
    return {
      async transport(request, response, serve, at) {
        const where = `${request.method} ${request.url}`
        if (request.method !== 'POST' || at.kind !== 'groups') return serve()
        if (busy.has(where)) {
          const body = JSON.stringify({ code, message: 'somebody else is at it', details: [] })
          response.writeHead(409, { 'content-type': 'application/json' }).end(body)
          return
        }
        busy.add(where)
        await serve()
        await sleep(1)
        busy.delete(where)
      },
    }
  }

const roomIn = (uid: string, { kind, world }: At) => 40 - [...world.store.under(kind as Kind, uid)].length

/** Lawful groups: what the target puts into them, and how much they hold. */
export const groupContentVariants: readonly Variant[] = [
  variant(
    'every new group holds a default group',
    fills(
      'groups',
      () => 0,
      () => ({ name: 'default' }),
    ),
  ),
  variant(
    'every new group holds a default group four seconds later',
    fills(
      'groups',
      () => 4_000,
      () => ({ name: 'default' }),
    ),
  ),
  variant(
    'every new group holds a default group a second later',
    fills(
      'groups',
      () => 1_000,
      () => ({ name: 'default' }),
    ),
  ),
  variant(
    'every new group holds a default identity',
    fills('identities', () => 0, identity),
  ),
  variant(
    'every new group holds a default identity two seconds later',
    fills('identities', () => 2_000, identity),
  ),
  variant(
    'a group has room for thirty others',
    on(
      'groups',
      during('create', (contract) => ({
        objection: (uid, at) =>
          [...at.world.store.under('groups', uid)].length >= 30 ? noMore('it is full') : contract.objection(uid, at),
      })),
    ),
  ),
  variant('a group has room for forty of a kind, and one too many is answered 429', (contract) => ({
    objection: (uid, at) =>
      at.operation === 'create' && contentKinds.includes(at.kind as Kind) && roomIn(uid, at) <= 0
        ? new Refusal('exhausted', 'parent', 'the quota is used up')
        : contract.objection(uid, at),
  })),
  variant(
    'a scratch group has one level of groups below it',
    on(
      'groups',
      during('create', (contract) => ({
        objection: (uid, at) => (uid.split('/').length > 4 ? noMore('it lies too deep') : contract.objection(uid, at)),
      })),
    ),
  ),
  variant('of two groups made at once in one group one is refused as a conflict', oneAtATime(6)),
  variant('of two groups made at once in one group one is aborted', oneAtATime(10)),
  variant('groups lie six deep at the most, and one deeper is a failed precondition', (contract) => ({
    keep(item, at) {
      if (item.kind === 'groups' && item.uid.split('/').length > 7)
        throw new Refusal('notEmpty', 'depth', 'groups lie six deep at the most')
      contract.keep(item, at)
    },
    errorDetails: (refusal, info, at) =>
      refusal.field === 'depth'
        ? [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', ...info }]
        : contract.errorDetails(refusal, info, at),
  })),
  variant('a group counts as full for three seconds after something in it was deleted', (contract) => {
    const emptied = new Map<string, number>()
    return {
      forget(steps, item, at) {
        contract.forget(steps, item, at)
        emptied.set(item.parent, Date.now())
      },
      blocksDelete: (item, ...given) =>
        contract.blocksDelete(item, ...given) || Date.now() - (emptied.get(item.uid) ?? 0) < 3_000,
    }
  }),
]
