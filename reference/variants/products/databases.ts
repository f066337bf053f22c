import { createHash } from 'node:crypto'
import type { At } from '../../domain/at.ts'
import { type Item, keyOf } from '../../domain/item.ts'
import { type Variant, variant } from '../../fault.ts'
import { during, type Replacement } from '../../replace.ts'
import { lagging } from '../lists/lagging.ts'

const digest = (text: string) => createHash('sha1').update(text).digest('hex')

/** Each thing is shown by each form of list at a time of its own; what was shown once stays (R52). */
const jittered =
  (most: number): Replacement =>
  (contract) => {
    const born = new Map<string, number>()
    const view = ({ over, version, query }: At) => {
      const scope = query?.childrenOf !== undefined ? 'children' : query?.descendantsOf !== undefined ? 'below' : 'all'
      return [over, version, scope, query?.name !== undefined, query?.order.field, query?.order.descending].join()
    }
    return {
      keep(item, at) {
        contract.keep(item, at)
        born.set(keyOf(item), performance.now())
      },
      seen(item, at) {
        const since = born.get(keyOf(item))
        if (at.operation !== 'list' || item.kind !== at.kind || since === undefined) return contract.seen(item, at)
        const lag = (Number.parseInt(digest(item.uid + view(at)).slice(0, 6), 16) / 0xffffff) * most
        return performance.now() - since < lag ? undefined : contract.seen(item, at)
      },
    }
  }

/** Several replacements at once, each on top of those before it. */
export const several =
  (...rules: Replacement[]): Replacement =>
  (contract) => {
    const all = {}
    for (const each of rules) Object.assign(all, each({ ...contract, ...all }))
    return all
  }

/** Deletes that take effect in readings a while later, while a second create or a parent's delete sees them at once. */
const tombstones =
  (lag: number): Replacement =>
  (contract) => ({
    forget({ drop, unlist }, item, at) {
      drop()
      setTimeout(() => at.world.store.get(item.kind, item.uid) === undefined && unlist(), lag).unref()
    },
    blocksDelete(item, living, at) {
      const { store } = at.world
      const holds = (kind: Item['kind']) =>
        [...store.under(kind, item.uid)].some(({ uid }) => store.get(kind, uid) !== undefined)
      return contract.blocksDelete(item, living.filter(holds), at)
    },
  })

/** Lawful servers on usual databases (R14, R17, R52, R56, R59). */
export const databaseVariants: readonly Variant[] = [
  lagging('every form of list shows each thing up to four seconds late, at a time of its own', jittered(4_000)),
  variant('equal keys come in the order of their last change', (contract) => {
    const changed = new Map<string, number>()
    let count = 0
    return {
      keep(item, at) {
        contract.keep(item, at)
        changed.set(item.uid, ++count)
      },
      tiebreak: (a, b, at) => (changed.get(b) ?? 0) - (changed.get(a) ?? 0) || contract.tiebreak(a, b, at),
    }
  }),
  variant('without an order a list goes by depth, then by the name backwards', (contract) => {
    const key = ({ parent, name, uid }: Item) =>
      `${String(parent.split('/').length).padStart(3, '0')} ${[...name].reverse().join('')} ${uid}`
    return during('list', {
      sortKey: (item, field, at) =>
        field === 'uid' && item.kind === 'groups' ? key(item) : contract.sortKey(item, field, at),
    })(contract)
  }),
  lagging('what was deleted stays in lists for four seconds', tombstones(4_000)),
  lagging(
    'lists are up to two seconds late, each thing at a time of its own, and no name is used twice',
    several(jittered(2_000), (contract) => {
      const owners = new Map<string, string>()
      return {
        nameTaken: (wanted, at) =>
          contract.nameTaken(wanted, at) ||
          (wanted.kind === 'groups' && (owners.get(wanted.name) ?? wanted.uid) !== wanted.uid),
        keep(item, at) {
          contract.keep(item, at)
          if (item.kind === 'groups') owners.set(item.name, item.uid)
        },
      }
    }),
  ),
  variant('one reading in two hundred is a transaction that has to be begun again', (contract) => {
    let readings = 0
    return {
      async transport(request, response, serve, at) {
        const isAborted = request.method === 'GET' && at.kind !== 'none' && ++readings % 200 === 199
        if (!isAborted) return contract.transport(request, response, serve, at)
        response.writeHead(409, { 'content-type': 'application/json' })
        response.end('{"code":10,"message":"could not serialize access","details":[]}')
      },
    }
  }),
]
