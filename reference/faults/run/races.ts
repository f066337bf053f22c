import { AsyncLocalStorage } from 'node:async_hooks'
import { type Fault, fault } from '../../fault.ts'
import type { Answer } from '../../rules/values.ts'
import { uidIn } from '../paths.ts'
import { pause } from '../pause.ts'
import { foundByModel } from './histories.ts'

interface Flight {
  done: Promise<void>
  answer?: Answer
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
    const deleting = new Map<string, number>()
    const lost = new Set<string>()
    return {
      async transport(request, response, serve, at) {
        if (at.kind !== 'groups' || at.operation !== 'delete') return contract.transport(request, response, serve, at)
        const uid = uidIn(request.url)
        const parent = uid.slice(0, uid.lastIndexOf('/'))
        deleting.set(parent, (deleting.get(parent) ?? 0) + 1)
        await pause(3)
        await contract.transport(request, response, serve, at)
        deleting.set(parent, deleting.get(parent)! - 1)
      },
      keep(item, at) {
        contract.keep(item, at)
        if (item.kind === 'groups' && deleting.get(item.parent)) lost.add(item.uid)
      },
      withinScope: (item, at) => contract.withinScope(item, at) && !lost.has(item.uid),
    }
  }),
  fault('a group that is read while it is renamed or described is shown as it was', foundByModel, (contract) => {
    const reading = new Map<string, number>()
    const stale = new Map<string, string>()
    return {
      async transport(request, response, serve, at) {
        if (at.kind !== 'groups' || at.operation !== 'get') return contract.transport(request, response, serve, at)
        const uid = uidIn(request.url)
        reading.set(uid, (reading.get(uid) ?? 0) + 1)
        await pause(3)
        await contract.transport(request, response, serve, at)
        reading.set(uid, reading.get(uid)! - 1)
      },
      modify({ read, change, write }, at) {
        const before = read()
        if (reading.get(before.uid)) stale.set(before.uid, before.description ?? '')
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
]
