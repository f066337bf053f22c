import type { Fields, Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, unmasked, withBody, withRequest } from '../../replace.ts'
import { uidIn } from '../paths.ts'
import { pause } from '../pause.ts'
import { foundByModel } from '../run/histories.ts'

/** Faults of calls that come together (R13, R29, R31). */
export const ordinaryRaceFaults: readonly Fault[] = [
  fault(
    'creates at once in one group count once in the total of its children',
    { turnsRed: ['list.total.crowd'], spreadsTo: ['list.*', 'grpc.list.*', 'group.delete.*'] },
    (contract) => {
      const running = new Map<string, number>()
      const lost = new Map<string, number>()
      const add = (counts: Map<string, number>, place: string, more: number) =>
        counts.set(place, (counts.get(place) ?? 0) + more)
      return {
        async transport(request, response, serve, at) {
          if (at.operation !== 'create') return contract.transport(request, response, serve, at)
          const place = `${at.kind} ${uidIn(request.url)}`
          add(running, place, 1)
          await pause(5)
          await contract.transport(request, response, serve, at)
          add(running, place, -1)
        },
        keep(item, at) {
          contract.keep(item, at)
          const place = `${item.kind} ${item.parent}`
          if ((running.get(place) ?? 0) > 1) add(lost, place, 1)
        },
        totalCount(counts, at) {
          const { childrenOf, name } = at.query!
          const less = name === undefined ? (lost.get(`${at.kind} ${childrenOf}`) ?? 0) : 0
          return contract.totalCount({ ...counts, matches: Math.max(counts.matches - less, 0) }, at)
        },
      }
    },
  ),
  fault(
    'of updates at once of two groups both get the body of the later one',
    { turnsRed: ['group.update.many'], spreadsTo: ['group.*', 'grpc.*', 'list.*', 'v1.*'] },
    withBody((sent, contract) => {
      let form: Fields | undefined
      const texts = ({ name, description }: Fields): Partial<Item> => ({
        ...(typeof name === 'string' && { name }),
        ...(typeof description === 'string' && { description }),
      })
      const shared = on(
        'groups',
        unmasked({
          async modify({ change, ...steps }, at) {
            if (at.version === 'v1') return contract.modify({ change, ...steps }, at)
            const own = sent(at)
            form = own
            await pause(8)
            const other = form === own ? {} : texts(form)
            return contract.modify({ ...steps, change: (old) => ({ ...change(old), ...other }) }, at)
          },
        }),
      )
      return shared(contract)
    }),
  ),
  fault(
    'while the delete of a full group is being refused its children are not there',
    foundByModel,
    withRequest((request, contract) => {
      const running = new Map<string, number>()
      const add = (uid: string, more: number) => running.set(uid, (running.get(uid) ?? 0) + more)
      return {
        async authenticate(token, reader, at) {
          const caller = await contract.authenticate(token, reader, at)
          const uid = uidIn(request()?.url)
          const isFull = at.kind === 'groups' && uid !== '' && !at.world.store.isEmpty('groups', uid)
          if (!caller || !isFull || at.operation !== 'delete') return caller
          add(uid, 1)
          await pause(40)
          add(uid, -1)
          return caller
        },
        seen: (item, at) => (running.get(item.parent) ? undefined : contract.seen(item, at)),
      }
    }),
  ),
]
