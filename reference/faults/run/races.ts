import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kind, Operation } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import type { Answer } from '../../rules/values.ts'
import type { Rules } from '../../rules.types.ts'
import { uidIn } from '../paths.ts'
import { pause } from '../pause.ts'
import { foundByModel } from './histories.ts'

interface Flight {
  done: Promise<void>
  answer?: Answer
}

/** Calls that take some milliseconds longer; `underWay` counts them by what `keyOf` makes of the uid in their path. */
function lingering(
  contract: Rules,
  kind: Kind,
  operation: Operation,
  milliseconds: number,
  keyOf: (uid: string) => string = (uid) => uid,
): Pick<Rules, 'transport'> & { underWay: (key: string) => number } {
  const counts = new Map<string, number>()
  const underWay = (key: string) => counts.get(key) ?? 0
  return {
    underWay,
    async transport(request, response, serve, at) {
      if (at.kind !== kind || at.operation !== operation) return contract.transport(request, response, serve, at)
      const key = keyOf(uidIn(request.url))
      counts.set(key, underWay(key) + 1)
      try {
        await pause(milliseconds)
        await contract.transport(request, response, serve, at)
      } finally {
        counts.set(key, underWay(key) - 1)
      }
    },
  }
}

/** Faults that show only while two calls are under way at once. */
export const runRacesFaults: readonly Fault[] = [
  fault('two Gets of one group at once share an answer, whatever their versions', foundByModel, (contract) => {
    const running = new Map<string, Flight>()
    const flights = new AsyncLocalStorage<Flight>()
    return {
      transport(request, response, serve, at) {
        if (at.operation !== 'get' || at.kind !== 'groups') return contract.transport(request, response, serve, at)
        const uid = uidIn(request.url)
        const join = (flight: Flight) => flights.run(flight, () => contract.transport(request, response, serve, at))
        const known = running.get(uid)
        if (known) return known.done.then(() => join(known))
        const flight = {} as Flight
        running.set(uid, flight)
        flight.done = pause(4)
          .then(() => join(flight))
          .finally(() => running.delete(uid))
        return flight.done
      },
      render(answer, at) {
        const flight = at.over === 'grpc' || at.operation !== 'get' ? undefined : flights.getStore()
        if (!flight || answer.status !== 200) return contract.render(answer, at)
        flight.answer ??= answer
        return contract.render(flight.answer, at)
      },
    }
  }),
  fault('a group made beside a delete in its parent is in no list', foundByModel, (contract) => {
    const parentOf = (uid: string) => uid.slice(0, uid.lastIndexOf('/'))
    const { underWay, transport } = lingering(contract, 'groups', 'delete', 3, parentOf)
    const lost = new Set<string>()
    return {
      transport,
      keep(item, at) {
        contract.keep(item, at)
        if (item.kind === 'groups' && underWay(item.parent) > 0) lost.add(item.uid)
      },
      withinScope: (item, at) => contract.withinScope(item, at) && !lost.has(item.uid),
    }
  }),
  fault('a group that is read while it is renamed or described is shown as it was', foundByModel, (contract) => {
    const { underWay, transport } = lingering(contract, 'groups', 'get', 3)
    const stale = new Map<string, string>()
    return {
      transport,
      modify({ read, change, write }, at) {
        const before = read()
        if (underWay(before.uid) > 0) stale.set(before.uid, before.description ?? '')
        else stale.delete(before.uid)
        return contract.modify({ read, change, write }, at)
      },
      group: (item, ...rest) =>
        contract.group({ ...item, description: stale.get(item.uid) ?? item.description ?? '' }, ...rest),
    }
  }),
  fault('an exchange writes the identity back as it read it', foundByModel, (contract) => ({
    async transport(request, response, serve, at) {
      if (at.operation !== 'exchange') return contract.transport(request, response, serve, at)
      const { store, now } = at.world
      const read = store.get('identities', new URL(request.url ?? '', 'http://here').searchParams.get('identity') ?? '')
      await contract.transport(request, response, serve, at)
      if (read && response.statusCode < 300) store.put({ ...read, lastSeenTime: now() })
    },
  })),
  fault(
    'of two invites that are made in one group at once one is lost',
    { ...foundByModel, spreadsTo: ['list.walk.while-others.*'] },
    (contract) => {
      const { underWay, transport } = lingering(contract, 'groupInvites', 'create', 10)
      return {
        transport,
        keep(item, at) {
          if (item.kind !== 'groupInvites' || underWay(item.parent) < 2) contract.keep(item, at)
        },
      }
    },
  ),
]
