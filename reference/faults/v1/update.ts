import type { Fields } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, inV1 } from '../../replace.ts'
import { uidIn } from '../paths.ts'
import { pause } from '../pause.ts'
import { foundByModel } from '../run/histories.ts'

function picked(sent: Fields): Fields {
  return Object.fromEntries(Object.entries(sent).filter(([field]) => ['name', 'description'].includes(field)))
}

/** Faults in Update of v1 (S9.4). */
export const v1UpdateFaults: readonly Fault[] = [
  fault(
    'an update through v1 is lost',
    ['v1.update.*'],
    inV1(during('update', () => ({ modify: ({ read, change }) => change(read()) }))),
  ),
  fault('an update through v1 keeps what it leaves out', ['v1.update.resets'], () => ({
    v1Replaced: (sent, { name, description }) => ({ name, description, ...picked(sent) }),
  })),
  fault(
    'an Update of v2 resets what it leaves out once v1 has updated the group',
    ['v1.update.then-partial'],
    (contract) => {
      const replaced = new Set<string>()
      return {
        v1Replaced(sent, before, settable, at) {
          replaced.add(before.uid)
          return contract.v1Replaced(sent, before, settable, at)
        },
        modify: ({ read, change, write }, at) =>
          contract.modify(
            {
              read,
              change: (old) => {
                const next = change(old)
                const kept = at.version === 'v1' || !replaced.has(old.uid) || next.description !== old.description
                return kept ? next : { ...next, description: '' }
              },
              write,
            },
            at,
          ),
      }
    },
  ),
  fault('a group that v2 makes beside a PUT of v1 on its parent is lost', foundByModel, (contract) => ({
    async transport(request, response, serve, at) {
      if (at.kind !== 'groups' || at.version !== 'v1' || at.operation !== 'update')
        return contract.transport(request, response, serve, at)
      const { store } = at.world
      const home = uidIn(request.url)
      const known = new Set([...store.under('groups', home)].map(({ uid }) => uid))
      await pause(6)
      await contract.transport(request, response, serve, at)
      if (response.statusCode > 299) return
      for (const child of [...store.under('groups', home)]) {
        if (known.has(child.uid)) continue
        store.drop(child)
        store.unlist(child)
      }
    },
  })),
  fault(
    'a PUT in v1 does not move updateTime',
    foundByModel,
    inV1({ touched: ({ createTime, updateTime }) => ({ createTime, updateTime }) }),
  ),
]
